#include "kube/picture/pending.h"

#include "base/number.h"

#include <algorithm>
#include <functional>

namespace parley::kube {
namespace {

using model::Cause;
using model::CauseSet;

bool holds(const Requirement& requirement, const std::string* value) {
    const auto listed = [&] {
        return value != nullptr && std::ranges::count(requirement.values, *value) > 0;
    };
    const auto compares = [&](auto&& compare) {
        if (value == nullptr || requirement.values.size() != 1) return false;
        const auto has = parse_int64(*value);
        const auto bound = parse_int64(requirement.values.front());
        return has && bound && compare(*has, *bound);
    };
    switch (requirement.op) {
        case Operator::in:
            return listed();
        case Operator::not_in:
            return !listed();
        case Operator::exists:
            return value != nullptr;
        case Operator::absent:
            return value == nullptr;
        case Operator::greater:
            return compares(std::greater());
        case Operator::less:
            return compares(std::less());
        case Operator::unknown:
            return false;
    }
    return false;
}

bool term_matches(const NodeTerm& term, const Node& node) {
    // As in Kubernetes: an empty term matches nothing.
    if (term.labels.empty() && term.fields.empty()) return false;
    if (!kube::matches(term.labels, node.labels)) return false;
    return std::ranges::all_of(term.fields, [&](const Requirement& requirement) {
        return requirement.key == "metadata.name" && holds(requirement, &node.meta.name);
    });
}

bool covers(const Toleration& toleration, const Taint& taint) {
    if (toleration.effect && *toleration.effect != taint.effect) return false;
    if (toleration.key.empty()) return toleration.exists;
    if (toleration.key != taint.key) return false;
    return toleration.exists || toleration.value == taint.value;
}

bool keeps_off(const Taint& taint, const std::vector<Toleration>& tolerations) {
    if (taint.effect == TaintEffect::prefer_no_schedule) return false;
    return std::ranges::none_of(
        tolerations, [&](const Toleration& toleration) { return covers(toleration, taint); });
}

/// Whether all pod affinities and anti-affinities of the pod hold on this node.
bool suits(const PodTemplate& pod, const Surroundings& around, const Node& node) {
    for (std::size_t i = 0; i < pod.near.size() && i < around.near.size(); ++i) {
        const std::string* value = label_of(node.labels, pod.near[i].topology);
        if (value == nullptr) return false;
        const bool first_of_its_kind = around.near[i].empty() && pod.near[i].selector &&
                                       matches(*pod.near[i].selector, pod.labels);
        if (!first_of_its_kind && !around.near[i].contains(*value)) return false;
    }
    for (std::size_t i = 0; i < pod.apart.size() && i < around.apart.size(); ++i) {
        const std::string* value = label_of(node.labels, pod.apart[i].topology);
        if (value != nullptr && around.apart[i].contains(*value)) return false;
    }
    return true;
}

/// What is short on this node; empty if the pod has room.
CauseSet shortage_on(const NodeRoom& room, const Amounts& request) {
    CauseSet causes;
    if (request.cpu_m > 0 && request.cpu_m > room.free.cpu_m) causes = causes.with(Cause::cpu);
    if (request.memory > 0 && request.memory > room.free.memory) {
        causes = causes.with(Cause::memory);
    }
    if (room.pods_free < 1) causes = causes.with(Cause::pods);
    return causes;
}

/// There is room somewhere, so only the scheduler can know more.
CauseSet despite_room(const PodTemplate& pod, const Evidence& evidence) {
    CauseSet causes;
    // A scheduler does not consider a pod before its claims exist, and says nothing about it.
    if (!evidence.unschedulable) return pod.devices ? causes.with(Cause::claim) : causes;
    // A pod without such terms is kept off by the terms of pods already there.
    if (evidence.affinity) causes = causes.with(Cause::affinity);
    if (evidence.volume && !pod.claims.empty()) causes = causes.with(Cause::volume);
    if (evidence.resource) causes = causes.with(Cause::resource);
    if (evidence.port) causes = causes.with(Cause::port);
    if (evidence.claim && pod.devices) causes = causes.with(Cause::claim);
    return causes.empty() ? causes.with(Cause::unknown) : causes;
}

/// The resources of which it requests more than the node has in total.
CauseSet beyond(const Node& node, const Amounts& request) {
    return shortage_on({&node, node.allocatable, node.pods_allocatable}, request);
}

/// The resources of which it requests more than any of these has; empty if one could hold it when
/// empty.
CauseSet beyond_all(const std::vector<const NodeRoom*>& nodes, const Amounts& request) {
    CauseSet causes;
    for (const NodeRoom* room : nodes) {
        const CauseSet more = beyond(*room->node, request);
        if (more.empty()) return {};
        causes.bits |= more.bits;
    }
    return causes;
}

/// Keeps the nodes that pass; names the cause if there were some and none is left.
template <class Passes>
void sift(std::vector<const NodeRoom*>& nodes, Cause cause, CauseSet& causes, Passes&& passes) {
    if (nodes.empty()) return;
    std::erase_if(nodes, [&](const NodeRoom* room) { return !passes(*room->node); });
    if (nodes.empty()) causes = causes.with(cause);
}

CauseSet causes_by_nodes(const PodTemplate& pod, const Evidence& evidence,
                         const Surroundings& around, std::span<const NodeRoom> nodes) {
    CauseSet causes;
    std::vector<const NodeRoom*> left;
    for (const NodeRoom& room : nodes) left.push_back(&room);
    if (left.empty()) return causes.with(Cause::unknown);
    sift(left, Cause::selector, causes,
         [&](const Node& node) { return matches(pod.node_selector, node.labels); });
    sift(left, Cause::affinity, causes,
         [&](const Node& node) { return !pod.node_terms || matches(*pod.node_terms, node); });
    // Labels and sizes of nodes do not change by themselves.
    if (left.empty()) return causes.with(Cause::impossible);
    const CauseSet too_large = beyond_all(left, pod.request);
    if (!too_large.empty()) return too_large.with(Cause::impossible);
    sift(left, Cause::taint, causes,
         [&](const Node& node) { return tolerates(pod.tolerations, node); });
    sift(left, Cause::affinity, causes, [&](const Node& node) { return suits(pod, around, node); });
    if (left.empty()) return causes;
    for (const NodeRoom* room : left) {
        const CauseSet shortage = shortage_on(*room, pod.request);
        if (shortage.empty()) return despite_room(pod, evidence);
        causes.bits |= shortage.bits;
    }
    return causes;
}

}  // namespace

const std::string* label_of(const Labels& labels, std::string_view key) {
    const auto found = std::ranges::lower_bound(
        labels, key, std::less(), [](const auto& label) { return std::string_view(label.first); });
    return found != labels.end() && found->first == key ? &found->second : nullptr;
}

bool matches(const Selector& selector, const Labels& labels) {
    return std::ranges::all_of(selector, [&](const Requirement& requirement) {
        return holds(requirement, label_of(labels, requirement.key));
    });
}

bool matches(const Labels& node_selector, const Labels& labels) {
    return std::ranges::all_of(node_selector, [&](const auto& wanted) {
        const std::string* value = label_of(labels, wanted.first);
        return value != nullptr && *value == wanted.second;
    });
}

bool matches(const std::vector<NodeTerm>& terms, const Node& node) {
    return std::ranges::any_of(terms,
                               [&](const NodeTerm& term) { return term_matches(term, node); });
}

bool tolerates(const std::vector<Toleration>& tolerations, const Node& node) {
    static const Taint cordon{"node.kubernetes.io/unschedulable", "", TaintEffect::no_schedule};
    if (node.unschedulable && keeps_off(cordon, tolerations)) return false;
    return std::ranges::none_of(node.taints,
                                [&](const Taint& taint) { return keeps_off(taint, tolerations); });
}

CauseSet causes_of(const PodTemplate& pod, const Evidence& evidence, const Surroundings& around,
                   std::span<const NodeRoom> nodes) {
    CauseSet causes;
    for (const std::string& gate : pod.gates) {
        causes = causes.with(gate.starts_with(kDomain) ? Cause::our_hold : Cause::other_gate);
    }
    if (!causes.empty()) return causes;
    if (!pod.scheduler.empty()) return causes.with(Cause::other_scheduler);
    causes = causes_by_nodes(pod, evidence, around, nodes);
    return around.volume_trouble ? CauseSet{causes.bits}.with(Cause::volume) : causes;
}

}  // namespace parley::kube
