#include "kube/write/target.h"

#include "base/number.h"

#include <algorithm>

namespace parley::kube {

using namespace model;

namespace {

/// Names of the kinds that we change are DNS subdomains.
bool is_name(std::string_view text) {
    const auto fine = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    };
    return !text.empty() && text.size() <= 253 && text.front() != '.' && text.back() != '.' &&
           std::ranges::all_of(text, fine);
}

Result<ObjectPlace> found(Kind kind, std::string_view space, std::string_view name) {
    const bool spaced = facts_of(kind).namespaced;
    if (!is_name(name) || (spaced && !is_name(space))) {
        return fail(ErrorCode::malformed, in_quotes(name) + " in " + in_quotes(space) +
                                              " is no name of an object; nothing was asked for");
    }
    ObjectPlace place{kind, list_path(kind, space) + "/" + std::string(name), ""};
    std::string word(enum_name(kind));
    std::ranges::replace(word, '_', ' ');
    place.said = word + " " + (spaced ? std::string(space) + "/" : "") + std::string(name);
    return place;
}

Result<ObjectPlace> of_workload(const WorkloadId& id) {
    switch (id.kind) {
        case WorkloadKind::deployment:
            return found(Kind::deployment, id.space.view(), id.name.view());
        case WorkloadKind::stateful_set:
            return found(Kind::stateful_set, id.space.view(), id.name.view());
        case WorkloadKind::job:
            return found(Kind::job, id.space.view(), id.name.view());
        case WorkloadKind::daemon_set:
        case WorkloadKind::bare:
            break;
    }
    return fail(ErrorCode::denied, id.text() + " has no number of replicas to set");
}

Result<ObjectPlace> of_pod(Name space, const std::string& name) {
    return found(Kind::pod, space.view(), name);
}

tl::unexpected<Error> no_provider(const NodeId& node, const char* what) {
    return fail(ErrorCode::denied, "nothing can " + std::string(what) + " node " + node.text() +
                                       ": no provider is named in the configuration");
}

struct Place {
    Result<ObjectPlace> operator()(const PutMark& r) const { return place_of(r.target); }
    Result<ObjectPlace> operator()(const SetTaint& r) const { return place_of(Target(r.node)); }
    Result<ObjectPlace> operator()(const SetReplicas& r) const { return of_workload(r.workload); }
    Result<ObjectPlace> operator()(const EvictPod& r) const { return of_pod(r.space, r.name); }
    Result<ObjectPlace> operator()(const SetDeletionCost& r) const {
        return of_pod(r.space, r.name);
    }
    Result<ObjectPlace> operator()(const ResizePod& r) const { return of_pod(r.space, r.name); }
    Result<ObjectPlace> operator()(const MarkPod& r) const { return of_pod(r.space, r.name); }
    Result<ObjectPlace> operator()(const ResumeJob& r) const { return of_workload(r.job); }
    Result<ObjectPlace> operator()(const SetPower& r) const {
        return no_provider(r.node, "switch");
    }
    Result<ObjectPlace> operator()(const SetClock& r) const {
        return no_provider(r.node, "set the clock of");
    }
    template <class Other>
    Result<ObjectPlace> operator()(const Other&) const {
        return fail(ErrorCode::denied, "a real cluster has no object for this request");
    }
};

}  // namespace

Result<ObjectPlace> place_of(const Request& request) { return std::visit(Place{}, request); }

Result<ObjectPlace> place_of(const Target& target) {
    if (const auto* node = std::get_if<NodeId>(&target)) {
        return found(Kind::node, "", node->name.view());
    }
    if (const auto* workload = std::get_if<WorkloadId>(&target)) return of_workload(*workload);
    return fail(ErrorCode::gone, text_of(target) + " is no object that could carry a mark");
}

}  // namespace parley::kube
