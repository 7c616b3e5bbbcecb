// Layer 3, proposal: Agent A. Risk and what is at stake in, the remedy that pays most out.

#pragma once

#include "layers/proposal/agent.h"

namespace parley::proposal {

/// Acts on a node when waiting costs more than acting: risk x loss x efficacy x timeliness > margin
/// x cost, the node having been over its own limit in 2 of the last 3 rounds. Of all nodes it takes
/// the one with the largest difference, of its remedies the one with the largest difference. Nodes
/// on cool-down come last, so that one which must wait does not hide another.
///
/// A node that is lost already cannot be helped: its pods are not reachable. That is said, not
/// done.
class Safety : public Agent {
public:
    model::Role role() const override { return model::Role::safety; }
    std::vector<model::Proposal> propose(const View& view) const override;
};

}  // namespace parley::proposal
