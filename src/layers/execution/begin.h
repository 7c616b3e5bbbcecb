// Layer 5, execution: a verdict in, open actions with their first steps out.

#pragma once

#include "model/policy.h"
#include "model/round.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::execution {

/// Made of the run's id, the leader's epoch, the round and the place in the round, which is below
/// 65,536; place 0 is the decision itself. Of an input that was recorded before runs had an id,
/// bits drawn from seed, round and place, as then.
model::DecisionId id_at(const model::RoundInput& input, std::uint64_t place);

/// The best proposal that was overridden, for regret; nothing if no proposal lost.
std::optional<model::Proposal> best_loser(const model::Verdict& verdict);

/// Opens every accepted proposal as an action, with cool-down, spend, standing order and window,
/// and appends its first step to `steps`. If admission admits again, its standing order is undone
/// early; so is a lowered clock if demand has risen, and Jobs that no order holds any more are
/// freed. Pure.
///
/// In observe and dry-run the action ends as would-send; cool-downs and spends are still set, so
/// that the rhythm is that of real actions. A proposal that the guard holds, or for which the
/// ledger has no room, gives just a step that says so.
void begin(const model::Verdict& verdict, const model::Forecast& forecast,
           const model::RoundInput& input, const model::Policy& policy, model::Memory& memory,
           std::vector<model::Step>& steps);

}  // namespace parley::execution
