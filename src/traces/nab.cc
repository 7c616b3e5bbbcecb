#include "traces/nab.h"

#include "base/number.h"
#include "base/time_text.h"
#include "traces/table.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parley::traces {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// A time without a zone is taken as UTC; one without seconds, or a day alone, as its beginning.
Result<std::int64_t> seconds_of(std::string_view text) {
    constexpr std::size_t kDayEnds = 10;
    constexpr std::size_t kMinuteEnds = 16;
    std::string iso(text);
    if (iso.size() == kDayEnds) iso += "T00:00";
    if (iso.size() > kDayEnds && iso[kDayEnds] == ' ') iso[kDayEnds] = 'T';
    if (iso.size() == kMinuteEnds) iso += ":00";
    const bool zoned =
        iso.ends_with('Z') ||
        iso.find_first_of("+-", std::min(iso.size(), kMinuteEnds)) != std::string::npos;
    const auto time = parse_time(zoned ? iso : iso + "Z");
    if (!time) return tl::unexpected(time.error());
    return time->us / 1'000'000;
}

}  // namespace

Result<LoadTrace> import_nab(const std::string& file, std::string_view text) {
    constexpr std::array<std::string_view, 2> kWanted = {"timestamp", "value"};
    auto table = Table::open(file, text, kWanted);
    if (!table) return tl::unexpected(table.error());
    Points points;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto at = seconds_of(table->text(0));
        if (!at) {
            return table->refuse("timestamp must be such as 2014-04-10 00:04:00, not " +
                                 in_quotes(table->text(0)));
        }
        const auto value = table->missing(1) ? Result<double>(kNothing) : table->number(1);
        if (!value) return tl::unexpected(value.error());
        if (points.size() == kSeriesPointsMax) return table->refuse("it has too many lines");
        points.emplace_back(*at, *value);
    }
    // Lines of an hour that comes twice a year, and other repeats, count where they fall.
    sort_by_time(points);
    const std::int64_t step_s = usual_step(points);
    if (step_s <= 0 || step_s > kDay)
        return table->refuse("its lines have no usual distance in time");
    auto values = on_steps(points, step_s);
    if (!values) return within(file, values.error());
    LoadTrace trace{.name = "nab", .what = "the metric's value"};
    for (const std::size_t ahead : {1U, 3U, 12U})  // A day is as far as forecasts reach.
        if (static_cast<std::int64_t>(ahead) * step_s <= kDay) trace.ahead.push_back(ahead);
    trace.series.push_back({.name = file_name(file),
                            .unit = "unit of the metric",
                            .start = {points.front().first * 1'000'000},
                            .step = seconds(step_s),
                            .values = std::move(*values)});
    return trace;
}

}  // namespace parley::traces
