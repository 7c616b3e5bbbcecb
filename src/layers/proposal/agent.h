// Layer 3, proposal: what every agent offers.

#pragma once

#include "model/round.h"

#include <vector>

namespace parley::proposal {

/// Everything an agent may look at, for one round. Borrowed; read-only by type.
struct View {
    const model::RoundInput& input;
    const model::Forecast& forecast;
    const model::Memory& memory;
    const model::Policy& policy;
};

/// Wants things and cannot do them. Pure and without state: what must last lies in Memory. Every
/// proposal carries its evidence and one sentence; an agent that wants nothing proposes a Noop
/// whose sentence says how far it is from acting, or what it cannot see.
class Agent {
public:
    virtual ~Agent() = default;

    virtual model::Role role() const = 0;

    /// Called once a round, in no particular order among agents. At least one proposal, at most one
    /// of a kind for a target.
    virtual std::vector<model::Proposal> propose(const View& view) const = 0;
};

}  // namespace parley::proposal
