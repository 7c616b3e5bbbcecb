// Kube: rows of the snapshot from decoded objects. Pure.

#pragma once

#include "kube/decode/objects_rest.h"
#include "model/snapshot.h"

#include <optional>

namespace parley::kube {

/// What of a workload decides its row, as far as we see it; equal facts need not be told twice.
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
    bool has_budget = false;
    std::int32_t disruptions_allowed = 0;
    std::optional<model::Mark> mark;
    std::uint64_t version = 0;
    TimePoint rolled_out;  ///< Zero: not known.
    friend bool operator==(const WorkFacts&, const WorkFacts&) = default;
};

model::WorkloadRow row_of(const WorkFacts& facts);

/// `lease`: when we saw it renewed. `leaving`: its NodeClaim is being deleted.
///
/// Ours are taints under our domain. Foreign is a NoSchedule or NoExecute taint of anybody else,
/// but for those that only repeat a condition or a cordon. Under maintenance is what Karpenter or
/// Cluster Autoscaler marked, what is out of service, and what is being deleted.
model::NodeRow row_of(const Node& node, std::optional<TimePoint> lease, bool leaving);

/// As the API shows it, but for slots and causes.
model::PodRow row_of(const Pod& pod);

/// Held back by what it asks for itself (safe-to-evict, do-not-disrupt, prefer-no-eviction), by
/// local storage that nobody called safe, or because nobody would make it again.
bool is_evictable(const Pod& pod);

/// Why a pod that is bound has not started, as far as it is told. `node` is null if there is none.
model::CauseSet stuck_causes(const Pod& pod, const Node* node, const Event* mount);

/// A warning that a pod's volumes, ConfigMaps or Secrets cannot be mounted.
bool is_about_mounts(const Event& event);

/// A built-in controller makes another one from its own template.
bool is_made_anew(const Pod& pod);

/// The parts of Kubernetes itself and Parley: by namespace, by system priority, by label.
bool is_protected(Name space, const PodTemplate& pod);

/// A StatefulSet is taken for a quorum if it has a budget, or at least three replicas with a volume
/// each.
bool is_quorum(const Work& work, bool has_budget);

Kind kind_of(const Object& object);
model::WorkloadKind workload_kind_of(Kind kind);
OwnerKind owner_kind_of(Kind kind);

}  // namespace parley::kube
