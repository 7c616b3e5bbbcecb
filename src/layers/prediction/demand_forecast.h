// Layer 2, prediction: what a trained model says of demand: series as rows of features in, the
// greatest minute of the next 1, 5, 15 and 60 out, with an interval.

#pragma once

#include "layers/prediction/brains.h"
#include "model/demand.h"
#include "model/round.h"

#include <optional>

namespace parley::prediction {

/// Whether demand is forecast by a trained model: with predictor `xgboost` in profile `parley`,
/// where there is one.
bool serves_demand(const model::Policy& policy, const Brains& brains);

/// Folds one round, and where minutes ended in it says what comes and learns from what came: the
/// level of the intervals follows how often they missed (Gibbs and Candes 2021, by 0.02), and where
/// "as it is now" did better lately, it takes the model's place. Once a round. Pure.
void fold_demand_forecasts(const model::RoundInput& input, const model::Policy& policy,
                           const brain::DemandModel& model, model::DemandMemory& memory);

/// Writes down what was said of every series, and of nodes what agents use: the greatest within an
/// hour. A node of which nothing can be said keeps what it has.
void note_demand(const brain::DemandModel& model, const model::DemandMemory& memory,
                 model::Forecast& forecast);

/// What pushed the forecast of a node's greatest demand within the hour, at most `parts_max` of it;
/// nothing where the model did not speak.
std::optional<model::DemandReasons> demand_reasons_of(const brain::DemandModel& model,
                                                      const model::DemandMemory& memory, Slot node,
                                                      std::size_t parts_max = 6);

/// Which of the two forecasts serves a horizon.
model::DemandBy serving(const model::DemandLevel& level);

}  // namespace parley::prediction
