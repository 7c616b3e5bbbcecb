// Layer 6, explanation: a decided round in, where shown and believed values differ out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::explanation {

/// This many of each kind are named; one more sentence counts the rest.
inline constexpr std::size_t kNamedMax = 16;
/// With a risk below this, a node that is not Ready is one that the predictor believes safe.
inline constexpr double kSafeBelow = 0.5;

/// "metrics and prometheus differ: prometheus says 2.7 times as much CPU as metrics (median of 12
/// nodes)"; empty: over all nodes they agree.
std::string differences_text(const model::Snapshot& snapshot);

/// Pods whose wait more room would end, as agent C counts them.
struct ShortOfRoom {
    std::int64_t watched = 0;
    std::int64_t left_out = 0;  ///< Those in namespaces that policy.namespaces leaves out.
    friend auto operator<=>(const ShortOfRoom&, const ShortOfRoom&) = default;
};
ShortOfRoom short_of_room(const model::Snapshot& snapshot, const model::Policy& policy);

/// The layer that is wrong if the shown value is right: the first to look at.
std::int32_t layer_of(const model::Disagreement& each, const model::Decision& decision);

/// With the layer and the predictor: "spare-02 is not Ready, but its risk is only <0.01 by formula;
/// suspect layer 2, prediction". A risk over its limit on a healthy node is foresight, so no layer
/// is named.
std::string disagreement_text(const model::Disagreement& each, const model::Decision& decision);

/// Sorted by kind, then name. `memory` is that of this round: answers folded in, windows updated;
/// `ended` are the actions that left the ledger in it. Pure.
std::vector<model::Disagreement> disagreements(const model::RoundInput& input,
                                               const model::Forecast& forecast,
                                               const model::Verdict& verdict,
                                               const model::Policy& policy,
                                               const model::Memory& memory,
                                               const std::vector<model::OpenAction>& ended);

}  // namespace parley::explanation
