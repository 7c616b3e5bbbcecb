#include "traces/datacenter_utilisation.h"

#include "traces/table.h"

#include <span>
#include <string>

namespace parley::traces {
namespace {

constexpr std::int64_t kTimeMax = 4'102'444'800;

struct Kind {
    std::string_view column;
    const char* name;
    const char* unit;
};
constexpr Kind kKinds[] = {{"avg_cpu", "google2019", "share of capacity"},
                           {"cpu_usage", "azure2017", "percent of a core"},
                           {"cpu_util_percent", "alibaba2018", "percent"}};

/// By the column that the heading has; null if it has none of them.
const Kind* kind_of(const std::string& file, std::string_view text) {
    for (const Kind& kind : kKinds)
        if (Table::open(file, text, std::span(&kind.column, 1))) return &kind;
    return nullptr;
}

}  // namespace

Result<LoadTrace> import_datacenter(const std::string& file, std::string_view text) {
    const Kind* kind = kind_of(file, text);
    if (kind == nullptr) {
        return fail(
            ErrorCode::malformed,
            file +
                ":1: its heading has neither avg_cpu nor cpu_usage nor cpu_util_percent; is it the "
                "right file?");
    }
    const bool timed = kind->column == "cpu_usage";
    const std::string name = file_name(file);
    const std::int64_t step_s = kind->column == "cpu_util_percent" &&
                                        name.find("30s") != std::string::npos &&
                                        name.find("300s") == std::string::npos
                                    ? 30
                                    : 300;
    std::vector<std::string_view> wanted = {kind->column};
    if (timed) wanted.emplace_back("timestamp");
    auto table = Table::open(file, text, wanted);
    if (!table) return tl::unexpected(table.error());
    Points points;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (points.size() == kSeriesPointsMax) return table->refuse("it has too many lines");
        const auto value = table->amount_or_missing(0);
        if (!value) return tl::unexpected(value.error());
        auto at = static_cast<std::int64_t>(points.size()) * step_s;
        if (timed) {
            const auto time = table->whole(1, 0, kTimeMax);
            if (!time) return tl::unexpected(time.error());
            at = *time;
        }
        points.push_back({{at * 1'000'000}, *value, table->line()});
    }
    if (auto fine = sort_by_time(file, points); !fine) return tl::unexpected(fine.error());
    auto values = on_steps(points, seconds(step_s));
    if (!values) return within(file, values.error());
    LoadTrace trace{.name = kind->name, .what = "CPU in use over all machines"};
    trace.series.push_back({.name = kind->name,
                            .unit = kind->unit,
                            .start = {},
                            .step = seconds(step_s),
                            .values = std::move(*values)});
    trace.ahead = step_s == 30 ? std::vector<std::size_t>{2, 10, 30, 120}
                               : std::vector<std::size_t>{1, 3, 12};
    return trace;
}

}  // namespace parley::traces
