#include "layers/prediction/demand_trail.h"

#include "layers/prediction/demand.h"
#include "model/utilisation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace parley::prediction {
namespace {

using model::DemandFill;
using model::DemandOf;
using model::DemandPast;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kMinuteUs = 60'000'000;
constexpr std::int64_t kHalfHour = 30;  // Minutes.
constexpr auto kMinutes = static_cast<std::int64_t>(model::kMinutesKept);
constexpr auto kHalfHours = static_cast<std::int64_t>(model::kHalfHoursKept);
// From this share of a limit on, the limit is taken to hold usage down.
constexpr double kLimitShare = 0.95;
constexpr double kFullShare = 0.98;

std::int64_t floor_of(std::int64_t value, std::int64_t unit) {
    return value >= 0 ? value / unit : -((-value + unit - 1) / unit);
}

std::size_t place(std::int64_t index, std::int64_t size) {
    return static_cast<std::size_t>(((index % size) + size) % size);
}

DemandPast begun(const DemandFill& fill) {
    DemandPast past{.uid = fill.uid, .newest = fill.minute - 1};
    past.minutes.fill(kNothing);
    past.half_hours.fill(kNothing);
    return past;
}

/// Ends one minute; `mean` may be NaN.
void push(DemandPast& past, double mean, bool bounded) {
    const std::int64_t half_before = floor_of(past.newest, kHalfHour);
    ++past.newest;
    const std::int64_t half = floor_of(past.newest, kHalfHour);
    if (half != half_before) {
        past.half_hours[place(half_before, kHalfHours)] =
            past.half_count > 0 ? past.half_sum / past.half_count : kNothing;
        past.half_sum = 0;
        past.half_count = 0;
    }
    past.minutes[place(past.newest, kMinutes)] = mean;
    past.bounded = (past.bounded << 1U) | (bounded ? 1U : 0U);
    if (!std::isfinite(mean)) return;
    ++past.known;
    past.half_sum += mean;
    ++past.half_count;
}

/// Ends the minute that was filled, and later ones in which nothing was measured.
void close(const DemandFill& fill, std::int64_t minute, DemandPast& past) {
    // The clock was set, or nothing was measured for long: what lies before is not the past of what
    // comes.
    if (minute <= past.newest || minute - fill.minute > kHalfHours * kHalfHour) {
        DemandFill anew = fill;
        anew.minute = minute;
        past = begun(anew);
        return;
    }
    push(past, fill.count > 0 ? fill.sum / fill.count : kNothing, fill.bounded);
    while (past.newest + 1 < minute) push(past, kNothing, false);
}

struct Look {
    std::int64_t minute;
    Table<DemandFill>& fills;
    Table<DemandPast>& pasts;
    std::vector<Slot>& closed;
};

void fold_one(const Look& look, Slot slot, const model::Uid& uid, const DemandReading& reading) {
    const DemandFill* known = look.fills.find(slot);
    const bool same = known != nullptr && known->uid == uid;
    if (!same) {
        look.fills.put(slot, {.uid = uid, .minute = look.minute});
        look.pasts.put(slot, begun(look.fills.at(slot)));
    }
    const bool over = look.fills.at(slot).minute != look.minute;
    if (!over && !reading.value) return;
    DemandFill& fill = look.fills.edit(slot);
    if (over) {
        close(fill, look.minute, look.pasts.edit(slot));
        look.closed.push_back(slot);
        fill = {.uid = uid, .minute = look.minute};
    }
    if (!reading.value) return;
    fill.sum += *reading.value;
    ++fill.count;
    fill.bounded = fill.bounded || reading.bounded;
}

template <class Row, class Kept>
void forget_gone(const Table<Row>& rows, Table<Kept>& kept) {
    if (kept.empty()) return;
    std::vector<Slot> gone;
    kept.for_each([&](Slot slot, const Kept&) {
        if (!rows.has(slot)) gone.push_back(slot);
    });
    for (const Slot slot : gone) kept.erase(slot);
}

DemandReading of_pods(const model::Reading<model::Usage>& reading, std::int64_t limit,
                      TimePoint now, Duration age_max) {
    const model::Usage* used = reading.fresh(now, age_max);
    if (used == nullptr || used->count <= 0) return {};
    const auto seen = static_cast<double>(used->count);
    const double all = seen + static_cast<double>(used->missing);
    return {.value = static_cast<double>(used->sum) * all / seen,
            .bounded = limit > 0 &&
                       static_cast<double>(used->max) >= kLimitShare * static_cast<double>(limit)};
}

}  // namespace

std::int64_t minute_of(TimePoint time) { return floor_of(time.us, kMinuteUs); }

DemandReading read_demand(const model::NodeRow& node, TimePoint now, Duration age_max) {
    if (node.power != model::Power::on) return {};
    const model::Utilisation use = model::utilisation_of(node, now, age_max);
    if (!use.cpu_measured || !use.memory_measured) return {};
    return {.value = use.blend(), .bounded = use.cpu && *use.cpu >= kFullShare};
}

DemandReading read_demand(const model::WorkloadRow& workload, DemandOf of, TimePoint now,
                          Duration age_max) {
    switch (of) {
        case DemandOf::cpu:
            return of_pods(workload.cpu_used_m, workload.cpu_limit_m, now, age_max);
        case DemandOf::memory:
            return of_pods(workload.memory_used, workload.memory_limit, now, age_max);
        case DemandOf::requests:
            if (const std::int64_t* rate = workload.requests_milli.fresh(now, age_max)) {
                return {.value = static_cast<double>(*rate) / 1'000.0};
            }
            return {};
        case DemandOf::node:
            break;
    }
    return {};
}

Closed fold_demand(const model::RoundInput& input, const model::Policy& policy,
                   model::DemandMemory& memory) {
    Closed closed;
    const model::Snapshot& snapshot = input.snapshot;
    const Duration age_max = policy.guard.metrics_age_max;
    const std::int64_t minute = minute_of(input.now);
    const auto look = [&](std::size_t kind) {
        return Look{minute, memory.fills[kind], memory.pasts[kind], closed[kind]};
    };
    const Look nodes = look(0);
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& node) {
        fold_one(nodes, slot, node.uid, read_demand(node, input.now, age_max));
    });
    forget_gone(snapshot.nodes, memory.fills[0]);
    forget_gone(snapshot.nodes, memory.pasts[0]);
    for (std::size_t kind = 1; kind < model::kDemandKinds; ++kind) {
        const Look one = look(kind);
        const auto of = static_cast<DemandOf>(kind);
        snapshot.workloads.for_each([&](Slot slot, const model::WorkloadRow& workload) {
            const DemandReading reading = read_demand(workload, of, input.now, age_max);
            // A series begins with its first measurement.
            const DemandFill* fill = one.fills.find(slot);
            const bool followed = fill != nullptr && fill->uid == workload.uid;
            if (followed || reading.value) fold_one(one, slot, workload.uid, reading);
        });
        forget_gone(snapshot.workloads, memory.fills[kind]);
        forget_gone(snapshot.workloads, memory.pasts[kind]);
    }
    return closed;
}

std::optional<double> minute_mean(const DemandPast& past, std::int64_t back) {
    if (back < 0 || back >= kMinutes) return std::nullopt;
    const double mean = past.minutes[place(past.newest - back, kMinutes)];
    return std::isfinite(mean) ? std::optional(mean) : std::nullopt;
}

bool was_bounded(const DemandPast& past, std::int64_t back) {
    return back >= 0 && back < kMinutes && ((past.bounded >> static_cast<unsigned>(back)) & 1U);
}

std::optional<double> half_hour_mean(const DemandPast& past, std::int64_t back) {
    if (back <= 0 || back > kHalfHours) return std::nullopt;
    const double mean = past.half_hours[place(floor_of(past.newest, kHalfHour) - back, kHalfHours)];
    return std::isfinite(mean) ? std::optional(mean) : std::nullopt;
}

std::optional<double> peak_after(const DemandPast& past, std::int64_t made, std::int64_t after,
                                 std::int64_t length, bool* bounded) {
    const std::int64_t first = made + 1 + after;
    const std::int64_t last = first + length - 1;
    if (last > past.newest) return std::nullopt;
    std::optional<double> peak;
    for (std::int64_t minute = first; minute <= last; ++minute) {
        const auto mean = minute_mean(past, past.newest - minute);
        if (!mean) return std::nullopt;
        if (bounded != nullptr) *bounded = *bounded || was_bounded(past, past.newest - minute);
        if (!peak || *mean > *peak) peak = mean;
    }
    return peak;
}

}  // namespace parley::prediction
