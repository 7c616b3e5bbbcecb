// Traces: what every importer of demand makes, and what they share.

#pragma once

#include "base/result.h"
#include "learn/series.h"

#include <cstddef>
#include <cstdint>
#include <string>
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

/// Points in seconds put onto even steps: the last of a step counts, a step without one is NaN.
/// Refuses times that fall, and a span that no memory holds.
[[nodiscard]] Result<std::vector<double>> on_steps(
    const std::vector<std::pair<std::int64_t, double>>& points, std::int64_t step_s);

}  // namespace parley::traces
