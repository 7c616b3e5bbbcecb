// Layer 5, execution: an accepted proposal in, the steps that carry it out and undo it out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

namespace parley::execution {

/// How much of a CPU limit a throttled pod keeps, never less than its request.
inline constexpr std::int64_t kThrottlePpm = 850'000;
/// What makes a ReplicaSet remove the risky node's pods first when it shrinks.
inline constexpr std::int32_t kDeletionCost = -100;

/// Pure. Absolute values only, taken from the snapshot; the first step marks the target, the last
/// undo takes the mark away. What cannot be touched (protected, not opted in, no such node) is left
/// out: the plan of an action that can do nothing is its mark alone.
///
/// Steps that wait are arranged so that workloads do not wait for each other: a workload loses one
/// pod at a time, several workloads may lose one each.
model::OpenAction plan(const model::Proposal& proposal, const model::RoundInput& input,
                       const model::Policy& policy, model::DecisionId id);

}  // namespace parley::execution
