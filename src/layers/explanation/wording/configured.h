// Layer 6, explanation: a limit of a policy in; whether a person set it, and what it is by default,
// out. Pure.

#pragma once

#include "model/policy.h"
#include "model/proposal.h"

#include <string>

namespace parley::explanation {

/// "x 50 by configuration (default x 1.1)".
std::string set_text(const std::string& is, const std::string& usual);

/// The limits behind a refusal of the guard's that are not the default:
/// "policy.guard.warmup_rounds is 100000 by configuration (default 3)". Empty: there is none.
std::string limits_set(const std::string& rule, const model::Action& action,
                       const model::Policy& policy);

/// The guard's sentence with that behind it: where a limit was set by a person, that is the cause.
std::string refusal_text(const model::Refused& refused, const model::Action& action,
                         const model::Policy& policy);

}  // namespace parley::explanation
