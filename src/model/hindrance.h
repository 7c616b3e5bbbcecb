// Model: for a verdict by which nothing is done: whose wish was stopped, and that in words.

#pragma once

#include "model/proposal.h"

#include <string>

namespace parley::model {

/// The rule named by a verdict in which nobody wanted anything.
inline constexpr const char* kAllIdle = "all-idle";
inline constexpr const char* kNothingProposed = "nothing-proposed";

/// The rule by which a proposal loses when no action is left in the round, ...
inline constexpr const char* kActionLimit = "action-limit";
/// ... those who wanted to scale by this one, ...
inline constexpr const char* kScaleLimit = "scale-limit";
/// ... and how many there are: "1 a round".
std::string a_round_text(std::int32_t actions_max);

/// "replicate node-07"; for the whole cluster just "admission:queue".
std::string wish_of(const Action& action, const Target& target);
std::string wish_of(const Proposal& proposal);

/// If nothing is chosen: of the overruled proposals the one that ranked lowest, else the first that
/// was refused. Null: something is chosen, or nobody wanted anything.
const Judged* hindered(const Verdict& verdict);

/// For a proposal that was overruled or refused: "B efficiency wanted memory_balloon node-05,
/// overruled by danger-blocks-efficiency: node-07 is over its own limit."
std::string hindrance_text(const Judged& judged);

}  // namespace parley::model
