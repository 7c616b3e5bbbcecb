// Samples and sources: the part of the snapshot builder for what may be wrong or late.

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

/// The same for a figure that several sources measure. The figure of another source is kept in
/// `second`, for comparison.
void put_beside(Reading<std::int64_t>& first, Reading<std::int64_t>& second,
                const std::optional<Reading<std::int64_t>>& candidate) {
    if (!candidate) return;
    const bool other = candidate->from().source != first.from().source;
    if (replaces(*candidate, first)) {
        const bool known = first.value() != nullptr || first.from().received != TimePoint{};
        if (other && known) second = first;
        first = *candidate;
    } else if (other) {
        second = *candidate;
    }
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

/// One source that reports the same figure of a node twice at once: nobody can tell which is right.
/// Prometheus reports each figure in a sample of its own, which is fine.
void SnapshotBuilder::take_samples(const std::vector<cluster::NodeSample>& samples, TimePoint now) {
    struct Times {
        int cpu = 0;
        int memory = 0;
    };
    std::map<std::pair<model::Source, model::Uid>, Times> times;
    for (const cluster::NodeSample& each : samples) {
        Times& so_far = times[{each.source, each.node}];
        if (each.cpu_m) ++so_far.cpu;
        if (each.memory_bytes) ++so_far.memory;
    }
    for (const cluster::NodeSample& each : samples) {
        const Times& all = times[{each.source, each.node}];
        const bool twice = (each.cpu_m && all.cpu > 1) || (each.memory_bytes && all.memory > 1);
        take_sample(each, twice ? std::optional(Gap::sampled_twice) : std::nullopt, now);
    }
}

void SnapshotBuilder::take_sample(const cluster::NodeSample& sample, std::optional<Gap> rejected,
                                  TimePoint now) {
    const auto found = nodes_.find(sample.node);
    if (found == nodes_.end()) return;
    model::Provenance from{.received = now, .measured = sample.measured, .source = sample.source};
    const std::optional<Gap> untimely = wrong_time(sample.measured, now);
    if (untimely) from.measured = now;
    if (!rejected) rejected = untimely;
    if (!rejected && empty_sample(sample)) rejected = Gap::empty_sample;
    model::NodeRow& row = snapshot_.nodes.edit(found->second);
    const double cores_m = static_cast<double>(row.cpu_allocatable_m) * kSlack;
    const double bytes = static_cast<double>(row.memory_allocatable) * kSlack;
    const auto milli = [](std::optional<double> figure) {
        if (figure) *figure *= 1000;
        return figure;
    };
    bool usable = false;
    const auto judged = [&](std::optional<Reading<std::int64_t>> reading) {
        if (reading && rejected) reading = Reading<std::int64_t>(*rejected, from);
        usable = usable || (reading && reading->value() != nullptr);
        return reading;
    };
    put_beside(row.cpu_used_m, row.cpu_second_m, judged(whole(sample.cpu_m, cores_m, from)));
    put_beside(row.memory_used, row.memory_second, judged(whole(sample.memory_bytes, bytes, from)));
    put(row.disk_used_ppm, judged(share_ppm(sample.disk_share, from)));
    put(row.net_used_ppm, judged(share_ppm(sample.net_share, from)));
    put(row.power_mw, judged(whole(milli(sample.power_w), 1e8, from)));
    if (usable) {
        note_sample(sample.source, found->second, std::min(now, sample.measured));
    } else if (rejected && sample.cpu_m) {
        forget_sample(sample.source, found->second);
    }
    if (sample.counters) {
        const auto* before = row.counters.value();
        const bool true_so_far = before == nullptr || never_falls(*before, *sample.counters);
        put(row.counters,
            std::optional(!untimely && true_so_far
                              ? Reading<model::NodeCounters>(*sample.counters, from)
                              : Reading<model::NodeCounters>(Gap::implausible, from)));
    }
    if (!untimely) heard_from(sample.source, sample.measured);
}

void SnapshotBuilder::take_sample(const cluster::WorkloadSample& sample, TimePoint now) {
    const auto found = workloads_.find(sample.workload);
    if (found == workloads_.end() || wrong_time(sample.measured, now)) return;
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
        // Nothing that we time takes as long as a day.
        const auto us = whole(figure, 86'400e6, from);
        if (!us) return reading;
        const auto* value = us->value();
        reading = value ? Reading<Duration>(microseconds(*value), from)
                        : Reading<Duration>(Gap::implausible, from);
        return reading;
    };
    const auto milli = [](std::optional<double> figure) {
        if (figure) *figure *= 1000;
        return figure;
    };
    put(row.cpu_used_m, usage(sample.cpu_m));
    put(row.memory_used, usage(sample.memory));
    put(row.requests_milli, whole(milli(sample.requests_per_s), 1e15, from));
    put(row.latency_p95, duration(sample.latency_p95_s));
    put(row.startup_p95, duration(sample.startup_p95_s));
    put(row.failing_milli, whole(milli(sample.failing_per_s), 1e15, from));
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

void SnapshotBuilder::forget_sample(model::Source which, Slot node) {
    const auto found = sampled_.find(which);
    if (found != sampled_.end() && node < found->second.size()) found->second[node].reset();
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

std::string SnapshotBuilder::reason_of(const model::SourceState& state, TimePoint now) const {
    const model::Source which = state.source;
    const auto reported = reasons_.find(which);
    std::string text = reported == reasons_.end() ? "" : reported->second;
    if (which != model::Source::metrics && which != model::Source::prometheus) return text;
    const bool late = state.condition == SourceCondition::late;
    if (!late && state.condition != SourceCondition::ok) return text;  // The condition says it all.
    // By reason: how many, and the name of one.
    std::map<Gap, std::pair<std::int32_t, std::string>> rejected;
    snapshot_.nodes.for_each([&](Slot, const model::NodeRow& row) {
        const bool first = row.cpu_used_m.from().source == which;
        const auto& reading = first ? row.cpu_used_m : row.cpu_second_m;
        const model::Provenance& from = reading.from();
        if (reading.gap() == nullptr || from.source != which) return;
        // Only recent rejections: a figure that no longer comes is missing, not rejected.
        if (*reading.gap() == Gap::not_reported || now - from.received > state.limit) return;
        if (late && *reading.gap() == Gap::too_old) return;
        auto& [count, name] = rejected[*reading.gap()];
        if (count++ == 0 || row.id.text() < name) name = row.id.text();
    });
    for (const auto& [gap, what] : rejected) {
        std::string why(enum_name(gap));
        std::ranges::replace(why, '_', ' ');
        text += (text.empty() ? "" : "; ") + std::to_string(what.first) +
                (what.first == 1 ? " sample" : " samples") + " rejected as " + why + ", such as " +
                what.second;
    }
    return text;
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
        state.reason = reason_of(state, now);
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
            too_old(row.power_mw, now, limit) || too_old(row.counters, now, limit) ||
            too_old(row.cpu_second_m, now, limit) || too_old(row.memory_second, now, limit)) {
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
        expire(row.cpu_second_m, now, limit);
        expire(row.memory_second, now, limit);
    }
    stale.clear();
    snapshot_.workloads.for_each([&](Slot slot, const model::WorkloadRow& row) {
        if (too_old(row.cpu_used_m, now, limit) || too_old(row.memory_used, now, limit) ||
            too_old(row.requests_milli, now, limit) || too_old(row.latency_p95, now, limit) ||
            too_old(row.startup_p95, now, limit) || too_old(row.counters, now, limit) ||
            too_old(row.failing_milli, now, limit)) {
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
        expire(row.failing_milli, now, limit);
    }
}

}  // namespace parley::observation
