// Layer 3, proposal: the place of Agent D, which is not in this build.

#pragma once

#include "layers/proposal/agent.h"

namespace parley::proposal {

/// Says so in every round, so that nobody takes its silence for an opinion.
class Scaling : public Agent {
public:
    model::Role role() const override { return model::Role::scaling; }
    std::vector<model::Proposal> propose(const View& view) const override;
};

}  // namespace parley::proposal
