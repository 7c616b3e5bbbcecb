// Traces: what every importer of demand makes, and what they share.

#pragma once

#include "base/result.h"
#include "learn/series.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

/// When, in seconds, and what; NaN where nobody knows.
using Points = std::vector<std::pair<std::int64_t, double>>;

/// In order of time; points of one time keep theirs.
void sort_by_time(Points& points);

/// The most frequent distance of two points that follow each other; 0 if there are none.
std::int64_t usual_step(const Points& points);

/// Points, in order of time, put onto even steps: the last of a step counts, a step without one is
/// NaN. Refuses a span that no memory holds, and points that are usually nearer or farther apart.
[[nodiscard]] Result<std::vector<double>> on_steps(const Points& points, std::int64_t step_s);

std::string file_name(std::string_view path);

}  // namespace parley::traces
