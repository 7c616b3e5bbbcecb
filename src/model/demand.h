// Model: demand over time: what is remembered of a series, and what is forecast of it.

#pragma once

#include "base/describe.h"
#include "base/table.h"
#include "base/time.h"
#include "model/ids.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

/// What a series of demand measures. Series of nodes are stored at the node's slot, the others at
/// the slot of the workload.
enum class DemandOf : std::uint8_t {
    node,      ///< Share of a node that is used: 0.55 CPU + 0.35 memory.
    cpu,       ///< Millicores that a workload uses.
    memory,    ///< Bytes of memory that a workload uses.
    requests,  ///< Requests per second that a workload is offered.
};
BOOST_DESCRIBE_ENUM(DemandOf, node, cpu, memory, requests)
inline constexpr std::size_t kDemandKinds = 4;

/// Minutes ahead. A forecast is of the greatest one-minute mean between one minute from now and
/// then.
inline constexpr std::array<std::int64_t, 4> kDemandHorizonsMin = {1, 5, 15, 60};
inline constexpr std::size_t kDemandHorizons = kDemandHorizonsMin.size();

inline constexpr std::size_t kMinutesKept = 64;
inline constexpr std::size_t kHalfHoursKept = 52;  ///< One day, plus an hour before and after it.

/// The minute that is being filled; written in every round.
struct DemandFill {
    Uid uid;
    std::int64_t minute = 0;
    double sum = 0;
    std::int32_t count = 0;
    /// The pods are at their limit, so what they use is only a lower bound of demand.
    bool bounded = false;
    friend bool operator==(const DemandFill&, const DemandFill&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandFill, (), (uid, minute, sum, count, bounded))

/// Means of past minutes and half-hours; NaN where nobody measured. Written once a minute.
struct DemandPast {
    Uid uid;
    std::int64_t newest = 0;                     ///< The last complete minute.
    std::int64_t known = 0;                      ///< How many minutes ever had a mean.
    std::uint64_t bounded = 0;                   ///< A bit per minute, bit 0 for the newest.
    std::array<double, kMinutesKept> minutes{};  ///< Minute m is at index m modulo kMinutesKept.
    std::array<double, kHalfHoursKept> half_hours{};  ///< Likewise, modulo kHalfHoursKept.
    double half_sum = 0;                              ///< Of the current, incomplete half-hour.
    std::int32_t half_count = 0;
};
BOOST_DESCRIBE_STRUCT(DemandPast, (),
                      (uid, newest, known, bounded, minutes, half_hours, half_sum, half_count))

/// Nine of ten values should be between `low` and `high`.
struct DemandRange {
    double value = 0;
    double low = 0;
    double high = 0;
    friend bool operator==(const DemandRange&, const DemandRange&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandRange, (), (value, low, high))

/// A series with what is forecast of it, by kDemandHorizonsMin.
struct SeriesDemand {
    DemandOf of = DemandOf::node;
    Slot slot = kNoSlot;
    double now = 0;  ///< The mean of the last minute.
    std::array<DemandRange, kDemandHorizons> ahead{};
    friend bool operator==(const SeriesDemand&, const SeriesDemand&) = default;
};
BOOST_DESCRIBE_STRUCT(SeriesDemand, (), (of, slot, now, ahead))

/// A forecast that waits to be compared with what happens; one at a time for each series and
/// horizon.
struct HeldDemand {
    std::int64_t made = -1;  ///< After which minute it was made; below 0: none is held.
    double now = 0;
    double scale = 0;
    double by_model = 0;
    double half_width = 0;
    friend bool operator==(const HeldDemand&, const HeldDemand&) = default;
};
BOOST_DESCRIBE_STRUCT(HeldDemand, (), (made, now, scale, by_model, half_width))

struct DemandHeld {
    Uid uid;
    SeriesDemand said;
    std::array<HeldDemand, kDemandHorizons> held{};
    friend bool operator==(const DemandHeld&, const DemandHeld&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandHeld, (), (uid, said, held))

/// What a forecast is taken from: the model, or "stays as it is now" where that did better lately.
enum class DemandBy : std::uint8_t { model, standing };
BOOST_DESCRIBE_ENUM(DemandBy, model, standing)

/// How well the forecasts of one horizon did lately, over all series.
struct DemandLevel {
    /// Share of values that may fall outside the range; adapts to what is seen.
    double miss = 0.1;
    double model_error = 0;     ///< Mean |error| over scale; older errors count less.
    double standing_error = 0;  ///< The same for "stays as it is now".
    double weight = 0;          ///< Weight of both means; 0: no forecast could be checked yet.
    friend bool operator==(const DemandLevel&, const DemandLevel&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandLevel, (), (miss, model_error, standing_error, weight))

/// Kept only where a trained model of demand is served.
struct DemandMemory {
    std::array<Table<DemandFill>, kDemandKinds> fills;
    std::array<Table<DemandPast>, kDemandKinds> pasts;
    std::array<Table<DemandHeld>, kDemandKinds> helds;
    std::array<DemandLevel, kDemandHorizons> levels{};
};
BOOST_DESCRIBE_STRUCT(DemandMemory, (), (fills, pasts, helds, levels))

/// What one feature adds to a forecast of demand.
struct DemandPart {
    std::string feature;
    std::optional<double> value;  ///< In scales; nothing: the feature was missing.
    double adds = 0;              ///< In the unit of the series.
    friend bool operator==(const DemandPart&, const DemandPart&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandPart, (), (feature, value, adds))

/// Why a series is forecast to be where it is: now + base + all parts + others = value.
struct DemandReasons {
    DemandOf of = DemandOf::node;
    Slot slot = kNoSlot;
    std::uint32_t horizon = 0;  ///< Index into kDemandHorizonsMin.
    double now = 0;
    double base = 0;
    std::vector<DemandPart> parts;  ///< The largest first.
    double others = 0;
    friend bool operator==(const DemandReasons&, const DemandReasons&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandReasons, (), (of, slot, horizon, now, base, parts, others))

/// Forecasts of demand by a trained model; empty where none is served.
struct DemandForecast {
    std::string model;           ///< Its id.
    std::uint32_t features = 0;  ///< Version of the features that it saw.
    std::vector<DemandBy> by;    ///< For each horizon.
    std::vector<double> miss;    ///< For each horizon: the share of values that may fall outside.
    std::vector<SeriesDemand> series;    ///< Sorted by kind, then slot.
    std::vector<DemandReasons> reasons;  ///< For nodes that were acted on.
    friend bool operator==(const DemandForecast&, const DemandForecast&) = default;
};
BOOST_DESCRIBE_STRUCT(DemandForecast, (), (model, features, by, miss, series, reasons))

}  // namespace parley::model
