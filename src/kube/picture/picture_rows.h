// Kube: rows of the snapshot from decoded objects. Pure.

#pragma once

#include "kube/decode/objects_rest.h"
#include "kube/picture/node_power.h"
#include "model/snapshot.h"

#include <optional>

namespace parley::kube {

/// The facts about a workload that determine its row; equal facts need not be reported again.
struct WorkFacts {
    model::WorkloadId id;
    model::Uid uid;
    std::int32_t priority = 0;
    std::int32_t wanted = 0;
    std::int64_t completions = 0;
    Amounts request;
    Amounts limit;
    bool recreate = false;
    bool rwo_volume = false;
    bool quorum = false;
    bool protect = false;
    bool deliberate = false;
    model::ScaleOwner scale_owner = model::ScaleOwner::nobody;
    model::ScaleOwner size_owner = model::ScaleOwner::nobody;
    bool has_budget = false;
    std::int32_t disruptions_allowed = 0;
    std::optional<model::Mark> mark;
    std::uint64_t version = 0;
    TimePoint rolled_out;   ///< Zero: not known.
    std::int32_t held = 0;  ///< Pods of a Job that we hold back.
    friend bool operator==(const WorkFacts&, const WorkFacts&) = default;
};

model::WorkloadRow row_of(const WorkFacts& facts);

/// `lease` is when we saw it renewed. `leaving`: its NodeClaim is being deleted. Taints under our
/// domain are ours. Foreign is a NoSchedule or NoExecute taint of anybody else, except those that
/// only repeat a condition or a cordon. Under maintenance is a node that Karpenter or Cluster
/// Autoscaler marked, that is out of service, or that is being deleted. Its power is what
/// `provided` says; where nobody has read that, a node that is not Ready is as our own mark says
/// that we switched it, so that it is not taken for one that failed.
model::NodeRow row_of(const Node& node, std::optional<TimePoint> lease, bool leaving,
                      const NodePower& provided = {});

/// The pod as the API shows it; slots and causes are filled in later.
model::PodRow row_of(const Pod& pod);

/// Whether its owner asks us, by an annotation under our domain, to leave it alone now.
bool asks_to_be_left(const OptOuts& asks, TimePoint now);

/// False if the pod asks for it (safe-to-evict, do-not-disrupt, prefer-no-eviction), if it has
/// local storage not declared safe, or if nothing would create it again.
bool is_evictable(const Pod& pod);

/// Why a bound pod has not started, as far as it is known. `node` may be null.
model::CauseSet stuck_causes(const Pod& pod, const Node* node, const Event* mount);

/// A warning that volumes, ConfigMaps or Secrets of a pod cannot be mounted.
bool is_about_mounts(const Event& event);

/// Whether a built-in controller would create another one from its own template.
bool is_made_anew(const Pod& pod);

/// Whether it is part of Kubernetes itself or Parley: by namespace, system priority or label.
bool is_protected(Name space, const PodTemplate& pod);

/// A StatefulSet counts as a quorum if it has a budget, or at least three replicas with a volume
/// each.
bool is_quorum(const Work& work, bool has_budget);

Kind kind_of(const Object& object);
model::WorkloadKind workload_kind_of(Kind kind);
OwnerKind owner_kind_of(Kind kind);

}  // namespace parley::kube
