// Layer 2, prediction: a round's input in, the memory of every series of demand updated. Training
// and serving use this same code.

#pragma once

#include "model/demand.h"
#include "model/round.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace parley::prediction {

/// The minute that contains a time, counted from the epoch.
std::int64_t minute_of(TimePoint time);

/// What a series reads in one round.
struct DemandReading {
    std::optional<double> value;  ///< Nothing: not measured, or too old.
    bool bounded = false;         ///< At its limit, so that more may be wanted than is used.
};

/// A node's share is measured only if both CPU and memory are. A workload's pods without a sample
/// count as the mean of the others.
DemandReading read_demand(const model::NodeRow& node, TimePoint now, Duration age_max);
DemandReading read_demand(const model::WorkloadRow& workload, model::DemandOf of, TimePoint now,
                          Duration age_max);

/// Folds one round into fills and pasts, and returns, by kind, the slots of the series whose minute
/// ended in it. A series belongs to a uid; when that is gone, so is the series. Pure.
using Closed = std::array<std::vector<Slot>, model::kDemandKinds>;
Closed fold_demand(const model::RoundInput& input, const model::Policy& policy,
                   model::DemandMemory& memory);

/// The mean of the minute `back` minutes before the newest; nothing if it is not known or no longer
/// kept.
std::optional<double> minute_mean(const model::DemandPast& past, std::int64_t back);
/// Whether usage was at its limit in that minute.
bool was_bounded(const model::DemandPast& past, std::int64_t back);
/// The mean of the half-hour `back` half-hours before the one that contains the newest minute.
std::optional<double> half_hour_mean(const model::DemandPast& past, std::int64_t back);

/// The greatest mean of the `length` minutes that begin `after` minutes after the minute `made`;
/// nothing if one of them is still to come, not known, or no longer kept. `bounded`, if given, is
/// set if one was at its limit.
std::optional<double> peak_after(const model::DemandPast& past, std::int64_t made,
                                 std::int64_t after, std::int64_t length, bool* bounded = nullptr);

}  // namespace parley::prediction
