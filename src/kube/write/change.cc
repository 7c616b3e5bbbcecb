#include "kube/write/change.h"

#include "base/quantity.h"
#include "kube/decode/mark_text.h"
#include "kube/write/json_parts.h"
#include "kube/write/mark_json.h"

#include <algorithm>

namespace parley::kube {

using namespace model;

namespace {

constexpr const char* kMerge = "application/merge-patch+json";
constexpr const char* kStrategic = "application/strategic-merge-patch+json";
constexpr const char* kJsonPatch = "application/json-patch+json";
constexpr const char* kPlain = "application/json";

/// `"uid":"...","resourceVersion":"..."`, by which a stale or another object is refused.
std::string same_object(const Seen& seen) {
    return R"("uid":)" + quoted(seen.uid_text) + R"(,"resourceVersion":")" +
           std::to_string(seen.version) + '"';
}

std::string annotate(const Seen& seen, const std::string& annotations) {
    return R"({"metadata":{)" + same_object(seen) + R"(,"annotations":{)" + annotations + "}}}";
}

/// Our taint is added at the end, or taken from where it was found; others stay where they are. The
/// first operation makes a stale patch a conflict: a failed `test` could not be told from a bad
/// path.
std::string taint_patch(const SetTaint& request, const Seen& seen) {
    std::string ops = R"([{"op":"replace","path":"/metadata/resourceVersion","value":")" +
                      std::to_string(seen.version) + R"("})";
    for (std::size_t i = seen.ours.size(); i > 0; --i) {  // From behind: places before stay.
        ops +=
            R"(,{"op":"remove","path":"/spec/taints/)" + std::to_string(seen.ours[i - 1]) + R"("})";
    }
    if (request.taint != model::Taint::none) {
        const char* effect =
            request.taint == model::Taint::no_schedule ? "NoSchedule" : "PreferNoSchedule";
        const std::string taint =
            R"({"key":)" + quoted(kQuarantineTaint) + R"(,"effect":")" + effect + R"("})";
        ops += R"(,{"op":"add","path":"/spec/taints)";
        ops += seen.has_taints ? R"(/-","value":)" + taint : R"(","value":[)" + taint + "]";
        ops += "}";
    }
    return ops + "]";
}

std::string scale_body(const SetReplicas& request, const Seen& seen) {
    return R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":)" +
           quoted(request.workload.name.view()) + R"(,"namespace":)" +
           quoted(request.workload.space.view()) + "," + same_object(seen) +
           R"(},"spec":{"replicas":)" + std::to_string(request.replicas) + "}}";
}

/// The decision is in the annotations of the Eviction: the audit log has them, nobody stores them.
std::string eviction_body(const EvictPod& request, const Seen& seen, const cluster::Stamp& stamp) {
    return R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":)" +
           quoted(request.name) + R"(,"namespace":)" + quoted(request.space.view()) +
           R"(,"annotations":{)" + quoted(kDecisionAnnotation) + ":" +
           quoted(stamp.decision.text()) + R"(}},"deleteOptions":{"preconditions":{)" +
           same_object(seen) + "}}}";
}

std::string amounts(const std::optional<std::int64_t>& cpu,
                    const std::optional<std::int64_t>& memory) {
    std::string out;
    if (cpu) out += R"("cpu":")" + print_millicores(*cpu) + '"';
    if (memory) {
        out += std::string(cpu ? "," : "") + R"("memory":")" + print_bytes(*memory) + '"';
    }
    return out;
}

std::string resize_body(const ResizePod& request, const Seen& seen) {
    std::string list;
    for (const ContainerResize& each : request.containers) {
        const std::string requests = amounts(each.cpu_request_m, each.memory_request);
        const std::string limits = amounts(each.cpu_limit_m, each.memory_limit);
        std::string both;
        if (!requests.empty()) both += R"("requests":{)" + requests + "}";
        if (!limits.empty()) both += (both.empty() ? "" : ",") + (R"("limits":{)" + limits + "}");
        list += (list.empty() ? R"({"name":)" : R"(,{"name":)") + quoted(each.container.view()) +
                R"(,"resources":{)" + both + "}}";
    }
    return R"({"metadata":{)" + same_object(seen) + R"(},"spec":{"containers":[)" + list + "]}}";
}

/// Starts the Job and takes our mark away, both or neither.
std::string resume_body(const Seen& seen) {
    return R"({"metadata":{)" + same_object(seen) + R"(,"annotations":{)" + mark_members({}) +
           R"(}},"spec":{"suspend":false}})";
}

struct Sent {
    std::string method;
    const char* type;
    std::string under;  ///< The subresource.
    std::string body;
};

struct AsSent {
    const Seen& seen;
    const cluster::Stamp& stamp;

    Sent operator()(const PutMark& r) const {
        const Mark mark{r.decision, r.expires, r.kind, r.changes};
        return {"PATCH", kMerge, "", annotate(seen, mark_members(mark))};
    }
    Sent operator()(const MarkPod& r) const {
        return {"PATCH", kMerge, "", annotate(seen, mark_members(r.mark))};
    }
    Sent operator()(const ResumeJob&) const { return {"PATCH", kMerge, "", resume_body(seen)}; }
    Sent operator()(const SetDeletionCost& r) const {
        const std::string cost = r.cost == 0 ? "null" : '"' + std::to_string(r.cost) + '"';
        return {"PATCH", kMerge, "", annotate(seen, quoted(kDeletionCost) + ":" + cost)};
    }
    Sent operator()(const SetTaint& r) const {
        return {"PATCH", kJsonPatch, "", taint_patch(r, seen)};
    }
    Sent operator()(const SetReplicas& r) const {
        return {"PUT", kPlain, "/scale", scale_body(r, seen)};
    }
    Sent operator()(const EvictPod& r) const {
        return {"POST", kPlain, "/eviction", eviction_body(r, seen, stamp)};
    }
    Sent operator()(const ResizePod& r) const {
        return {"PATCH", kStrategic, "/resize", resize_body(r, seen)};
    }
    template <class Other>
    Sent operator()(const Other&) const {
        return {"GET", kPlain, "", ""};  // place_of() refuses it before.
    }
};

/// Each amount that is named is what the container asks for.
bool has_sizes(const std::vector<ContainerResize>& wanted, const Seen& seen) {
    return std::ranges::all_of(wanted, [&](const ContainerResize& each) {
        const auto now =
            std::ranges::find(seen.containers, each.container, &ContainerResize::container);
        if (now == seen.containers.end()) return false;
        const auto same = [](const auto& want, const auto& has) { return !want || want == has; };
        return same(each.cpu_request_m, now->cpu_request_m) &&
               same(each.cpu_limit_m, now->cpu_limit_m) &&
               same(each.memory_request, now->memory_request) &&
               same(each.memory_limit, now->memory_limit);
    });
}

struct Applied {
    const Seen& seen;

    bool marked(const DecisionId& id) const {
        if (id.none()) return !seen.mark;
        return seen.mark && seen.mark->decision == id;
    }
    bool operator()(const PutMark& r) const { return marked(r.decision); }
    bool operator()(const MarkPod& r) const { return marked(r.mark.decision); }
    bool operator()(const SetTaint& r) const {
        return seen.taint == r.taint && seen.ours.size() <= 1;
    }
    bool operator()(const SetReplicas& r) const { return seen.replicas == r.replicas; }
    bool operator()(const EvictPod&) const { return seen.terminating || seen.ended; }
    bool operator()(const ResumeJob&) const { return !seen.suspended; }
    bool operator()(const SetDeletionCost& r) const {
        return seen.deletion_cost.value_or(0) == r.cost;
    }
    bool operator()(const ResizePod& r) const { return has_sizes(r.containers, seen); }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }
};

}  // namespace

std::string audit_id(const cluster::Stamp& stamp) {
    return "parley-" + stamp.decision.text() + "-" + (stamp.undo ? "undo-" : "") +
           std::to_string(stamp.step);
}

http::Request change_of(const Request& request, const ObjectPlace& place, const Seen& seen,
                        const cluster::Stamp& stamp) {
    Sent sent = std::visit(AsSent{seen, stamp}, request);
    return {.method = std::move(sent.method),
            .target = place.path + sent.under,
            .headers = {{"Content-Type", sent.type}},
            .body = std::move(sent.body)};
}

Live live_of(const Request& request, const Seen& seen) {
    return {.exists = true,
            .uid = seen.uid,
            .version = seen.version,
            .mark = seen.mark ? seen.mark->decision : DecisionId{},
            .applied = std::visit(Applied{seen}, request),
            .ready = seen.available};
}

}  // namespace parley::kube
