// Replay: what kept an action from happening, from the outermost to the innermost: the mode, the
// kill switch, what the configuration allows and filters, its bounds, the agent's limit, the
// guard's rules, the referee's rank. The first is the answer.

#pragma once

#include "guard/facts.h"
#include "model/round.h"
#include "replay/wanted.h"

#include <string>
#include <vector>

namespace parley::replay {

struct Obstacle {
    std::string who;   ///< "mode", "kill switch", "configuration", "agent", "guard", "referee".
    std::string rule;  ///< "action-limit", "policy.stakes.margin".
    std::string because;
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};
BOOST_DESCRIBE_STRUCT(Obstacle, (), (who, rule, because))

/// Nothing is sent, whatever is decided: the mode, the kill switch.
std::vector<Obstacle> sends_nothing(const model::Controls& controls);

/// Whom the namespace filter leaves out who would count.
std::vector<Obstacle> filtered_out(const Wanted& wanted, const model::RoundInput& input,
                                   const model::Policy& policy);

/// Settings that keep its agent from it where their defaults would not.
std::vector<Obstacle> by_configuration(const Wanted& wanted, const model::RoundInput& input,
                                       const model::Forecast& forecast,
                                       const model::Policy& policy);

/// Every rule of the guard's that refuses it, in the guard's order; `guard::ask` names the first.
std::vector<model::Refused> refusals(const guard::Facts& facts, const model::Proposal& proposal);

/// Whether a rule of the guard's says what a person configured, rather than how things stand.
bool is_configured(const std::string& guard_rule);

}  // namespace parley::replay
