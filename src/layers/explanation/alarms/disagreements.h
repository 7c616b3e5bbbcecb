// Layer 6, explanation: a decided round in, where what is shown and what is believed differ out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// Of one kind so many are named; the rest is counted in one more sentence.
inline constexpr std::size_t kNamedMax = 16;
/// Below this risk a node that is not Ready counts as believed safe.
inline constexpr double kSafeBelow = 0.5;

/// "metrics and prometheus differ: prometheus says 2.7 times as much CPU as metrics (median of 12
/// nodes)"; empty: over all nodes they do not.
std::string differences_text(const model::Snapshot& snapshot);

/// The layer that is wrong if shown is right: the first to look at.
std::int32_t layer_of(const model::Disagreement& each, const model::Decision& decision);

/// With the layer, and whose belief it is: "spare-02 is not Ready, but its risk is only <0.01 by
/// formula; suspect layer 2, prediction". A risk over its limit is foresight, and no suspicion.
std::string disagreement_text(const model::Disagreement& each, const model::Decision& decision);

/// By kind, then by name. `memory` is that of this round: answers folded in, windows moved on;
/// `ended` are the actions that left the ledger in it. Pure.
std::vector<model::Disagreement> disagreements(const model::RoundInput& input,
                                               const model::Forecast& forecast,
                                               const model::Verdict& verdict,
                                               const model::Memory& memory,
                                               const std::vector<model::OpenAction>& ended);

}  // namespace parley::explanation
