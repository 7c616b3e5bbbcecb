// Layer 2, prediction: a round's input in, what a trained model sees of each node's past updated.
// Training and serving use this same code.

#pragma once

#include "model/round.h"

namespace parley::prediction {

/// Folds one round into the trails. A trail belongs to a uid; when that is gone, so is the trail.
/// Readings that are missing or older than the policy allows add nothing. Call it once a round.
/// Pure. Means do not depend on how often rounds come: each reading is weighted by the time since
/// the last one.
void fold_trails(const model::RoundInput& input, const model::Policy& policy,
                 model::Derived& derived);

/// Failures of readiness per node and hour in this cluster. A prior of one per node and day has the
/// weight of half a node-day, so that little data says little.
double downs_per_node_hour(const model::FleetTrail& fleet);

}  // namespace parley::prediction
