// Layer 6, explanation: whether a limit of a policy was set by a person, and what its default is.
// Pure.

#pragma once

#include "model/policy.h"
#include "model/proposal.h"

#include <string>

namespace parley::explanation {

/// "x 50 by configuration (default x 1.1)".
std::string set_text(const std::string& is, const std::string& usual);

/// Limits behind a refusal of the guard that differ from the default: "policy.guard.warmup_rounds
/// is 100000 by configuration (default 3)". Empty: there are none.
std::string limits_set(const std::string& rule, const model::Action& action,
                       const model::Policy& policy);

/// The guard's sentence, followed by limits_set(): a limit that a person set is the real cause.
std::string refusal_text(const model::Refused& refused, const model::Action& action,
                         const model::Policy& policy);

}  // namespace parley::explanation
