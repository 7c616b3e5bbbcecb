// Layer 2, prediction: a round's input in, the windows over past rounds updated.

#pragma once

#include "model/round.h"

namespace parley::prediction {

/// Folds one round into the windows of `derived`: rounds, clock jumps, violations; and per node
/// when it was first seen, restarts with their workloads, Ready flaps, and silence. Call it once a
/// round, before predict. Pure.
///
/// Windows belong to a uid: a new uid at a slot starts from scratch, a node that is gone leaves
/// nothing. Only rows that change are written, so that chunks stay shared with the last round.
/// While the API delivers nothing fresh, rows are not updated and no trend is derived from them.
void fold(const model::RoundInput& input, const model::Policy& policy, model::Derived& derived);

/// How often the node stopped being Ready within `window` before `now`; at most four are counted.
std::int32_t flaps_within(const model::NodeFold& fold, TimePoint now, Duration window);

}  // namespace parley::prediction
