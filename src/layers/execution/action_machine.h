// Layer 5, execution: an open action and what it met in, the action and what to do next out.

#pragma once

#include "model/action.h"

#include <string>

namespace parley::execution {

/// The first and the longest pause after a disruption budget said no, or nobody answered: neither
/// names a time, and asking every round would only add load to what is already short.
inline constexpr Duration kPauseFirst = seconds(5);
inline constexpr Duration kPauseLongest = seconds(60);

/// Pure. Here alone is decided whether to try again. A plan is carried out step by step: read live,
/// with the guard's word; send once, if what was read still holds; wait for what the step awaits;
/// then the next step. `unknown` is left only by reading: neither time nor an error says what came
/// of a request. When the plan is over its effect stands until it expires; then, or when it fails,
/// what we did ourselves is undone in the same way.
model::Step advance(model::OpenAction action, const model::ActionEvent& event);

/// What to read for the current step: its request's target, or the workload it waits for.
model::Request subject_of(const model::OpenAction& action);

/// Nothing is left to do: it ended and all of it that was ours is undone, or nothing needs to be.
bool finished(const model::OpenAction& action);

/// Ends a plan before its time and begins to undo it. `how` is what it will have become.
model::Step give_up(model::OpenAction action, model::ActionState how, std::string because);

}  // namespace parley::execution
