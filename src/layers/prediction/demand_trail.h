// Layer 2, prediction: a round's input in, what is remembered of every series of demand brought up
// to date. Training and serving fold with this same code.

#pragma once

#include "model/demand.h"
#include "model/round.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::prediction {

/// The minute that a time falls into, counted from the epoch.
std::int64_t minute_of(TimePoint time);

/// What a series reads in one round.
struct DemandReading {
    std::optional<double> value;  ///< Nothing: not measured, or too old.
    bool bounded = false;         ///< At its limit: more may be wanted than can be used.
};

/// A node's share is measured only where both CPU and memory are; a workload's pods without a
/// sample count as the mean of the others.
DemandReading read_demand(const model::NodeRow& node, TimePoint now, Duration age_max);
DemandReading read_demand(const model::WorkloadRow& workload, model::DemandOf of, TimePoint now,
                          Duration age_max);

/// Folds one round into fills and pasts, and gives the slots, by kind, of the series whose minute
/// ended in it. A series is its uid; one that is gone leaves nothing. Pure.
using Closed = std::array<std::vector<Slot>, model::kDemandKinds>;
Closed fold_demand(const model::RoundInput& input, const model::Policy& policy,
                   model::DemandMemory& memory);

/// The mean of the minute that is `back` before the newest; nothing if it is not known or not kept.
std::optional<double> minute_mean(const model::DemandPast& past, std::int64_t back);
/// Whether that minute was at its limit.
bool was_bounded(const model::DemandPast& past, std::int64_t back);
/// The mean of the half-hour that is `back` before the one in which the newest minute lies.
std::optional<double> half_hour_mean(const model::DemandPast& past, std::int64_t back);

/// The greatest mean of `length` minutes that begin `after` minutes after the minute `made`;
/// nothing while one of them is to come, is not known, or no longer kept. `bounded`, if given, says
/// whether one was at its limit.
std::optional<double> peak_after(const model::DemandPast& past, std::int64_t made,
                                 std::int64_t after, std::int64_t length, bool* bounded = nullptr);

}  // namespace parley::prediction
