// Model: in how many of the last rounds something held, from what is remembered of a node.

#pragma once

#include "model/memory.h"
#include "model/policy.h"

#include <algorithm>
#include <bit>

namespace parley::model {

/// How many rounds back `over` and `idle` remember.
inline constexpr int kRoundsKept = 8;

/// The highest of this many samples, or of their forecasts, is taken as the upper end of demand.
inline constexpr int kIdleSamples = 3;

/// In how many of the last `rounds_of` rounds with new evidence the node counted as over its own
/// risk limit.
inline int rounds_over(const NodeFold& fold, const StakesRules& rules) {
    const int rounds = std::clamp(rules.rounds_of, 1, kRoundsKept);
    return std::popcount(static_cast<unsigned>(fold.over) & ((1U << rounds) - 1U));
}

/// In how many of the last `rounds_of` rounds with a new sample the upper end of demand was low
/// enough to sleep: over the last three samples, whatever forecasts say. A model that is named has
/// no forecast of a node yet that it has not known for long, and then one sample stands for it.
inline int rounds_idle(const NodeFold& fold, const EfficiencyRules& rules) {
    const int rounds = std::clamp(rules.rounds_of, 1, kRoundsKept - kIdleSamples + 1);
    const unsigned low = (1U << kIdleSamples) - 1U;
    int found = 0;
    for (int i = 0; i < rounds; ++i) {
        if (((static_cast<unsigned>(fold.idle) >> i) & low) == low) ++found;
    }
    return found;
}

}  // namespace parley::model
