// Layer 5, execution: the workloads on a node, as far as we may touch them.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <vector>

namespace parley::execution {

/// The pods of one workload on one node.
struct Tenant {
    Slot slot = kNoSlot;
    const model::WorkloadRow* workload = nullptr;
    /// Sorted by name; without those that have ended or are terminating.
    std::vector<const model::PodRow*> pods;
};

/// The tenants of a node whose workload is known and not protected, in a namespace that opted in to
/// `kind` (observe mode asks for no opt-in, so that people see what they could allow). Services
/// before batch work, higher priority first, then by name. Reads the table of pods once.
std::vector<Tenant> tenants_of(const model::RoundInput& input, const model::Policy& policy,
                               Slot node, model::ActionKind kind);

/// Whether an eviction may move this pod: its workload creates it again elsewhere and does not
/// depend on it. Pods of daemon sets stay with their node.
bool movable(const model::WorkloadRow& workload, const model::PodRow& pod);

/// kNoSlot: no such node.
Slot slot_of(const model::Snapshot& snapshot, model::NodeId id);
/// kNoSlot: no such workload.
Slot slot_of(const model::Snapshot& snapshot, const model::WorkloadId& id);

}  // namespace parley::execution
