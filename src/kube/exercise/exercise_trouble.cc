#include "kube/exercise/exercise_trouble.h"

#include "kube/access/kubeconfig_text.h"
#include "kube/decode/decode.h"
#include "kube/decode/decode_json.h"

#include <algorithm>
#include <utility>

namespace parley::kube {
namespace {

using cluster::Trouble;

constexpr std::size_t kReasonMax = 60;
constexpr std::size_t kHeadMax = 110;  // Of a message: the beginning says what was tried ...
// ... and the end what came of it; `kubectl describe` has the rest.
constexpr std::size_t kTailMax = 130;

/// A part of an object that gives a type or state, a reason and a message.
struct Said {
    std::string type, status, reason, message;
};

/// One sentence without its middle, which says least: errors are wrapped from the outside in.
std::string sentence_of(const std::string& message) {
    const std::string whole = one_line(message, message.size() + kHeadMax);
    if (whole.size() <= kHeadMax + kTailMax) return whole;
    std::string_view tail = std::string_view(whole).substr(whole.size() - kTailMax);
    while (!tail.empty() && (static_cast<unsigned char>(tail.front()) & 0xc0U) == 0x80U) {
        tail.remove_prefix(1);  // Not in the middle of a character.
    }
    return one_line(whole, kHeadMax) + std::string(tail);
}

/// Anybody may have written it, so it is made safe here.
Trouble trouble_of(const Said& said) {
    return {one_line(said.reason, kReasonMax), sentence_of(said.message)};
}

Said read_said(JsonWalk& walk) {
    Said said;
    walk.fields([&](JsonKey key) {
        if (key == "type") said.type = walk.text().value_or("");
        if (key == "status") said.status = walk.text().value_or("");
        if (key == "reason") said.reason = walk.text().value_or("");
        if (key == "message") said.message = walk.text().value_or("");
    });
    return said;
}

/// Checked because the uid is put into a query.
bool is_uid(std::string_view text) {
    return text.size() <= 64 && std::ranges::all_of(text, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-';
           });
}

/// Calls each() with the walk at every item of a list.
template <class Each>
void each_item(std::string_view body, const Each& each) {
    const auto marks = mark_json(body, kPageBytesMax);
    if (!marks) return;
    JsonWalk walk(*marks);
    walk.fields([&](JsonKey key) {
        if (key == "items") walk.items([&] { each(walk); });
    });
}

/// What one pod says about its state.
struct PodSeen {
    std::string uid;
    bool leaving = false, bound = false, ready = false;
    Said self;       ///< Refused by its node, or evicted.
    Said unplaced;   ///< What the scheduler says.
    Said container;  ///< The first container that does not run, unless it is about to.
};

void read_container(JsonWalk& walk, PodSeen& pod) {
    Said waiting;
    Said ended;
    Said ended_before;
    const auto read_state = [&](Said& ended_now) {
        walk.fields([&](JsonKey key) {
            if (key == "waiting") waiting = read_said(walk);
            if (key == "terminated") ended_now = read_said(walk);
        });
    };
    walk.fields([&](JsonKey key) {
        if (key == "state") read_state(ended);
        if (key == "lastState") read_state(ended_before);
    });
    if (!pod.container.reason.empty()) return;
    const bool on_its_way =
        waiting.reason == "ContainerCreating" || waiting.reason == "PodInitializing";
    // An init container that is done has ended as well.
    if (!ended.reason.empty() && ended.reason != "Completed") {
        pod.container = std::move(ended);
    } else if (!waiting.reason.empty() && !on_its_way) {
        pod.container = std::move(waiting);
        if (!ended_before.message.empty()) pod.container.message = std::move(ended_before.message);
    }
}

void read_condition(JsonWalk& walk, PodSeen& pod) {
    Said condition = read_said(walk);
    if (condition.type == "Ready") pod.ready = condition.status == "True";
    if (condition.type == "PodScheduled" && condition.status == "False") {
        pod.unplaced = std::move(condition);
    }
}

void read_status(JsonWalk& walk, PodSeen& pod) {
    std::string phase;
    walk.fields([&](JsonKey key) {
        if (key == "phase") phase = walk.text().value_or("");
        if (key == "reason") pod.self.reason = walk.text().value_or("");
        if (key == "message") pod.self.message = walk.text().value_or("");
        if (key == "conditions") walk.items([&] { read_condition(walk, pod); });
        if (key == "initContainerStatuses" || key == "containerStatuses") {
            walk.items([&] { read_container(walk, pod); });
        }
    });
    if (phase != "Failed") pod.self = {};
}

PodSeen read_pod(JsonWalk& walk) {
    PodSeen pod;
    walk.fields([&](JsonKey key) {
        if (key == "metadata") {
            walk.fields([&](JsonKey inner) {
                if (inner == "uid") pod.uid = walk.text().value_or("");
                if (inner == "deletionTimestamp") pod.leaving = walk.text().has_value();
            });
        } else if (key == "spec") {
            walk.fields([&](JsonKey inner) {
                if (inner == "nodeName") pod.bound = !walk.text().value_or("").empty();
            });
        } else if (key == "status") {
            read_status(walk, pod);
        }
    });
    return pod;
}

}  // namespace

PodsTold read_pods_told(std::string_view pods_body) {
    PodsTold told;
    each_item(pods_body, [&](JsonWalk& walk) {
        const PodSeen pod = read_pod(walk);
        if (pod.leaving || pod.ready || told.trouble.known()) return;
        for (const Said* said : {&pod.self, &pod.container, &pod.unplaced}) {
            if (!told.trouble.known()) told.trouble = trouble_of(*said);
        }
        const bool silent = pod.bound && !told.trouble.known();
        if (silent && told.silent.empty() && is_uid(pod.uid)) told.silent = pod.uid;
    });
    return told;
}

Trouble read_create_trouble(std::string_view deployments_body) {
    Trouble trouble;
    each_item(deployments_body, [&](JsonWalk& walk) {
        const auto read_condition_of_work = [&] {
            const Said said = read_said(walk);
            const bool failed = said.type == "ReplicaFailure" && said.status == "True";
            if (failed && !trouble.known()) trouble = trouble_of(said);
        };
        walk.fields([&](JsonKey key) {
            if (key != "status") return;
            walk.fields([&](JsonKey inner) {
                if (inner == "conditions") walk.items(read_condition_of_work);
            });
        });
    });
    return trouble;
}

Trouble read_event_trouble(std::string_view events_body) {
    Trouble warning;
    Trouble pulling;
    // Events are named by their time and lists are sorted by name, so the newest comes last.
    each_item(events_body, [&](JsonWalk& walk) {
        const Said said = read_said(walk);
        // It is on a node, so what the scheduler said before no longer counts.
        if (said.type == "Warning" && said.reason != "FailedScheduling") warning = trouble_of(said);
        if (said.reason == "Pulling") pulling = trouble_of(said);
        if (said.reason == "Pulled") pulling = {};
    });
    return warning.known() ? warning : pulling;
}

}  // namespace parley::kube
