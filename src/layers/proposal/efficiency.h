// Layer 3, proposal: Agent B. Demand in, what saves power or memory out.

#pragma once

#include "layers/proposal/agent.h"

namespace parley::proposal {

/// Acts on the node of lowest demand among Ready workers in service whose use is measured now; what
/// triggers it and what it shows are both about that node. Below its bounds it wants sleep where a
/// provider can switch the node and nobody waits for room, a lower clock where a provider can set
/// it, or smaller memory requests where they exceed what is used. When pods wait for room and a
/// node sleeps, it wants that node back.
class Efficiency : public Agent {
public:
    model::Role role() const override { return model::Role::efficiency; }
    std::vector<model::Proposal> propose(const View& view) const override;
};

}  // namespace parley::proposal
