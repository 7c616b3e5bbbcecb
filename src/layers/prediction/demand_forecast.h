// Layer 2, prediction: forecasts of demand by a trained model: rows of features in, the greatest
// minute within the next 1, 5, 15 and 60 minutes out, with an interval.

#pragma once

#include "layers/prediction/brains.h"
#include "model/demand.h"
#include "model/round.h"

#include <optional>

namespace parley::prediction {

/// Whether demand is forecast by a trained model: predictor `xgboost` in profile `parley`, if there
/// is such a model.
bool serves_demand(const model::Policy& policy, const Brains& brains);

/// Folds one round. For minutes that ended in it, forecasts what comes and learns from what came:
/// the level of the intervals follows how often they missed (Gibbs and Candes 2021, by 0.02), and
/// where "stays as it is now" did better lately, it replaces the model. Call it once a round. Pure.
void fold_demand_forecasts(const model::RoundInput& input, const model::Policy& policy,
                           const brain::DemandModel& model, model::DemandMemory& memory);

/// Copies the forecasts into `forecast`: every series, and for nodes the greatest demand within an
/// hour, which agents use. A node without a forecast keeps its demand.
void note_demand(const brain::DemandModel& model, const model::DemandMemory& memory,
                 model::Forecast& forecast);

/// What contributes to the forecast of a node's greatest demand within the hour, at most
/// `parts_max` parts; nothing if the model gave none.
std::optional<model::DemandReasons> demand_reasons_of(const brain::DemandModel& model,
                                                      const model::DemandMemory& memory, Slot node,
                                                      std::size_t parts_max = 6);

/// Which of the two forecasts is used for a horizon.
model::DemandBy serving(const model::DemandLevel& level);

}  // namespace parley::prediction
