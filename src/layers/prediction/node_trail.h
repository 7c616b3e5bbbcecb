// Layer 2, prediction: a round's input in, what a trained model sees of each node's past brought
// up to date. Training and serving fold with this same code.

#pragma once

#include "model/round.h"

namespace parley::prediction {

/// Folds one round into the trails. A node is its uid; one that is gone leaves nothing. Readings
/// that are missing or older than the policy allows add nothing. Call it once a round. Pure.
///
/// Means do not depend on how often rounds come: a reading weighs by the time since the last one.
void fold_trails(const model::RoundInput& input, const model::Policy& policy,
                 model::Derived& derived);

/// Downs per node and hour of this cluster; a prior of one per node and day counts for half a day
/// of one node, so that a young record says little.
double downs_per_node_hour(const model::FleetTrail& fleet);

}  // namespace parley::prediction
