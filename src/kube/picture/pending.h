// Kube: why an unbound pod waits, computed by our own filters over the nodes. Pure.

#pragma once

#include "kube/decode/objects_node.h"
#include "kube/decode/objects_pod.h"
#include "model/pod.h"

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parley::kube {

/// A node and what is left on it.
struct NodeRoom {
    const Node* node = nullptr;  ///< Borrowed.
    Amounts free;                ///< May be negative.
    std::int32_t pods_free = 0;
};

/// For one term of pod affinity: the values of its topology label on nodes that hold a pod which
/// the term matches.
using Domains = std::set<std::string, std::less<>>;

/// What affects a waiting pod besides nodes; each list is as long as that of the template.
struct Surroundings {
    std::vector<Domains> near;
    std::vector<Domains> apart;
    bool volume_trouble = false;  ///< A claim is missing, lost, or not bound and complained about.
};

bool matches(const Selector& selector, const Labels& labels);
bool matches(const Labels& node_selector, const Labels& labels);
bool matches(const std::vector<NodeTerm>& terms, const Node& node);
/// Whether it tolerates every taint of the node; a cordon counts as the taint that it is.
bool tolerates(const std::vector<Toleration>& tolerations, const Node& node);

/// The value of a label, or nothing.
const std::string* label_of(const Labels& labels, std::string_view key);

/// The causes. Gates and another scheduler come first, since nothing else matters before those. A
/// filter is named if it excludes all nodes that passed the ones before it, in the order selector,
/// node affinity, taints, pod affinity; a resource if it is short on a node that passed all of
/// those and no such node has room. If no requested node could hold the pod even if it were empty,
/// it is also impossible. If a node has room: empty until the scheduler says that it found none,
/// then what its message mentions (volumes and devices only if the pod has any), else unknown.
model::CauseSet causes_of(const PodTemplate& pod, const Evidence& evidence,
                          const Surroundings& around, std::span<const NodeRoom> nodes);

}  // namespace parley::kube
