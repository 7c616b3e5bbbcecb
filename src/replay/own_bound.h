// Replay: a round and an action in, how far its own agent was from wanting it out.

#pragma once

#include "model/round.h"
#include "replay/wanted.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::replay {

/// What an agent acts on, for one action: its value and its bound, and how far the one is from the
/// other (zero or below: it would act on this alone).
struct Distance {
    std::string what;  ///< "risk", "demand", "pods short of room".
    double value = 0;
    std::string bound;  ///< "above", "below", "from".
    double limit = 0;
    double gap = 0;
    std::string sentence;  ///< "For node-03: 6.3 pod-minutes (risk 0.21 x 30.0) against 14.0."
};

/// Nothing: it cannot be said, as the target is not there or what it rests on is unknown. Pure.
std::optional<Distance> distance_of(const Wanted& wanted, const model::RoundInput& input,
                                    const model::Forecast& forecast, const model::Policy& policy);

/// Pod-minutes by which a safety action beats waiting, where acting has to pay `margin` times its
/// cost. Nothing: it is no such action, or its node's risk is not known.
std::optional<double> gain_at(const Wanted& wanted, const model::RoundInput& input,
                              const model::Forecast& forecast, double margin);

/// When the agent proposes this at all, in one sentence.
std::string rule_of(const Wanted& wanted, const model::Policy& policy);

/// What else kept the agent from it, besides the bound: the node is lost, another remedy gains
/// more, no provider can switch it, nothing is known of it. By its own rules, each a sentence.
std::vector<std::string> hindrances(const Wanted& wanted, const model::RoundInput& input,
                                    const model::Forecast& forecast, const model::Policy& policy);

}  // namespace parley::replay
