// Model: for how long something has held: what is remembered of a node in, rounds out.

#pragma once

#include "model/memory.h"
#include "model/policy.h"

#include <algorithm>
#include <bit>

namespace parley::model {

/// How many rounds back `over` and `idle` remember.
inline constexpr int kRoundsKept = 8;

/// Without a forecast, the upper end of demand is the highest of so many samples.
inline constexpr int kIdleSamples = 3;

/// Of the last `rounds_of` rounds that brought something new, in how many it counted as over its
/// own risk limit.
inline int rounds_over(const NodeFold& fold, const StakesRules& rules) {
    const int rounds = std::clamp(rules.rounds_of, 1, kRoundsKept);
    return std::popcount(static_cast<unsigned>(fold.over) & ((1U << rounds) - 1U));
}

/// Of the last `rounds_of` rounds that brought a new sample, in how many the upper end of demand
/// was low enough to sleep. Where a demand model serves, each round has its own upper end; else it
/// is the highest of the last three samples.
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
