// Layer 2, prediction: what a trained model answers: nodes as rows of features in, calibrated risks
// and the reasons for them out.

#pragma once

#include "layers/prediction/brains.h"
#include "layers/prediction/predictor.h"

#include <string>
#include <vector>

namespace parley::prediction {

/// What is judged in one round. Borrows everything.
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

/// Whether a trained model judges this node: it is Ready and not set aside.
bool model_speaks_of(const model::NodeRow& node);

/// Whether load raised a risk most. If so, a node that survives after being emptied may have
/// survived because of that.
bool by_load(const model::RiskReasons& reasons);
/// From a verdict to an empty node. Until then, and for a horizon more, what becomes of the node
/// may be due to the action.
inline constexpr Duration kActingTakes = minutes(10);

/// Whether there is a trained model, or an oracle in its place.
bool speaks(const Brains& brains);

/// How a forecast names this kind of predictor.
std::string name_of(model::PredictorKind kind, const Brains& brains);

/// Notes on which model, calibration, correction and features a forecast rests, and its horizon.
void note_brain(const Round& round, model::Forecast& forecast);

/// The model judges nodes that are Ready and in service. A node that is not Ready is judged by
/// `evidence`; one that was set aside gets the base rate; while the API delivers nothing, no risk
/// is known. Features that cannot be read are named as missing.
void judge_by_brain(const Round& round, std::vector<model::NodeForecast>& nodes);

/// The median risk of the nodes that the model judges; 0 if there are none.
double usual_risk(const Round& round, const std::vector<model::NodeForecast>& nodes);

/// The strongest factors on the odds of a node's risk, at most `factors_max`; nothing if the model
/// did not judge it.
std::optional<model::RiskReasons> reasons_of(const Round& round, Slot node,
                                             std::size_t factors_max = 6);

}  // namespace parley::prediction
