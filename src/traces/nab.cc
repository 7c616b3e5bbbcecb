#include "traces/nab.h"

#include "base/number.h"
#include "base/time_text.h"
#include "traces/table.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parley::traces {
namespace {

constexpr Duration kDay = hours(24);
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

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
        const auto at = time_in(table->text(0));
        if (!at) {
            return table->refuse("timestamp must be such as 2014-04-10 00:04:00, not " +
                                 in_quotes(table->text(0)));
        }
        const auto value = table->missing(1) ? Result<double>(kNothing) : table->number(1);
        if (!value) return tl::unexpected(value.error());
        if (points.size() == kSeriesPointsMax) return table->refuse("it has too many lines");
        points.push_back({*at, *value, table->line()});
    }
    if (auto fine = sort_by_time(file, points); !fine) return tl::unexpected(fine.error());
    const Duration step = usual_step(points);
    if (step.us <= 0 || step > kDay)
        return table->refuse("its lines have no usual distance in time");
    auto values = on_steps(points, step);
    if (!values) return within(file, values.error());
    LoadTrace trace{.name = "nab", .what = "the metric's value"};
    for (const std::size_t ahead : {1U, 3U, 12U})  // Forecasts reach at most a day.
        if (step * static_cast<std::int64_t>(ahead) <= kDay) trace.ahead.push_back(ahead);
    trace.series.push_back({.name = file_name(file),
                            .unit = "unit of the metric",
                            .start = points.front().at,
                            .step = step,
                            .values = std::move(*values)});
    return trace;
}

}  // namespace parley::traces
