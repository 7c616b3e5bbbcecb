#include "exercise/hindrance.h"

#include <array>

namespace parley::exercise {
namespace {

struct Word {
    std::string_view text;
    Hindrance means;
};

/// Reasons that a kubelet or the scheduler gives.
constexpr std::array kReasons = {
    Word{"Pulling", Hindrance::pulling},
    Word{"ErrImagePull", Hindrance::image},
    Word{"ImagePullBackOff", Hindrance::image},
    Word{"ErrImageNeverPull", Hindrance::image},
    Word{"InvalidImageName", Hindrance::image},
    Word{"ImageInspectError", Hindrance::image},
    Word{"RegistryUnavailable", Hindrance::image},
    Word{"SignatureValidationFailed", Hindrance::image},
    Word{"Unschedulable", Hindrance::place},
    Word{"SchedulingGated", Hindrance::policy},
    Word{"CreateContainerError", Hindrance::container},
    Word{"CreateContainerConfigError", Hindrance::container},
    Word{"RunContainerError", Hindrance::container},
    Word{"StartError", Hindrance::container},
    Word{"ContainerCannotRun", Hindrance::container},
    Word{"CrashLoopBackOff", Hindrance::crash},
    Word{"Error", Hindrance::crash},
    Word{"OOMKilled", Hindrance::crash},
    Word{"FailedCreatePodSandBox", Hindrance::sandbox},
    Word{"NetworkNotReady", Hindrance::sandbox},
    Word{"FailedMount", Hindrance::sandbox},
    Word{"Evicted", Hindrance::node},
    Word{"NodeAffinity", Hindrance::node},
    Word{"NodeLost", Hindrance::node},
    Word{"Preempting", Hindrance::node},
    Word{"Terminated", Hindrance::node},
    Word{"UnexpectedAdmissionError", Hindrance::node},
};

/// Phrases in a message. The first match wins: a webhook may write anything.
constexpr std::array kPhrases = {
    Word{"admission webhook", Hindrance::policy},
    Word{"failed calling webhook", Hindrance::policy},
    Word{"ValidatingAdmissionPolicy", Hindrance::policy},
    Word{"because it is being terminated", Hindrance::space},
    Word{"404, namespaces ", Hindrance::space},
    Word{"violates PodSecurity", Hindrance::security},
    Word{"exceeded quota", Hindrance::quota},
    Word{"failed quota", Hindrance::quota},
    Word{"insufficient quota", Hindrance::quota},
    Word{"RuntimeClass", Hindrance::runtime},
    Word{"no runtime for", Hindrance::runtime},
    Word{" usage per ", Hindrance::limits},
    Word{"limit to request ratio", Hindrance::limits},
};

const Word* phrase_in(std::string_view message) {
    for (const Word& phrase : kPhrases) {
        if (message.find(phrase.text) != std::string_view::npos) return &phrase;
    }
    return nullptr;
}

}  // namespace

Hindrance hindrance_of(const cluster::Trouble& trouble) {
    if (!trouble.known()) return Hindrance::unknown;
    Hindrance by_reason = Hindrance::other;
    for (const Word& word : kReasons) {
        if (trouble.reason == word.text) by_reason = word.means;
    }
    if (trouble.reason.starts_with("OutOf")) by_reason = Hindrance::node;  // OutOfcpu, OutOfpods.
    const Word* phrase = phrase_in(trouble.message);
    if (by_reason == Hindrance::sandbox) {
        const bool runtime = phrase != nullptr && phrase->means == Hindrance::runtime;
        return runtime ? Hindrance::runtime : by_reason;
    }
    if (by_reason != Hindrance::other) return by_reason;
    return phrase == nullptr ? Hindrance::other : phrase->means;
}

std::string advice_on(Hindrance hindrance, std::string_view space) {
    const std::string other_space = "or name another namespace: --exercise-namespace NAME";
    const std::string describe = "kubectl describe pods -n " + std::string(space);
    switch (hindrance) {
        case Hindrance::unknown:
            return describe + " may say more";
        case Hindrance::pulling:
            return "if it does not come, name an image that the nodes have: --exercise-image IMAGE";
        case Hindrance::image:
            return "name an image that the nodes can pull or have: --exercise-image IMAGE";
        case Hindrance::place:
            return "make room on the nodes, or see what keeps pods off them: kubectl describe "
                   "nodes";
        case Hindrance::quota:
            return "raise the ResourceQuota of " + std::string(space) + ", " + other_space;
        case Hindrance::limits:
            return "change the LimitRange of " + std::string(space) + ", " + other_space;
        case Hindrance::security:
            return "lower the Pod Security level of " + std::string(space) + ", " + other_space;
        case Hindrance::policy:
            return "have " + std::string(space) + " exempted from that check, " + other_space;
        case Hindrance::runtime:
            return "install that RuntimeClass, or take away what gives it to pods of " +
                   std::string(space);
        case Hindrance::container:
            return "name an image that runs as any user and writes no files: --exercise-image "
                   "IMAGE";
        case Hindrance::crash:
            return "name an image whose program goes on running: --exercise-image IMAGE";
        case Hindrance::sandbox:
        case Hindrance::node:
            return "see to that node: " + describe;
        case Hindrance::space:
            return "somebody deleted " + std::string(space) +
                   "; start the exerciser again, which makes it anew";
        case Hindrance::other:
            return describe + " says more";
    }
    return "";
}

std::string why_text(const cluster::Trouble& trouble, std::string_view space) {
    std::string text = trouble.message;
    const bool told_twice = text.starts_with(trouble.reason);  // "Pulling", "Pulling image ...".
    if (!told_twice) text = trouble.reason + (text.empty() ? "" : ", ") + text;
    if (text.empty()) text = "the cluster does not say why";
    if (text.ends_with('.') && !text.ends_with("...")) text.pop_back();
    return text + "; " + advice_on(hindrance_of(trouble), space);
}

}  // namespace parley::exercise
