#include "layers/prediction/node_trail.h"

#include "base/math.h"
#include "model/restarts.h"
#include "model/sources.h"
#include "model/utilisation.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace parley::prediction {
namespace {

using model::NodeRow;
using model::NodeTrail;
using model::Smoothed;

/// What is left of a weight of 1 after `passed`.
double faded(Duration passed, Duration constant) {
    if (passed.us <= 0) return 1.0;
    return math::exp(-in_seconds(passed) / in_seconds(constant));
}

void smooth(Smoothed& mean, std::optional<double> reading, TimePoint now, Duration constant) {
    if (!reading) return;
    const double kept = mean.known ? faded(now - mean.at, constant) : 0.0;
    mean = {.value = kept * mean.value + (1.0 - kept) * *reading, .at = now, .known = true};
}

void peak(Smoothed& most, std::optional<double> reading, TimePoint now, Duration constant) {
    if (!reading) return;
    const double kept = most.known ? faded(now - most.at, constant) * most.value : 0.0;
    most = {.value = std::max(kept, *reading), .at = now, .known = true};
}

std::optional<double> share(const model::Reading<std::int64_t>& used, std::int64_t whole,
                            TimePoint now, Duration age_max) {
    const std::int64_t* value = used.fresh(now, age_max);
    return value == nullptr ? std::nullopt : model::share_of(*value, whole);
}

struct Look {
    TimePoint now;
    Duration age_max;
    bool api_fresh;
    model::FleetTrail* fleet;
};

/// What the API shows, which is outdated in a round without the API.
void fold_shown(const NodeRow& node, const Look& look, NodeTrail& trail) {
    if (!look.api_fresh) return;
    std::optional<double> age;
    if (const TimePoint* renewed = node.lease.value()) {
        age = std::max(0.0, in_seconds(look.now - *renewed));
    }
    smooth(trail.lease_3m, age, look.now, minutes(3));
    smooth(trail.lease_30m, age, look.now, minutes(30));
    peak(trail.lease_peak_15m, age, look.now, minutes(15));
    const bool ready = node.ready == model::Readiness::yes;
    if (trail.was_ready && !ready && !model::set_aside(node)) {
        trail.downs_24h += 1;
        look.fleet->downs += 1;
    }
    trail.was_ready = ready;
    const bool pressed = node.memory_pressure || node.disk_pressure || node.pid_pressure;
    smooth(trail.pressure_15m, pressed ? 1.0 : 0.0, look.now, minutes(15));
    smooth(trail.unhealthy_15m, model::share_of(node.pods_unhealthy, std::max(1, node.pods)),
           look.now, minutes(15));
}

void fold_used(const NodeRow& node, const Look& look, NodeTrail& trail) {
    const auto cpu = share(node.cpu_used_m, node.cpu_allocatable_m, look.now, look.age_max);
    const auto memory = share(node.memory_used, node.memory_allocatable, look.now, look.age_max);
    const auto disk = share(node.disk_used_ppm, 1'000'000, look.now, look.age_max);
    smooth(trail.cpu_10m, cpu, look.now, minutes(10));
    smooth(trail.cpu_60m, cpu, look.now, minutes(60));
    smooth(trail.memory_10m, memory, look.now, minutes(10));
    smooth(trail.memory_60m, memory, look.now, minutes(60));
    smooth(trail.disk_10m, disk, look.now, minutes(10));
    smooth(trail.disk_60m, disk, look.now, minutes(60));
}

/// Restarts that the workload causes wherever it runs do not count: a release that keeps restarting
/// says nothing about its node. Restarts without a known workload do: records before rules version
/// 6 do not name it. Call it after `fold`, which adds this round's restarts.
void fold_restarts(const model::RoundInput& input, Duration window, const model::Derived& derived,
                   Table<NodeTrail>& trails) {
    const model::Snapshot& snapshot = input.snapshot;
    if (snapshot.restarts.empty()) return;
    const model::Restarts seen(snapshot, model::restarts_in(derived.nodes), window, input.now);
    for (const model::Restart& restart : snapshot.restarts) {
        if (restart.count <= 0 || !trails.has(restart.node)) continue;
        const model::RestartCause cause = seen.cause_of(model::restart_at(snapshot, restart));
        if (cause != model::RestartCause::node && cause != model::RestartCause::unowned) continue;
        NodeTrail& trail = trails.edit(restart.node);
        trail.restarts_10m += restart.count;
        trail.restarts_60m += restart.count;
    }
}

void fold_fleet(const model::RoundInput& input, model::FleetTrail& fleet) {
    const Duration passed = fleet.known ? input.now - fleet.at : Duration{};
    const double kept = faded(passed, hours(24));
    const double hours_watched =
        std::max(0.0, in_minutes(passed)) / 60.0 * static_cast<double>(input.snapshot.nodes.size());
    fleet.downs *= kept;
    fleet.node_hours = kept * fleet.node_hours + hours_watched;
    fleet.at = input.now;
    fleet.known = true;
}

void forget_gone(const Table<NodeRow>& nodes, Table<NodeTrail>& trails) {
    std::vector<Slot> gone;
    trails.for_each([&](Slot slot, const NodeTrail&) {
        if (!nodes.has(slot)) gone.push_back(slot);
    });
    for (const Slot slot : gone) trails.erase(slot);
}

}  // namespace

double downs_per_node_hour(const model::FleetTrail& fleet) {
    return (fleet.downs + 0.5) / (fleet.node_hours + 12.0);
}

void fold_trails(const model::RoundInput& input, const model::Policy& policy,
                 model::Derived& derived) {
    const model::Snapshot& snapshot = input.snapshot;
    Table<NodeTrail>& trails = derived.trails;
    fold_fleet(input, derived.fleet);
    const Look look{.now = input.now,
                    .age_max = policy.guard.metrics_age_max,
                    .api_fresh = model::delivers(snapshot, model::Source::api, input.now,
                                                 policy.guard.api_age_max),
                    .fleet = &derived.fleet};
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        const NodeTrail* known = trails.find(slot);
        if (known == nullptr || known->uid != node.uid) {
            trails.put(slot, NodeTrail{.uid = node.uid, .at = input.now});
        }
        NodeTrail& trail = trails.edit(slot);
        trail.restarts_10m *= faded(input.now - trail.at, minutes(10));
        trail.restarts_60m *= faded(input.now - trail.at, minutes(60));
        trail.downs_24h *= faded(input.now - trail.at, hours(24));
        trail.at = input.now;
        fold_shown(node, look, trail);
        fold_used(node, look, trail);
    });
    if (trails.size() != snapshot.nodes.size()) forget_gone(snapshot.nodes, trails);
    fold_restarts(input, policy.evidence.restarts_window, derived, trails);
}

}  // namespace parley::prediction
