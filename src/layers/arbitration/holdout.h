// Layer 4, arbitration: a safety action that nothing else stands against in, whether it is withheld
// to see what would have come out.

#pragma once

#include "guard/facts.h"
#include "model/proposal.h"

#include <optional>

namespace parley::arbitration {

/// Acting on risk hides what it predicted: whoever drains every node that a model fears never
/// learns how many would have failed. A share of actions (policy.risk.holdout) is therefore not
/// taken, drawn by the run's seed for a node and a horizon of time, and the node is left alone for
/// that horizon. Never a node whose risk is above policy.risk.urgent, nor where no trained model
/// is served or nothing is sent. Pure.
struct Drawn {
    std::optional<model::Refused> withheld;
    double probability = 1;  ///< Of what was drawn; 1 where nothing was.
};
Drawn draw_holdout(const guard::Facts& facts, const model::Proposal& proposal);

}  // namespace parley::arbitration
