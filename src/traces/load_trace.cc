#include "traces/load_trace.h"

#include <limits>

namespace parley::traces {

Result<std::vector<double>> on_steps(const std::vector<std::pair<std::int64_t, double>>& points,
                                     std::int64_t step_s) {
    std::vector<double> values;
    if (points.empty() || step_s <= 0) return values;
    const std::int64_t first = points.front().first;
    std::int64_t before = first;
    for (const auto& [at, value] : points) {
        if (at < before)
            return fail(ErrorCode::malformed, "times of a series must not fall; sort its lines");
        before = at;
        const auto place = static_cast<std::size_t>((at - first + step_s / 2) / step_s);
        if (place >= kSeriesPointsMax)
            return fail(ErrorCode::malformed, "times of a series span more steps than can be held");
        values.resize(place + 1, std::numeric_limits<double>::quiet_NaN());
        values[place] = value;
    }
    return values;
}

}  // namespace parley::traces
