// Layer 4, arbitration: whether a safety action that would be accepted is withheld, to see what
// happens without it.

#pragma once

#include "guard/facts.h"
#include "model/proposal.h"

#include <optional>

namespace parley::arbitration {

/// Acting on a risk hides whether it was right: if every node that a model fears is drained, nobody
/// learns how many would have failed. So a share of the actions (policy.risk.holdout) is withheld,
/// drawn by the run's seed for a node and a horizon of time, and the node is left alone for that
/// horizon. Never for a node whose risk is above policy.risk.urgent, nor if no trained model is
/// served or nothing is sent. Pure.
struct Drawn {
    std::optional<model::Refused> withheld;
    double probability = 1;  ///< The probability of what was drawn; 1 if nothing was.
};
Drawn draw_holdout(const guard::Facts& facts, const model::Proposal& proposal);

}  // namespace parley::arbitration
