// Replay: what prevented an action, from the outermost to the innermost cause: its agent is not in
// this build, the mode, the kill switch, what the configuration allows and filters, its bounds, the
// agent's limit, the guard's rules, the referee's rank. The first one is the answer.

#pragma once

#include "guard/facts.h"
#include "model/round.h"
#include "replay/wanted.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::replay {

struct Obstacle {
    /// "ledger", "mode", "kill switch", "configuration", "agent", "guard", "referee".
    std::string who;
    std::string rule;  ///< "action-limit", "policy.stakes.margin".
    std::string because;
    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};
BOOST_DESCRIBE_STRUCT(Obstacle, (), (who, rule, because))

/// The rule of the cause below.
inline constexpr const char* kNotInThisBuild = "build";

/// The agent that alone may want it is not there, whatever is set.
Obstacle not_in_this_build(model::Role role);

/// Causes by which nothing is sent, whatever is decided: a ledger that cannot be read, the mode,
/// the kill switch.
std::vector<Obstacle> sends_nothing(const model::Controls& controls);

/// Pods that would count but are excluded by the namespace filter.
std::vector<Obstacle> filtered_out(const Wanted& wanted, const model::RoundInput& input,
                                   const model::Policy& policy);

/// Settings that keep its agent from proposing it although the defaults would not.
std::vector<Obstacle> by_configuration(const Wanted& wanted, const model::RoundInput& input,
                                       const model::Forecast& forecast,
                                       const model::Policy& policy);

/// What its agent wanted in that round, or why it wanted nothing, in its own words; empty: the
/// record has no word of it.
std::string choice_text(model::Role role, const model::Decision& decision);

/// The same as a cause, for an action that neither its limit nor its rules speak against.
std::vector<Obstacle> by_choice(model::Role role, const model::Decision& decision);

/// To admit is to lift the order in force: the cause against it where there is none.
std::vector<Obstacle> nothing_to_lift(const Wanted& wanted, const model::Ledger& ledger);

/// Whether an order of ours is given back in that round.
bool lifts_order(const model::Decision& decision);

/// Every rule of the guard that refuses it, in the guard's order; `guard::ask` names only the
/// first. Whoever asks about a scaling names no amounts: the rule about them is left out.
std::vector<model::Refused> refusals(const guard::Facts& facts, const model::Proposal& proposal);

/// Whether a rule of the guard reflects what a person configured, rather than the state of the
/// cluster.
bool is_configured(const std::string& guard_rule);

/// Whether `proposal` is what its agent proposed in place of `mine`: nothing, or something else for
/// the same target.
bool stands_for(const model::Proposal& proposal, const model::Proposal& mine);

/// What the referee would have said if the guard had not refused first.
std::optional<Obstacle> outranked(const model::Proposal& mine, const model::Verdict& verdict,
                                  const model::Forecast& forecast, const model::Policy& policy);

/// Why a proposal was not accepted; nothing: it was.
std::optional<Obstacle> obstacle_of(const model::Judged& judged, const model::Policy& policy);

}  // namespace parley::replay
