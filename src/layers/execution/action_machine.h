// Layer 5, execution: an open action and an event in; the action's new state and what to do next
// out.

#pragma once

#include "layers/execution/others.h"
#include "model/open_action.h"

#include <optional>
#include <string>

namespace parley::execution {

/// The first and the longest pause after a disruption budget refused or nobody answered: neither
/// names a time, and asking every round would only add load.
inline constexpr Duration kPauseFirst = seconds(5);
inline constexpr Duration kPauseLongest = seconds(60);

/// How long the controllers of a cluster take to count an evicted pod no more.
inline constexpr Duration kNoticedAfter = seconds(2);

/// Pure. The only place that decides whether to try again. A plan is carried out step by step: read
/// live, with the guard's answer; send once, if what was read still holds; wait for what the step
/// awaits; then the next step. The state `unknown` is left only by reading: neither time nor an
/// error tells what came of a request. When the plan is done, its effect stands until it expires;
/// then, or when the plan fails, what we did ourselves is undone in the same way.
model::Step advance(model::OpenAction action, const model::ActionEvent& event);

/// Whether this event shows that somebody else changes what we change: our mark on the target is
/// not there any more, or a request to a node or workload met a conflict for the second time in a
/// row. The action then ends and gives back what is still ours. Nothing: it does not show that.
std::optional<Contest> contest_of(const model::OpenAction& action, const model::ActionEvent& event);

/// What to read for the current step: the target of its request, or the workload it waits for.
model::Request subject_of(const model::OpenAction& action);

/// Nothing is left to do: it ended, and everything of ours is undone or need not be.
bool finished(const model::OpenAction& action);

/// Its plan has ended, and is or will be undone.
bool is_ending(const model::OpenAction& action);

/// Ends a plan early and begins to undo it. `how` is the state it ends in. What another process
/// began may have come further than its ledger says: then the rest of the plan is looked through
/// first, without sending anything, so that everything which was done is undone.
model::Step give_up(model::OpenAction action, model::ActionState how, std::string because);

}  // namespace parley::execution
