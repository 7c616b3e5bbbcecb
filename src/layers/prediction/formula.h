// Layer 2, prediction: the prototype's formula; requests and pod health in, a risk figure out.

#pragma once

#include "layers/prediction/predictor.h"

namespace parley::prediction {

/// risk = max(health, 0.55 cpu + 0.35 memory), cut to [0, 1]; health is 0.95 if a pod on the node
/// is unhealthy, else 0.70 if a container on it ever restarted, else 0. Not a probability. Demand
/// is the same blend. Nodes that are powered down have no demand.
class Formula : public Predictor {
public:
    std::string_view name() const override { return "formula"; }
    void judge(const NodeView& view, model::NodeForecast& forecast) const override;
};

}  // namespace parley::prediction
