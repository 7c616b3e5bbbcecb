// Layer 5, execution: the prototype's reward, reproduced exactly with its faults. Shown as such;
// Parley's own scores come from the cost account.

#pragma once

#include "model/policy.h"
#include "model/proposal.h"
#include "model/round.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::execution {

struct PrototypeNode {
    model::NodeId id;
    double cpu = 0;
    double memory = 0;
    double net = 0;
    double risk = 0;
    double demand = 0;
    friend bool operator==(const PrototypeNode&, const PrototypeNode&) = default;
};

/// The state that a decision is made on, as the prototype sees it: missing values are zero there.
struct PrototypeRow {
    std::vector<PrototypeNode> nodes;  ///< By name.
    std::int64_t queue = 0;
    std::int64_t violations = 0;
    std::int64_t completed = 0;
    double watts = 0;
    bool dead_task = false;  ///< A failed or terminating pod.
    friend bool operator==(const PrototypeRow&, const PrototypeRow&) = default;
};

/// The row of a round. Linear in the number of pods.
PrototypeRow prototype_row(const model::RoundInput& input, const model::Forecast& forecast,
                           const model::Policy& policy);

/// The reward of the chosen action (null: none) on that row. This is its fault: it is computed from
/// the state before the action.
model::PrototypeReward prototype_reward(const PrototypeRow& row, const model::Proposal* chosen,
                                        const model::Weights& weights);

}  // namespace parley::execution
