// Layer 2, prediction: a round's input in, windows over past rounds brought up to date.

#pragma once

#include "model/round.h"

namespace parley::prediction {

/// Folds one round into the windows of `derived`: rounds, clock jumps, violations, and per node
/// first seen, restarts (whose they were), Ready flaps and silence. Call it once a round, before
/// predict. Pure.
///
/// A node is its uid: a new uid at a slot starts anew, a node that is gone leaves nothing. Only
/// rows that change are written, so that chunks stay shared with the last round. While the API
/// delivers nothing fresh, rows stand still and no trend is concluded from them.
void fold(const model::RoundInput& input, const model::Policy& policy, model::Derived& derived);

/// How often the node stopped being Ready within `window` before `now`; four at most.
std::int32_t flaps_within(const model::NodeFold& fold, TimePoint now, Duration window);

}  // namespace parley::prediction
