// Layer 2, prediction: a snapshot with its windows in, the forecast of the round out.

#pragma once

#include "layers/prediction/brains.h"
#include "model/round.h"

namespace parley::prediction {

/// Risk, stakes and demand of every node, demand of every workload. Call fold() first, and
/// fold_trails() where sees_trails() says so, fold_demand_forecasts() where serves_demand() does.
/// Danger is not judged yet. Where a trained model was asked for and there is none, `evidence`
/// judges, and the forecast says so. Pure.
model::Forecast predict(const model::RoundInput& input, const model::Memory& memory,
                        const model::Policy& policy, const Brains& brains = {});

/// Whether the policy serves a trained model, or runs one in shadow, and there is one.
bool sees_trails(const model::Policy& policy, const Brains& brains);

/// Shifts each node's `over` bits: over its own limit now, or over before and not yet below
/// release_share of it. An unknown risk changes nothing: what was over stays so. Once a round, and
/// for nothing in a round that brought no new evidence: neither the API was heard anew nor, where
/// the predictor looks at use, every sample was measured anew.
void note_over(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived);

/// Shifts the `idle` bits of nodes that can be switched: the upper end of their demand is low
/// enough to sleep. A sample counts once, however many rounds see it; without one they begin anew.
void note_idle(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived);

/// Sets danger and a sentence that names every cause: a node over its own limit (by note_over), the
/// breaker tripped, violations risen for three rounds in a row. Call it after the breaker's turn.
void judge_danger(model::Forecast& forecast, const model::RoundInput& input,
                  const model::Memory& memory, const model::Policy& policy);

}  // namespace parley::prediction
