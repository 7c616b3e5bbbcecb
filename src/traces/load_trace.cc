#include "traces/load_trace.h"

#include "base/time_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace parley::traces {
namespace {

/// The median of what lies between two points; 0 if there are too few to speak of a rhythm.
std::int64_t middle_step(const Points& points) {
    constexpr std::size_t kFewest = 10;
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const std::int64_t step = points[i].first - points[i - 1].first;
        if (step > 0) steps.push_back(step);
    }
    if (steps.size() < kFewest) return 0;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace

void sort_by_time(Points& points) {
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(points[i].first, i); });
    Points sorted;
    sorted.reserve(points.size());
    for (const std::size_t i : order) sorted.push_back(points[i]);
    points = std::move(sorted);
}

std::int64_t usual_step(const Points& points) {
    std::map<std::int64_t, std::size_t> counts;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const std::int64_t step = points[i].first - points[i - 1].first;
        if (step > 0) ++counts[step];  // Lines of one time say nothing of it.
    }
    const auto most = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? 0 : most->first;
}

Result<std::vector<double>> on_steps(const Points& points, std::int64_t step_s) {
    std::vector<double> values;
    if (points.empty() || step_s <= 0) return values;
    // A few seconds early or late fall onto their step; another rhythm would be thinned out or torn
    // apart without a word.
    const std::int64_t usual = middle_step(points);
    if (usual > 0 && (usual < step_s - step_s / 4 || usual > step_s + step_s / 4)) {
        return fail(ErrorCode::malformed, "its lines are " + print_duration(seconds(usual)) +
                                              " apart where " + print_duration(seconds(step_s)) +
                                              " are expected; bring them to that distance");
    }
    const std::int64_t first = points.front().first;
    for (const auto& [at, value] : points) {
        const auto place = static_cast<std::size_t>((at - first + step_s / 2) / step_s);
        if (place >= kSeriesPointsMax)
            return fail(ErrorCode::malformed, "times of a series span more steps than can be held");
        if (place >= values.size())
            values.resize(place + 1, std::numeric_limits<double>::quiet_NaN());
        values[place] = value;
    }
    return values;
}

std::string file_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace parley::traces
