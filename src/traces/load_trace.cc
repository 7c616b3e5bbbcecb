#include "traces/load_trace.h"

#include "base/time_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace parley::traces {
namespace {

/// The median distance of consecutive points; zero if there are too few.
Duration middle_step(const Points& points) {
    constexpr std::size_t kFewest = 10;
    std::vector<Duration> steps;
    for (std::size_t i = 1; i < points.size(); ++i)
        steps.push_back(points[i].at - points[i - 1].at);
    if (steps.size() < kFewest) return {};
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return *middle;
}

}  // namespace

Result<void> sort_by_time(const std::string& file, Points& points) {
    std::ranges::sort(points, {}, [](const Point& each) { return std::pair(each.at, each.line); });
    const auto twice = std::ranges::adjacent_find(points, {}, &Point::at);
    if (twice == points.end()) return {};
    return fail(ErrorCode::malformed,
                file + ":" + std::to_string((twice + 1)->line) + ": the time " +
                    print_time(twice->at) + " stands in line " + std::to_string(twice->line) +
                    " already; give each time once, with a zone where an hour comes twice");
}

Duration usual_step(const Points& points) {
    std::map<Duration, std::size_t> counts;
    for (std::size_t i = 1; i < points.size(); ++i) ++counts[points[i].at - points[i - 1].at];
    const auto most = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? Duration{} : most->first;
}

Result<std::vector<double>> on_steps(const Points& points, Duration step) {
    std::vector<double> values;
    if (points.empty() || step.us <= 0) return values;
    // Points a few seconds early or late fall onto their step; with another step, values would
    // silently be dropped or pulled apart.
    const Duration usual = middle_step(points);
    if (usual.us > 0 && (usual < step - step / 4 || usual > step + step / 4)) {
        return fail(ErrorCode::malformed, "its lines are " + print_duration(usual) +
                                              " apart where " + print_duration(step) +
                                              " are expected; bring them to that distance");
    }
    const TimePoint first = points.front().at;
    for (const Point& each : points) {
        const auto place = static_cast<std::size_t>((each.at - first + step / 2).us / step.us);
        if (place >= kSeriesPointsMax)
            return fail(ErrorCode::malformed, "times of a series span more steps than can be held");
        if (place >= values.size())
            values.resize(place + 1, std::numeric_limits<double>::quiet_NaN());
        values[place] = each.value;
    }
    return values;
}

Result<TimePoint> time_in(std::string_view text) {
    constexpr std::size_t kDayEnds = 10;
    constexpr std::size_t kMinuteEnds = 16;
    std::string iso(text);
    if (iso.size() == kDayEnds) iso += "T00:00";
    if (iso.size() > kDayEnds && iso[kDayEnds] == ' ') iso[kDayEnds] = 'T';
    if (iso.size() == kMinuteEnds) iso += ":00";
    const bool zoned =
        iso.ends_with('Z') ||
        iso.find_first_of("+-", std::min(iso.size(), kMinuteEnds)) != std::string::npos;
    return parse_time(zoned ? iso : iso + "Z");
}

std::string file_name(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace parley::traces
