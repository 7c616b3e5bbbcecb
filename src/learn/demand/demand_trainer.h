// Learn: series or rows of demand in; trees, intervals and a report against all baselines out.

#pragma once

#include "learn/fit/booster.h"
#include "learn/report/report.h"
#include "learn/rows/demand_rows.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace parley::learn {

/// Squared error, since that is what served trees support; the stop slice is judged by the mean
/// absolute error. Labels are differences over their scale, so they begin at 0 and have no
/// prevalence.
BoosterParameters demand_parameters();

struct DemandOptions {
    std::string name;
    std::string what;
    BoosterParameters trees = demand_parameters();
    std::uint64_t seed = 0;
    Watch watch;  ///< Called after each round of any horizon.
};

/// A model for one horizon.
struct DemandModel {
    Booster booster;
    DemandHorizon report;
    std::vector<double> errors;  ///< |error| / scale on the calibration slice, in order of time.
    DataFacts data;
    std::vector<std::uint32_t> test_rows;
    std::vector<double> test_forecast;
};

inline constexpr std::size_t kDemandRowsMin = 500;

/// Refuses fewer than kDemandRowsMin training rows, and what check_rows refuses.
[[nodiscard]] Result<DemandModel> train_demand(const DemandRows& demand, const Split& split,
                                               const DemandOptions& options);

/// The report over several horizons, nearest first; at least one.
DemandReport demand_report(std::span<const DemandModel> models, const DemandOptions& options);

}  // namespace parley::learn
