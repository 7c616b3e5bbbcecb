// Samples and sources: the part of the snapshot builder that deals with what may lie or be late.

#include "layers/observation/plausible.h"
#include "layers/observation/snapshot_builder.h"

#include <algorithm>

namespace parley::observation {

using model::Gap;
using model::Reading;
using model::SourceCondition;

namespace {

template <class T>
void put(Reading<T>& current, const std::optional<Reading<T>>& candidate) {
    if (candidate && replaces(*candidate, current)) current = *candidate;
}

/// True if the reading changed from a value to a gap.
template <class T>
bool too_old(const Reading<T>& reading, TimePoint now, Duration limit) {
    return reading.value() != nullptr && reading.age(now) > limit;
}

template <class T>
void expire(Reading<T>& reading, TimePoint now, Duration limit) {
    if (too_old(reading, now, limit)) reading = Reading<T>(Gap::too_old, reading.from());
}

}  // namespace

void SnapshotBuilder::take_sample(const cluster::NodeSample& sample, TimePoint now) {
    const auto found = nodes_.find(sample.node);
    if (found == nodes_.end()) return;
    model::Provenance from{.received = now, .measured = sample.measured, .source = sample.source};
    const bool time_is_true = plausible_time(sample.measured, now);
    if (!time_is_true) from.measured = now;
    model::NodeRow& row = snapshot_.nodes.edit(found->second);
    const double cores_m = static_cast<double>(row.cpu_allocatable_m) * kSlack;
    const double bytes = static_cast<double>(row.memory_allocatable) * kSlack;
    const auto milli = [](std::optional<double> figure) {
        if (figure) *figure *= 1000;
        return figure;
    };
    const auto judged = [&](std::optional<Reading<std::int64_t>> reading) {
        if (reading && !time_is_true) reading = Reading<std::int64_t>(Gap::implausible, from);
        return reading;
    };
    bool usable = false;
    const auto offer = [&](Reading<std::int64_t>& to,
                           const std::optional<Reading<std::int64_t>>& reading) {
        usable = usable || (reading && reading->value() != nullptr);
        put(to, reading);
    };
    offer(row.cpu_used_m, judged(whole(milli(sample.cpu_cores), cores_m, from)));
    offer(row.memory_used, judged(whole(sample.memory_bytes, bytes, from)));
    offer(row.disk_used_ppm, judged(share_ppm(sample.disk_share, from)));
    offer(row.net_used_ppm, judged(share_ppm(sample.net_share, from)));
    offer(row.power_mw, judged(whole(milli(sample.power_w), 1e8, from)));
    if (usable) note_sample(sample.source, found->second, std::min(now, sample.measured));
    if (sample.counters) {
        const auto* before = row.counters.value();
        const bool true_so_far = before == nullptr || never_falls(*before, *sample.counters);
        put(row.counters,
            std::optional(time_is_true && true_so_far
                              ? Reading<model::NodeCounters>(*sample.counters, from)
                              : Reading<model::NodeCounters>(Gap::implausible, from)));
    }
    if (time_is_true) heard_from(sample.source, sample.measured);
}

void SnapshotBuilder::take_sample(const cluster::WorkloadSample& sample, TimePoint now) {
    const auto found = workloads_.find(sample.workload);
    if (found == workloads_.end() || !plausible_time(sample.measured, now)) return;
    const model::Provenance from{
        .received = now, .measured = sample.measured, .source = sample.source};
    model::WorkloadRow& row = snapshot_.workloads.edit(found->second);
    const auto usage = [&](const std::optional<model::Usage>& figure) {
        std::optional<Reading<model::Usage>> reading;
        if (!figure) return reading;
        reading = plausible(*figure) ? Reading<model::Usage>(*figure, from)
                                     : Reading<model::Usage>(Gap::implausible, from);
        return reading;
    };
    const auto duration = [&](std::optional<double> figure) {
        std::optional<Reading<Duration>> reading;
        if (figure) *figure *= 1e6;
        const auto us = whole(figure, 86'400e6, from);  // Nothing we time takes a day.
        if (!us) return reading;
        const auto* value = us->value();
        reading = value ? Reading<Duration>(microseconds(*value), from)
                        : Reading<Duration>(Gap::implausible, from);
        return reading;
    };
    const auto milli =
        sample.requests_per_s ? std::optional(*sample.requests_per_s * 1000) : std::nullopt;
    put(row.cpu_used_m, usage(sample.cpu_m));
    put(row.memory_used, usage(sample.memory));
    put(row.requests_milli, whole(milli, 1e15, from));
    put(row.latency_p95, duration(sample.latency_p95_s));
    put(row.startup_p95, duration(sample.startup_p95_s));
    if (sample.counters) {
        const auto* before = row.counters.value();
        const bool holds = before == nullptr || never_falls(*before, *sample.counters);
        put(row.counters,
            std::optional(holds ? Reading<model::WorkCounters>(*sample.counters, from)
                                : Reading<model::WorkCounters>(Gap::implausible, from)));
    }
    heard_from(sample.source, sample.measured);
}

model::SourceState& SnapshotBuilder::source(model::Source which) {
    const auto found = std::ranges::find(snapshot_.sources, which, &model::SourceState::source);
    if (found != snapshot_.sources.end()) return *found;
    const Duration limit = which == model::Source::api ? limits_.api_late : limits_.metrics_late;
    snapshot_.sources.push_back({.source = which, .limit = limit});
    std::ranges::sort(snapshot_.sources, {}, &model::SourceState::source);
    return *std::ranges::find(snapshot_.sources, which, &model::SourceState::source);
}

void SnapshotBuilder::heard_from(model::Source which, TimePoint measured) {
    model::SourceState& state = source(which);
    state.last_success = std::max(state.last_success, measured);
}

void SnapshotBuilder::note_sample(model::Source which, Slot node, TimePoint at) {
    auto& samples = sampled_[which];
    if (samples.size() <= node) samples.resize(node + 1);
    samples[node] = std::max(samples[node].value_or(at), at);
}

std::int32_t SnapshotBuilder::covered_by(model::Source which, TimePoint now) const {
    const auto found = sampled_.find(which);
    if (found == sampled_.end()) return 0;
    std::int32_t covered = 0;
    snapshot_.nodes.for_each([&](Slot slot, const model::NodeRow& row) {
        if (row.power != model::Power::on || slot >= found->second.size()) return;
        const auto& at = found->second[slot];
        if (at && now - *at <= limits_.metrics_late) ++covered;
    });
    return covered;
}

void SnapshotBuilder::age_sources(TimePoint now) {
    model::SourceState& api = source(model::Source::api);
    api.last_success = api_seen_;
    std::int32_t expected = 0;
    snapshot_.nodes.for_each([&](Slot, const model::NodeRow& row) {
        if (row.power == model::Power::on) ++expected;
    });
    for (model::SourceState& state : snapshot_.sources) {
        const bool judged_by_age =
            state.condition == SourceCondition::ok || state.condition == SourceCondition::late;
        const bool old = now - state.last_success > state.limit;
        const auto wanted = old ? SourceCondition::late : SourceCondition::ok;
        if (judged_by_age && state.condition != wanted) {
            state.condition = wanted;
            state.since = now;
        }
        const bool everywhere =
            state.source == model::Source::api || state.source == model::Source::exerciser;
        state.expected = expected;
        state.covered = everywhere ? expected : covered_by(state.source, now);
    }
}

void SnapshotBuilder::age_readings(TimePoint now) {
    const Duration limit = limits_.metrics_late;
    std::vector<Slot> stale;
    snapshot_.nodes.for_each([&](Slot slot, const model::NodeRow& row) {
        if (too_old(row.cpu_used_m, now, limit) || too_old(row.memory_used, now, limit) ||
            too_old(row.disk_used_ppm, now, limit) || too_old(row.net_used_ppm, now, limit) ||
            too_old(row.power_mw, now, limit) || too_old(row.counters, now, limit)) {
            stale.push_back(slot);
        }
    });
    for (const Slot slot : stale) {
        model::NodeRow& row = snapshot_.nodes.edit(slot);
        expire(row.cpu_used_m, now, limit);
        expire(row.memory_used, now, limit);
        expire(row.disk_used_ppm, now, limit);
        expire(row.net_used_ppm, now, limit);
        expire(row.power_mw, now, limit);
        expire(row.counters, now, limit);
    }
    stale.clear();
    snapshot_.workloads.for_each([&](Slot slot, const model::WorkloadRow& row) {
        if (too_old(row.cpu_used_m, now, limit) || too_old(row.memory_used, now, limit) ||
            too_old(row.requests_milli, now, limit) || too_old(row.latency_p95, now, limit) ||
            too_old(row.startup_p95, now, limit) || too_old(row.counters, now, limit)) {
            stale.push_back(slot);
        }
    });
    for (const Slot slot : stale) {
        model::WorkloadRow& row = snapshot_.workloads.edit(slot);
        expire(row.cpu_used_m, now, limit);
        expire(row.memory_used, now, limit);
        expire(row.requests_milli, now, limit);
        expire(row.latency_p95, now, limit);
        expire(row.startup_p95, now, limit);
        expire(row.counters, now, limit);
    }
}

}  // namespace parley::observation
