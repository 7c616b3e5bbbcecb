// Layer 2, prediction: a snapshot and its windows in, the forecast of the round out.

#pragma once

#include "layers/prediction/brains.h"
#include "model/round.h"

namespace parley::prediction {

/// Risk, stakes and demand of every node, demand of every workload. Call fold() first, also
/// fold_trails() if sees_trails() and fold_demand_forecasts() if serves_demand(). Danger is not
/// judged yet. If a trained model was asked for but there is none, `evidence` judges instead and
/// the forecast says so. Pure.
model::Forecast predict(const model::RoundInput& input, const model::Memory& memory,
                        const model::Policy& policy, const Brains& brains = {});

/// Whether the policy serves a trained model, or runs one as a shadow, and there is one.
bool sees_trails(const model::Policy& policy, const Brains& brains);

/// Shifts each node's `over` bits: over its own limit now, or over before and not yet below
/// release_share of it. An unknown risk changes nothing. Call it once a round. Does nothing in a
/// round without new evidence: the API was not heard again, or, if the predictor looks at use, not
/// every sample is new.
void note_over(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived);

/// Shifts the `idle` bits of nodes that can be switched off: whether the upper end of their demand
/// is low enough to sleep. A sample counts once, however many rounds see it; a round without a
/// usable sample clears the bits.
void note_idle(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived);

/// Sets danger, and a sentence that names every cause: a node over its own limit (from note_over),
/// the breaker tripped, violations rising for three rounds in a row. Call it after next_breaker.
void judge_danger(model::Forecast& forecast, const model::RoundInput& input,
                  const model::Memory& memory, const model::Policy& policy);

}  // namespace parley::prediction
