// Model: in how many of the last rounds something held, from what is remembered of a node.

#pragma once

#include "model/memory.h"
#include "model/policy.h"

#include <algorithm>
#include <bit>

namespace parley::model {

/// How many rounds back `over` and `idle` remember.
inline constexpr int kRoundsKept = 8;

/// Without a forecast, the highest of this many samples is taken as the upper end of demand.
inline constexpr int kIdleSamples = 3;

/// In how many of the last `rounds_of` rounds with new evidence the node counted as over its own
/// risk limit.
inline int rounds_over(const NodeFold& fold, const StakesRules& rules) {
    const int rounds = std::clamp(rules.rounds_of, 1, kRoundsKept);
    return std::popcount(static_cast<unsigned>(fold.over) & ((1U << rounds) - 1U));
}

/// In how many of the last `rounds_of` rounds with a new sample the upper end of demand was low
/// enough to sleep. With a demand model each round has its own upper end; without, it is the
/// highest of the last three samples.
inline int rounds_idle(const NodeFold& fold, const EfficiencyRules& rules, bool forecast) {
    const int samples = forecast ? 1 : kIdleSamples;
    const int rounds = std::clamp(rules.rounds_of, 1, kRoundsKept - samples + 1);
    const unsigned low = (1U << samples) - 1U;
    int found = 0;
    for (int i = 0; i < rounds; ++i) {
        if (((static_cast<unsigned>(fold.idle) >> i) & low) == low) ++found;
    }
    return found;
}

}  // namespace parley::model
