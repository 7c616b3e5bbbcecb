#include "layers/prediction/node_features.h"

#include "base/check.h"
#include "layers/prediction/features.h"
#include "layers/prediction/node_trail.h"
#include "model/utilisation.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace parley::prediction {
namespace {

using model::NodeRow;
using model::Signal;

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
constexpr Duration kLateLease = seconds(15);
constexpr Duration kReadyForMax = hours(6);

constexpr std::array kList = {
    Feature{"lease_age", "s", Signal::lease_slow},
    Feature{"lease_age_3m", "s", Signal::lease_slow},
    Feature{"lease_age_30m", "s", Signal::lease_slow},
    Feature{"lease_peak_15m", "s", Signal::lease_slow},
    Feature{"memory_pressure", "yes/no", Signal::pressure},
    Feature{"disk_pressure", "yes/no", Signal::pressure},
    Feature{"pid_pressure", "yes/no", Signal::pressure},
    Feature{"pressure_15m", "share", Signal::pressure},
    Feature{"restarts_10m", "count", Signal::restarts},
    Feature{"restarts_60m", "count", Signal::restarts},
    Feature{"restarted_pods_10m", "count", Signal::restarts},
    Feature{"flaps_1h", "count", Signal::flaps},
    Feature{"unhealthy_share", "share", Signal::pods_unhealthy},
    Feature{"unhealthy_15m", "share", Signal::pods_unhealthy},
    Feature{"cpu_share", "share", Signal::cpu},
    Feature{"cpu_share_10m", "share", Signal::cpu},
    Feature{"cpu_share_60m", "share", Signal::cpu},
    Feature{"memory_share", "share", Signal::memory},
    Feature{"memory_share_10m", "share", Signal::memory},
    Feature{"memory_share_60m", "share", Signal::memory},
    Feature{"disk_share", "share", Signal::disk},
    Feature{"disk_share_10m", "share", Signal::disk},
    Feature{"disk_share_60m", "share", Signal::disk},
    Feature{"net_share", "share", Signal::net},
    Feature{"cpu_requested", "share", Signal::cpu},
    Feature{"memory_requested", "share", Signal::memory},
    Feature{"ready_for", "s", Signal::not_ready},
    Feature{"bad_share", "share", Signal::lease_slow},
    Feature{"rack_bad_share", "share", Signal::lease_slow},
    Feature{"lease_rise", "s", Signal::lease_slow},
    Feature{"disk_rise", "share", Signal::disk},
    Feature{"disk_excess", "share", Signal::disk},
    Feature{"downs_24h", "count", Signal::flaps},
    Feature{"fleet_downs", "per hour", Signal::flaps},
};

/// Fills a row from left to right.
class Row {
public:
    explicit Row(std::span<float> out) : out_(out) {}
    void put(double value) { out_[next_++] = static_cast<float>(value); }
    void put(std::optional<double> value) {
        if (value) return put(*value);
        out_[next_++] = kMissing;
    }
    void put(const model::Smoothed* mean) {
        put(mean != nullptr && mean->known ? std::optional(mean->value) : std::nullopt);
    }
    std::size_t filled() const { return next_; }

private:
    std::span<float> out_;
    std::size_t next_ = 0;
};

std::optional<double> fresh_share(const model::Reading<std::int64_t>& used, std::int64_t whole,
                                  const NodeView& view) {
    const std::int64_t* value = used.fresh(view.now, view.policy.guard.metrics_age_max);
    return value == nullptr ? std::nullopt : model::share_of(*value, whole);
}

const model::Smoothed* mean_of(const model::NodeTrail* trail,
                               model::Smoothed model::NodeTrail::* member) {
    return trail == nullptr ? nullptr : &(trail->*member);
}

std::optional<double> difference(const model::NodeTrail* trail,
                                 model::Smoothed model::NodeTrail::* now,
                                 model::Smoothed model::NodeTrail::* before) {
    if (trail == nullptr || !(trail->*now).known || !(trail->*before).known) return std::nullopt;
    return (trail->*now).value - (trail->*before).value;
}

void put_lease(const NodeView& view, const model::NodeTrail* trail, Row& row) {
    std::optional<double> age;
    if (const TimePoint* renewed = view.node.lease.value()) {
        age = std::max(0.0, in_seconds(view.now - *renewed));
    }
    row.put(age);
    row.put(mean_of(trail, &model::NodeTrail::lease_3m));
    row.put(mean_of(trail, &model::NodeTrail::lease_30m));
    row.put(mean_of(trail, &model::NodeTrail::lease_peak_15m));
}

void put_signs(const NodeView& view, const model::NodeTrail* trail, Row& row) {
    const NodeRow& node = view.node;
    row.put(node.memory_pressure ? 1.0 : 0.0);
    row.put(node.disk_pressure ? 1.0 : 0.0);
    row.put(node.pid_pressure ? 1.0 : 0.0);
    row.put(mean_of(trail, &model::NodeTrail::pressure_15m));
    row.put(trail == nullptr ? std::nullopt : std::optional(trail->restarts_10m));
    row.put(trail == nullptr ? std::nullopt : std::optional(trail->restarts_60m));
    const model::NodeFold* past = view.past;
    std::optional<double> pods;
    std::optional<double> flaps;
    if (past != nullptr) {
        pods = view.restarts.pods;
        flaps = flaps_within(*past, view.now, hours(1));
    }
    row.put(pods);
    row.put(flaps);
    row.put(model::share_of(node.pods_unhealthy, std::max(1, node.pods)));
    row.put(mean_of(trail, &model::NodeTrail::unhealthy_15m));
}

void put_use(const NodeView& view, const model::NodeTrail* trail, Row& row) {
    const NodeRow& node = view.node;
    row.put(fresh_share(node.cpu_used_m, node.cpu_allocatable_m, view));
    row.put(mean_of(trail, &model::NodeTrail::cpu_10m));
    row.put(mean_of(trail, &model::NodeTrail::cpu_60m));
    row.put(fresh_share(node.memory_used, node.memory_allocatable, view));
    row.put(mean_of(trail, &model::NodeTrail::memory_10m));
    row.put(mean_of(trail, &model::NodeTrail::memory_60m));
    row.put(fresh_share(node.disk_used_ppm, 1'000'000, view));
    row.put(mean_of(trail, &model::NodeTrail::disk_10m));
    row.put(mean_of(trail, &model::NodeTrail::disk_60m));
    row.put(fresh_share(node.net_used_ppm, 1'000'000, view));
    row.put(model::share_of(node.cpu_requested_m, node.cpu_allocatable_m));
    row.put(model::share_of(node.memory_requested, node.memory_allocatable));
}

}  // namespace

std::span<const Feature> node_feature_list() { return kList; }

brain::FeatureList wanted_features() {
    brain::FeatureList list{.version = kNodeFeatureVersion};
    for (const Feature& each : kList) {
        list.features.push_back({std::string(each.name), std::string(each.unit)});
    }
    return list;
}

Neighbours::Neighbours(const model::RoundInput& input, const model::Policy& policy,
                       const model::FleetTrail& fleet)
    : now_(input.now),
      age_max_(policy.guard.metrics_age_max),
      downs_(prediction::downs_per_node_hour(fleet)) {
    input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) {
        if (model::set_aside(node)) return;
        if (const std::int64_t* disk = node.disk_used_ppm.fresh(now_, age_max_)) {
            disk_sum_ += static_cast<double>(*disk);
            ++disk_count_;
        }
        const int bad = is_bad(node) ? 1 : 0;
        ++all_.nodes;
        all_.bad += bad;
        if (node.rack.empty()) return;
        const auto same = [&](const Group& g) {
            return g.rack == node.rack && g.zone == node.zone;
        };
        auto rack = std::ranges::find_if(racks_, same);
        if (rack == racks_.end()) {
            racks_.push_back({.zone = node.zone, .rack = node.rack});
            rack = std::prev(racks_.end());
        }
        ++rack->nodes;
        rack->bad += bad;
    });
}

std::optional<double> Neighbours::disk_excess(const NodeRow& node) const {
    const std::int64_t* disk = node.disk_used_ppm.fresh(now_, age_max_);
    if (disk == nullptr || disk_count_ == 0) return std::nullopt;
    return (static_cast<double>(*disk) - disk_sum_ / disk_count_) / 1e6;
}

bool Neighbours::is_bad(const NodeRow& node) const {
    if (node.ready != model::Readiness::yes) return true;
    const TimePoint* renewed = node.lease.value();
    return renewed != nullptr && now_ - *renewed > kLateLease;
}

/// The node itself is left out: it is not its own neighbour.
double Neighbours::bad_share(const NodeRow& node) const {
    const bool counted = !model::set_aside(node);
    const std::int32_t others = all_.nodes - (counted ? 1 : 0);
    const std::int32_t bad = all_.bad - (counted && is_bad(node) ? 1 : 0);
    return others <= 0 ? 0.0 : static_cast<double>(bad) / others;
}

double Neighbours::rack_bad_share(const NodeRow& node) const {
    const Group* rack = group_of(node);
    if (rack == nullptr) return 0.0;
    const bool counted = !model::set_aside(node);
    const std::int32_t others = rack->nodes - (counted ? 1 : 0);
    const std::int32_t bad = rack->bad - (counted && is_bad(node) ? 1 : 0);
    return others <= 0 ? 0.0 : static_cast<double>(bad) / others;
}

const Neighbours::Group* Neighbours::group_of(const NodeRow& node) const {
    const auto same = [&](const Group& g) { return g.rack == node.rack && g.zone == node.zone; };
    const auto rack = std::ranges::find_if(racks_, same);
    return rack == racks_.end() ? nullptr : &*rack;
}

void node_features(const NodeView& view, const model::NodeTrail* trail,
                   const Neighbours& neighbours, std::span<float> out) {
    PARLEY_CHECK(out.size() == kList.size());
    if (trail != nullptr && trail->uid != view.node.uid) trail = nullptr;
    Row row(out);
    put_lease(view, trail, row);
    put_signs(view, trail, row);
    put_use(view, trail, row);
    const Duration ready = std::clamp(view.now - view.node.ready_since, Duration{}, kReadyForMax);
    row.put(in_seconds(ready));
    row.put(neighbours.bad_share(view.node));
    row.put(neighbours.rack_bad_share(view.node));
    row.put(difference(trail, &model::NodeTrail::lease_3m, &model::NodeTrail::lease_30m));
    row.put(difference(trail, &model::NodeTrail::disk_10m, &model::NodeTrail::disk_60m));
    row.put(neighbours.disk_excess(view.node));
    row.put(trail == nullptr ? std::nullopt : std::optional(trail->downs_24h));
    row.put(neighbours.downs_per_node_hour());
    PARLEY_CHECK(row.filled() == kList.size());
}

}  // namespace parley::prediction
