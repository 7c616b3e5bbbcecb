#include "kube/webhook/admission_answer.h"

#include "base/base64.h"
#include "base/json_read.h"
#include "kube/decode/mark_text.h"
#include "kube/write/json_parts.h"

#include <algorithm>

namespace parley::kube {

using namespace model;

namespace {

constexpr const char* kReviews = "admission.k8s.io/v1";
constexpr std::string_view kKueue = "kueue.x-k8s.io/";
constexpr std::string_view kJobController = "kubernetes.io/job-controller";
constexpr std::size_t kIdMax = 256;
/// The API server takes 256 KiB of annotations; a Job that ours would push over it would fail.
constexpr std::size_t kAnnotationsMax = std::size_t{192} << 10;

/// What stands under a name; null is as good as absent, as the API server has it.
const Json* given(const Json* from, std::string_view name) {
    const Json* found = part_at(from, name);
    return found != nullptr && !found->is_null() ? found : nullptr;
}

bool is_object(const Json* json) { return json != nullptr && json->members() != nullptr; }

bool is_kind(const Json* type, std::string_view name, std::string_view value) {
    return text_or_none(type, "group") == "batch" && text_or_none(type, "version") == "v1" &&
           text_or_none(type, name) == value;
}

bool is_new_job(const Json* review) {
    const Json* request = part_at(review, "request");
    return text_or_none(review, "apiVersion") == kReviews &&
           text_or_none(review, "kind") == "AdmissionReview" &&
           text_or_none(request, "operation") == "CREATE" &&
           is_kind(part_at(request, "kind"), "kind", "Job") &&
           is_kind(part_at(request, "resource"), "resource", "jobs") &&
           (given(request, "subResource") == nullptr ||
            text_or_none(request, "subResource").empty());
}

bool stands_for(const SetAdmission& order, std::string_view space, TimePoint now) {
    const bool ours =
        order.mode == AdmissionWish::queue || order.mode == AdmissionWish::deprioritize;
    return ours && !order.decision.none() && now < order.until && !space.empty() &&
           space != "kube-system" &&
           std::ranges::any_of(order.spaces, [&](Name each) { return each.view() == space; });
}

/// Nothing given is false; what is no truth value counts as true, so that it is left alone.
bool is_true(const Json* from, std::string_view name) {
    const Json* found = given(from, name);
    return found != nullptr && (found->boolean() == nullptr || *found->boolean());
}

bool runs_under_kueue(const Json* meta) {
    const Json* labels = given(meta, "labels");
    if (labels == nullptr) return false;
    if (!is_object(labels)) return true;
    return std::ranges::any_of(labels->members()->names,
                               [](const std::string& name) { return name.starts_with(kKueue); });
}

/// A Job of another controller's than a CronJob: that one would not understand why it waits.
bool is_anothers(const Json* meta) {
    const Json* owners = given(meta, "ownerReferences");
    if (owners == nullptr) return false;
    const JsonItems* items = owners->items();
    if (items == nullptr) return true;
    return std::ranges::any_of(*items, [](const Json& owner) {
        return !is_object(&owner) ||
               (is_true(&owner, "controller") && text_or_none(&owner, "kind") != "CronJob");
    });
}

/// Also whatever is not shaped like a Job: the API server itself says what is wrong with it.
bool left_alone(const Json* job) {
    const Json* meta = part_at(job, "metadata");
    const Json* spec = part_at(job, "spec");
    if (!is_object(meta) || !is_object(spec)) return true;
    const Json* manager = given(spec, "managedBy");
    if (manager != nullptr && text_or_none(spec, "managedBy") != kJobController) return true;
    const Json* annotations = given(meta, "annotations");
    if (annotations != nullptr &&
        (!is_object(annotations) || annotations->raw.size() > kAnnotationsMax)) {
        return true;
    }
    return is_true(spec, "suspend") || runs_under_kueue(meta) || is_anothers(meta);
}

/// A pod template without a class; one with a number for its priority would contradict any class.
bool takes_a_class(const Json* job) {
    const Json* pod = part_at(part_at(part_at(job, "spec"), "template"), "spec");
    if (!is_object(pod) || given(pod, "priority") != nullptr) return false;
    const Json* name = given(pod, "priorityClassName");
    return name == nullptr || (name->text() != nullptr && name->text()->empty());
}

/// "/metadata/annotations/parley.dev~1kind".
std::string path_of(std::string_view annotation) {
    std::string path = "/metadata/annotations/";
    for (const char c : annotation) path += c == '/' ? "~1" : c == '~' ? "~0" : std::string(1, c);
    return path;
}

std::string added(std::string_view path, const std::string& json) {
    return R"({"op":"add","path":)" + quoted(path) + R"(,"value":)" + json + "}";
}

/// The operations that put a mark on an object; a change that somebody else's mark names is none of
/// ours.
std::string marking(const Json* annotations, const Mark& mark) {
    std::string whole;
    std::string each;
    for (const auto& [key, value] : annotations_of(mark)) {
        whole += (whole.empty() ? "" : ",") + quoted(key) + ":" + quoted(value);
        each += (each.empty() ? "" : ",") + added(path_of(key), quoted(value));
    }
    if (annotations == nullptr) return added("/metadata/annotations", "{" + whole + "}");
    if (mark.changes.empty() && annotations->find(kChangesAnnotation) != nullptr) {
        each += R"(,{"op":"remove","path":)" + quoted(path_of(kChangesAnnotation)) + "}";
    }
    return each;
}

/// Empty: the Job stays as it came.
std::string patch_of(const Json* job, const SetAdmission& order) {
    Mark mark{.decision = order.decision, .expires = order.until, .kind = ActionKind::admission};
    std::string change;
    if (order.mode == AdmissionWish::queue) {
        mark.changes = {{MarkedField::suspend, {}, 0, 1}};
        change = added("/spec/suspend", "true");
    } else if (takes_a_class(job)) {
        change = added("/spec/template/spec/priorityClassName", quoted(kBatchClass));
    } else {
        return {};
    }
    return "[" + marking(given(part_at(job, "metadata"), "annotations"), mark) + "," + change + "]";
}

}  // namespace

Result<std::string> admission_answer(std::string_view review, const SetAdmission& order,
                                     TimePoint now) {
    if (review.size() > kReviewBytesMax) {
        return fail(ErrorCode::malformed, "the review is larger than 3 MiB");
    }
    const auto json = parse_json(review);
    if (!json) return within("the review is no JSON", json.error());
    const Json* request = json->find("request");
    const std::string* id = text_at(request, "uid");
    if (id == nullptr || id->empty() || id->size() > kIdMax) {
        return fail(ErrorCode::malformed, "it is no AdmissionReview: its request has no uid");
    }
    std::string patch;
    const Json* job = part_at(request, "object");
    if (is_new_job(&*json) && stands_for(order, text_or_none(request, "namespace"), now) &&
        !left_alone(job)) {
        patch = patch_of(job, order);
    }
    std::string out = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview",)"
                      R"("response":{"uid":)" +
                      quoted(*id) + R"(,"allowed":true)";
    if (!patch.empty()) {
        out += R"(,"patchType":"JSONPatch","patch":")" + encode_base64(patch) + '"';
    }
    return out + "}}";
}

}  // namespace parley::kube
