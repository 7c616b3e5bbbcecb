// Layer 2, prediction: signs of a failing node in, the probability of losing it out.

#pragma once

#include "layers/prediction/predictor.h"

namespace parley::prediction {

/// risk = 1 - (1 - base) x product of (1 - e) over the signals that are seen; the figures are in
/// policy.evidence. A signal that cannot be read adds nothing and is named. While the API delivers
/// nothing fresh, the risk of every node is unknown.
///
/// A node that was set aside (cordoned, under maintenance, powered down) gets the base rate: what
/// happens to it is intended. Any other node that is not Ready is at risk, never idle.
class Evidence : public Predictor {
public:
    std::string_view name() const override { return "evidence"; }
    void judge(const NodeView& view, model::NodeForecast& forecast) const override;
};

}  // namespace parley::prediction
