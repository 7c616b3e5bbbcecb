// Learn: the test slice played through in order of time, with a correction a day: what people would
// have been told.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_quality.h"

#include <vector>

namespace parley::learn {

/// When the day of a time began.
TimePoint day_of(TimePoint time);

/// At the beginning of each day the rows of the last 28 days whose outcome is known by then, that
/// is `resolved_after` after the row, may give a correction; it holds for the rows of that day.
struct Served {
    std::vector<double> probability;  ///< One per number of the test.
    std::uint64_t adopted = 0;
};
Served serve(const RiskTest& test, Duration resolved_after);

ServedQuality judge_served(const RiskTest& test, Duration resolved_after);

}  // namespace parley::learn
