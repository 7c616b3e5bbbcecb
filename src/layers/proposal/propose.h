// Layer 3, proposal: snapshot and forecast in, what every agent wants out.

#pragma once

#include "model/round.h"

#include <vector>

namespace parley::proposal {

/// Asks the agents of the policy's profile: A, B, C of `prototype`, or A, B, C and the place of D.
/// At least one proposal of each, by role. Pure.
std::vector<model::Proposal> propose(const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Memory& memory,
                                     const model::Policy& policy);

}  // namespace parley::proposal
