// Layer 3, proposal: snapshot and forecast in, the proposals of every agent out.

#pragma once

#include "layers/proposal/agent.h"

#include <span>
#include <vector>

namespace parley::proposal {

/// Every agent: agents()[n] has the n-th role.
std::span<const Agent* const> agents();

const Agent& agent_of(model::Role role);
/// The first agent that may want an action. Null: none may.
const Agent* agent_for(const model::Action& action);

/// Asks the agents of the policy's profile: all of them, or A, B, C of `prototype`. At least one
/// proposal of each, by role. Pure.
std::vector<model::Proposal> propose(const model::RoundInput& input,
                                     const model::Forecast& forecast, const model::Memory& memory,
                                     const model::Policy& policy);

}  // namespace parley::proposal
