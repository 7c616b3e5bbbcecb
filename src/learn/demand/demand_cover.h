// Learn: how often intervals of demand held: rows with forecasts in, coverage out.

#pragma once

#include "learn/report/report.h"
#include "learn/rows/demand_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::learn {

/// Rows by number, and what was forecast of each, in the series' own unit.
struct ForecastSlice {
    std::span<const std::uint32_t> numbers;
    std::span<const double> forecast;
};

/// |error| / scale of each.
std::vector<double> scaled_errors(const DemandRows& demand, const ForecastSlice& slice);

/// Plays the test slice through. Where series of a run share a level, as they are served: errors of
/// the calibration slice say how wide an interval is, one level for all series of a run follows how
/// often they missed, and a day is one of a whole run. Otherwise each series has its own, which
/// begins with its errors of the calibration slice. `persistence_mae` is that of the test slice.
Coverage cover(const DemandRows& demand, const ForecastSlice& calibrate, const ForecastSlice& test,
               double persistence_mae);

}  // namespace parley::learn
