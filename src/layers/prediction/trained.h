// Layer 2, prediction: a trained model's answer: nodes as rows of features in, calibrated risks and
// the reasons behind them out.

#pragma once

#include "layers/prediction/brains.h"
#include "layers/prediction/predictor.h"

#include <string>
#include <vector>

namespace parley::prediction {

/// What is judged in one round. Borrows all it is given.
struct Round {
    Round(const model::RoundInput& input, const model::Memory& memory, const model::Policy& policy,
          const Brains& brains);

    NodeView view_of(Slot slot) const;

    const model::RoundInput& input;
    const model::Memory& memory;
    const model::Policy& policy;
    const Brains& brains;
    bool api_fresh;
    model::Restarts restarts;
};

/// Whether a trained model speaks of the node: Ready, and not set aside.
bool model_speaks_of(const model::NodeRow& node);

/// Whether what pushed a risk up most is how much the node has to do: then a node that survives
/// being emptied may owe it to that.
bool by_load(const model::RiskReasons& reasons);

/// Whether there is something that answers as a trained model: one, or an oracle in its place.
bool speaks(const Brains& brains);

/// How a forecast names a predictor of that kind.
std::string name_of(model::PredictorKind kind, const Brains& brains);

/// Writes down which model, calibration, correction and features a forecast rests on, and how far
/// it sees.
void note_brain(const Round& round, model::Forecast& forecast);

/// The model speaks of nodes that are Ready and in service. One that is not Ready is judged by
/// `evidence`; one that was set aside is at the base rate; while the API is blind, nothing is
/// known. Features that cannot be seen are named as missing.
void judge_by_brain(const Round& round, std::vector<model::NodeForecast>& nodes);

/// The median risk of nodes that the model speaks of; 0 where there are none.
double usual_risk(const Round& round, const std::vector<model::NodeForecast>& nodes);

/// The strongest factors on the odds of a node's risk, at most `factors_max`; nothing where the
/// model did not speak.
std::optional<model::RiskReasons> reasons_of(const Round& round, Slot node,
                                             std::size_t factors_max = 6);

}  // namespace parley::prediction
