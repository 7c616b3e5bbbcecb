// Learn: series in; rows to train a model of demand, with simple forecasts for comparison, out.

#pragma once

#include "base/result.h"
#include "learn/rows/rows.h"
#include "learn/rows/series.h"
#include "learn/rows/split.h"

#include <cstddef>
#include <span>
#include <vector>

namespace parley::learn {

/// Labels are cut off at this many scales: rare extremes must not dominate the fit.
inline constexpr double kLabelMost = 20;

/// `rows.label` is (truth - now) / scale, so that one model serves all series; an entity is a
/// series. The other lists have one entry per row, in the series' own unit.
struct DemandRows {
    Rows rows;
    std::vector<double> now;
    std::vector<double> truth;
    std::vector<double> scale;   ///< Median of |change over the horizon| in the last day; above 0.
    std::vector<double> daily;   ///< The value a day before the one to be forecast; NaN: none.
    std::vector<double> weekly;  ///< The value a week before it; NaN: none.
    std::vector<double> holt;
    std::size_t steps = 0;  ///< How far ahead.
    Duration step;
    Duration horizon;  ///< How far ahead, if that is not a whole number of steps; else zero.
    /// Series of a run are served together: one level decides how wide their intervals are.
    bool share_level = false;
};

/// One row per step at which the series and its value `ahead` steps later are known and at least
/// two hours of it lie before. Features use only values up to t. All series must have the same
/// step.
[[nodiscard]] Result<DemandRows> demand_rows(std::span<const Series> series, std::size_t ahead);

/// Splits each series by time separately, since traces may be of different years.
[[nodiscard]] Result<Split> split_series(const DemandRows& demand);

}  // namespace parley::learn
