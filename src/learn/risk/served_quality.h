// Learn: replays the test slice in order of time with a daily correction: what people would have
// been told.

#pragma once

#include "learn/report/report.h"
#include "learn/risk/risk_quality.h"

#include <vector>

namespace parley::learn {

/// The beginning of the day of a time.
TimePoint day_of(TimePoint time);

/// At the beginning of each day the rows of the last 28 days whose outcome is known by then, which
/// is `resolved_after` after the row, may give a correction; it applies to the rows of that day.
struct Served {
    std::vector<double> probability;  ///< One per row of the test.
    std::uint64_t adopted = 0;
};
Served serve(const RiskTest& test, Duration resolved_after);

ServedQuality judge_served(const RiskTest& test, Duration resolved_after);

}  // namespace parley::learn
