// Layer 3, proposal: snapshot and forecast in, what every agent wants out.

#pragma once

#include "layers/proposal/agent.h"

#include <span>
#include <vector>

namespace parley::proposal {

/// Every agent, by role: agents()[n] is that of the n-th role.
std::span<const Agent* const> agents();

const Agent& agent_of(model::Role role);
/// Whose business an action is: the first who may want it. Null: nobody's.
const Agent* agent_for(const model::Action& action);

/// Asks the agents of the policy's profile: all of them, or A, B, C of `prototype`. At least one
/// proposal of each, by role. Pure.
std::vector<model::Proposal> propose(const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Memory& memory,
                                     const model::Policy& policy);

}  // namespace parley::proposal
