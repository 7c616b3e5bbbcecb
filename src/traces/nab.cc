#include "traces/nab.h"

#include "base/number.h"
#include "base/time_text.h"
#include "traces/table.h"

#include <algorithm>
#include <array>
#include <map>

namespace parley::traces {
namespace {

constexpr std::int64_t kDay = 86'400;

Result<std::int64_t> seconds_of(std::string_view text) {
    std::string iso(text);
    if (iso.size() == 19 && iso[10] == ' ') iso[10] = 'T';
    const auto time = parse_time(iso + "Z");
    if (!time) return tl::unexpected(time.error());
    return time->us / 1'000'000;
}

std::int64_t usual_step(const std::vector<std::pair<std::int64_t, double>>& points) {
    std::map<std::int64_t, std::size_t> counts;
    for (std::size_t i = 1; i < points.size(); ++i) ++counts[points[i].first - points[i - 1].first];
    const auto most = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == counts.end() ? 0 : most->first;
}

}  // namespace

Result<LoadTrace> import_nab(std::string_view file, std::string_view text) {
    constexpr std::array<std::string_view, 2> kWanted = {"timestamp", "value"};
    auto table = Table::open("metric", text, kWanted);
    if (!table) return tl::unexpected(table.error());
    std::vector<std::pair<std::int64_t, double>> points;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto at = seconds_of(table->text(0));
        if (!at) {
            return table->refuse("timestamp must be such as 2014-04-10 00:04:00, not " +
                                 in_quotes(table->text(0)));
        }
        const auto value = table->number(1);
        if (!value) return tl::unexpected(value.error());
        if (points.size() == kSeriesPointsMax) return table->refuse("it has too many lines");
        points.emplace_back(*at, *value);
    }
    const std::int64_t step_s = usual_step(points);
    if (step_s <= 0 || step_s > kDay)
        return table->refuse("its lines have no usual distance in time");
    // Lines of an hour that comes twice a year, and other repeats, count where they fall.
    std::ranges::sort(points, {}, &std::pair<std::int64_t, double>::first);
    auto values = on_steps(points, step_s);
    if (!values) return within("metric", values.error());
    LoadTrace trace{.name = "nab", .what = "the metric's value", .ahead = {1, 3, 12}};
    trace.series.push_back({.name = std::string(file),
                            .unit = "unit of the metric",
                            .start = {points.front().first * 1'000'000},
                            .step = seconds(step_s),
                            .values = std::move(*values)});
    return trace;
}

}  // namespace parley::traces
