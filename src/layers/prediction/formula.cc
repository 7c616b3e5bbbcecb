#include "layers/prediction/formula.h"

#include "layers/prediction/demand.h"

#include <algorithm>

namespace parley::prediction {

using model::Signal;

namespace {

constexpr double kUnhealthy = 0.95;
constexpr double kRestarted = 0.70;

/// By the pods on the node; nothing if they are all well.
std::optional<double> health(const model::NodeRow& node, model::SignalSet& spoke) {
    if (node.pods_unhealthy > 0) {
        spoke.add(Signal::pods_unhealthy);
        return kUnhealthy;
    }
    if (node.pods_restarted > 0) {
        spoke.add(Signal::pods_restarted);
        return kRestarted;
    }
    return std::nullopt;
}

}  // namespace

void Formula::judge(const NodeView& view, model::NodeForecast& forecast) const {
    if (!view.api_fresh) {
        for (const Signal signal :
             {Signal::pods_unhealthy, Signal::pods_restarted, Signal::cpu, Signal::memory}) {
            forecast.missing.add(signal);
        }
        return;
    }
    const model::Utilisation use =
        model::prototype_utilisation(view.node, view.now, view.policy.guard.metrics_age_max);
    set_demand(view.node, use, forecast);
    const std::optional<double> load = use.blend();
    const std::optional<double> ill = health(view.node, forecast.spoke);
    if (!load && !ill) return;
    if (load && (!ill || *load > *ill)) {
        if (*use.cpu > 0) forecast.spoke.add(Signal::cpu);
        if (*use.memory > 0) forecast.spoke.add(Signal::memory);
    }
    const double least = 0;  // Either of the two figures may be unknown.
    forecast.risk = std::clamp(std::max(load ? *load : least, ill ? *ill : least), 0.0, 1.0);
}

}  // namespace parley::prediction
