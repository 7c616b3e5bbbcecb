#include "layers/prediction/evidence.h"

#include "layers/prediction/demand.h"
#include "layers/prediction/features.h"

namespace parley::prediction {

using model::Signal;

namespace {

constexpr Signal kSignals[] = {Signal::lease_slow, Signal::lease_lost, Signal::not_ready,
                               Signal::pressure,   Signal::restarts,   Signal::flaps};

/// Combines signals into the probability that the node survives all of them.
class Survival {
public:
    Survival(double base, model::SignalSet& spoke) : spared_(1 - base), spoke_(spoke) {}

    void add_if(bool speaks, Signal signal, double weight) {
        if (!speaks) return;
        spoke_.add(signal);
        spared_ *= 1 - weight;
    }
    double risk() const { return 1 - spared_; }

private:
    double spared_;
    model::SignalSet& spoke_;
};

/// The lease's age is the time since we saw it renewed. The age of the reading itself is not
/// checked: a lease that nobody renews is old, and that is the signal.
void add_lease(const NodeView& view, model::NodeForecast& forecast, Survival& survival) {
    const model::EvidenceRules& rules = view.policy.evidence;
    const TimePoint* renewed = view.node.lease.value();
    if (renewed == nullptr) {
        forecast.missing.add(Signal::lease_slow);
        forecast.missing.add(Signal::lease_lost);
        return;
    }
    const Duration age = view.now - *renewed;
    const bool lost = age > rules.lease_lost_after;
    const bool slow = !lost && age >= rules.lease_slow_after;
    survival.add_if(slow, Signal::lease_slow, rules.lease_slow);
    survival.add_if(lost, Signal::lease_lost, rules.lease_lost);
}

void add_windows(const NodeView& view, model::NodeForecast& forecast, Survival& survival) {
    const model::EvidenceRules& rules = view.policy.evidence;
    if (view.past == nullptr) {
        forecast.missing.add(Signal::restarts);
        forecast.missing.add(Signal::flaps);
        return;
    }
    survival.add_if(model::is_sign(view.restarts, rules), Signal::restarts, rules.restarts);
    const std::int32_t flaps = flaps_within(*view.past, view.now, rules.flaps_window);
    survival.add_if(flaps >= rules.flaps_min, Signal::flaps, rules.flaps);
}

}  // namespace

void Evidence::judge(const NodeView& view, model::NodeForecast& forecast) const {
    const model::NodeRow& node = view.node;
    const model::EvidenceRules& rules = view.policy.evidence;
    if (!view.api_fresh) {
        for (const Signal signal : kSignals) forecast.missing.add(signal);
        forecast.missing.add(Signal::cpu);
        forecast.missing.add(Signal::memory);
        return;
    }
    set_demand(node, model::utilisation_of(node, view.now, view.policy.guard.metrics_age_max),
               forecast);
    Survival survival(rules.base, forecast.spoke);
    if (!model::set_aside(node)) {
        add_lease(view, forecast, survival);
        survival.add_if(node.ready != model::Readiness::yes, Signal::not_ready, rules.not_ready);
        survival.add_if(node.memory_pressure || node.disk_pressure || node.pid_pressure,
                        Signal::pressure, rules.pressure);
        add_windows(view, forecast, survival);
    }
    forecast.risk = survival.risk();
}

}  // namespace parley::prediction
