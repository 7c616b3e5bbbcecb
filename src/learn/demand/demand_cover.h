// Learn: how often intervals of demand held: rows with forecasts in, coverage out.

#pragma once

#include "learn/report/report.h"
#include "learn/rows/demand_rows.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::learn {

/// Row numbers and their forecasts, in the series' own unit.
struct ForecastSlice {
    std::span<const std::uint32_t> numbers;
    std::span<const double> forecast;
};

/// |error| / scale of each row.
std::vector<double> scaled_errors(const DemandRows& demand, const ForecastSlice& slice);

/// Replays the test slice. If the series of a run share a level, it goes as in serving: the errors
/// of the calibration slice give the width, one level for all series of a run follows how often
/// they missed, and a day is one of the whole run. Otherwise each series has its own level, which
/// begins with its errors of the calibration slice. `persistence_mae` is that of the test slice.
Coverage cover(const DemandRows& demand, const ForecastSlice& calibrate, const ForecastSlice& test,
               double persistence_mae);

}  // namespace parley::learn
