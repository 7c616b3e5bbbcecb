// Traces: what every importer of demand makes, and functions they share.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "learn/rows/series.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parley::traces {

struct LoadTrace {
    std::string name;
    std::string what;  ///< What is forecast, as part of a sentence.
    std::vector<learn::Series> series;
    std::vector<std::size_t> ahead;  ///< Steps worth forecasting, nearest first.
};

inline constexpr std::size_t kSeriesPointsMax = 10'000'000;
inline constexpr std::size_t kSeriesMax = 10'000;

struct Point {
    TimePoint at;
    double value = 0;      ///< NaN: unknown.
    std::size_t line = 0;  ///< Of the file, for messages.
    friend bool operator==(const Point&, const Point&) = default;
};
using Points = std::vector<Point>;

/// Sorts by time. Refuses a time that occurs twice: nobody knows which line is true.
[[nodiscard]] Result<void> sort_by_time(const std::string& file, Points& points);

/// The most frequent distance between consecutive points; zero if there are none.
Duration usual_step(const Points& points);

/// Puts points, sorted by time, onto even steps: the last of a step counts, a step without one is
/// NaN. Refuses a span too long for memory, and points that are usually closer or farther apart
/// than the step.
[[nodiscard]] Result<std::vector<double>> on_steps(const Points& points, Duration step);

/// A time as people write it: RFC 3339, with a blank for the T, without seconds, or just a day.
/// Without a zone it is UTC.
[[nodiscard]] Result<TimePoint> time_in(std::string_view text);

std::string file_name(std::string_view path);

}  // namespace parley::traces
