// Layer 2, prediction: what every predictor of node risk offers.

#pragma once

#include "model/restarts.h"
#include "model/round.h"

#include <string_view>

namespace parley::prediction {

/// What a predictor may look at, for one node.
struct NodeView {
    const model::NodeRow& node;
    const model::NodeFold* past;  ///< Its windows; null: it was never folded.
    TimePoint now;
    bool api_fresh;  ///< Whether what the API shows is recent enough to rely on.
    const model::Policy& policy;
    model::RestartSign restarts = {};  ///< On this node, within the window of `evidence`.
};

/// Judges nodes one at a time. Pure and without state: the same view gives the same bits.
class Predictor {
public:
    virtual ~Predictor() = default;

    /// Recorded with every forecast.
    virtual std::string_view name() const = 0;

    /// Sets risk, demand, spoke and missing. Risk and demand stay empty if they are not known; a
    /// signal that cannot be read is named as missing and never counts as a good sign.
    virtual void judge(const NodeView& view, model::NodeForecast& forecast) const = 0;
};

/// The predictor of that kind; it lives as long as the process.
const Predictor& predictor_of(model::PredictorKind kind);

}  // namespace parley::prediction
