// Layer 6, explanation: a decided round in, where what is shown and what is believed differ out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstddef>
#include <vector>

namespace parley::explanation {

/// Of one kind so many are named; the rest is counted in one more sentence.
inline constexpr std::size_t kNamedMax = 16;
/// Below this risk a node that is not Ready counts as believed safe.
inline constexpr double kSafeBelow = 0.5;

/// "metrics and prometheus differ: prometheus says 2.7 times as much CPU as metrics (median of 12
/// nodes)"; empty: over all nodes they do not.
std::string differences_text(const model::Snapshot& snapshot);

/// By kind, then by name. `memory` is that of this round: answers folded in, windows moved on;
/// `ended` are the actions that left the ledger in it. Pure.
std::vector<model::Disagreement> disagreements(const model::RoundInput& input,
                                               const model::Forecast& forecast,
                                               const model::Verdict& verdict,
                                               const model::Memory& memory,
                                               const std::vector<model::OpenAction>& ended);

}  // namespace parley::explanation
