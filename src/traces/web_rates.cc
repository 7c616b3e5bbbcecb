#include "traces/web_rates.h"

#include "traces/table.h"

#include <array>
#include <cmath>
#include <limits>

namespace parley::traces {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMinute = 60;

void mask_outages(std::vector<double>& seconds) {
    for (std::size_t from = 0; from < seconds.size();) {
        std::size_t to = from;
        while (to < seconds.size() && seconds[to] == 0) ++to;
        if (to - from >= kMinute)
            for (std::size_t i = from; i < to; ++i) seconds[i] = kNothing;
        from = to + 1;
    }
}

std::vector<double> minute_means(const std::vector<double>& seconds) {
    std::vector<double> means;
    for (std::size_t from = 0; from + kMinute <= seconds.size(); from += kMinute) {
        double sum = 0;
        std::size_t known = 0;
        for (std::size_t i = from; i < from + kMinute; ++i) {
            if (!std::isfinite(seconds[i])) continue;
            sum += seconds[i];
            ++known;
        }
        means.push_back(known * 2 >= kMinute ? sum / static_cast<double>(known) : kNothing);
    }
    return means;
}

}  // namespace

Result<LoadTrace> import_web_rates(const std::string& file, std::string_view text) {
    constexpr std::array<std::string_view, 1> kWanted = {"rps"};
    auto table = Table::open(file, text, kWanted);
    if (!table) return tl::unexpected(table.error());
    std::vector<double> all;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto value = table->amount_or_missing(0);
        if (!value) return tl::unexpected(value.error());
        if (all.size() == kSeriesPointsMax) return table->refuse("it has too many seconds");
        all.push_back(*value);
    }
    mask_outages(all);
    LoadTrace trace{.name = "web-rates", .what = "requests per second", .ahead = {1, 5, 15, 60}};
    trace.series.push_back({.name = "requests",
                            .unit = "1/s",
                            .start = {},
                            .step = minutes(1),
                            .values = minute_means(all)});
    return trace;
}

}  // namespace parley::traces
