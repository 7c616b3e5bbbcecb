// Layer 5, execution: an accepted proposal in, the steps that carry it out and undo it out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

namespace parley::execution {

/// The share of its CPU limit that a throttled pod keeps; it never gets less than its request.
inline constexpr std::int64_t kThrottlePpm = 850'000;
/// Makes a ReplicaSet remove the risky node's pods first when it shrinks.
inline constexpr std::int32_t kDeletionCost = -100;

/// Pure. Uses absolute values, taken from the snapshot. The first step marks the target, the last
/// undo removes the mark. What cannot be touched (protected, not opted in, no such node) is left
/// out: an action that can do nothing has a plan of only its mark. Steps that wait are ordered so
/// that workloads do not wait for each other: a workload loses one pod at a time, and several
/// workloads may lose one each.
model::OpenAction plan(const model::Proposal& proposal, const model::RoundInput& input,
                       const model::Policy& policy, model::DecisionId id);

}  // namespace parley::execution
