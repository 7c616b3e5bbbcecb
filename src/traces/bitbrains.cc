#include "traces/bitbrains.h"

#include "traces/table.h"

#include <array>
#include <map>

namespace parley::traces {
namespace {

constexpr std::int64_t kStep = 300;
constexpr std::int64_t kTimeMax = 4'102'444'800;
constexpr std::size_t kLinesKept = 20'000'000;

}  // namespace

Result<LoadTrace> import_bitbrains(std::string_view text) {
    constexpr std::array<std::string_view, 3> kWanted = {"vm", "timestamp_s", "cpu_usage_mhz"};
    auto table = Table::open("machines", text, kWanted);
    if (!table) return tl::unexpected(table.error());
    std::map<std::int64_t, std::vector<std::pair<std::int64_t, double>>> machines;
    std::size_t lines = 0;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto id = table->whole(0, 0, kTimeMax);
        const auto at = table->whole(1, 0, kTimeMax);
        for (const auto* field : {&id, &at})
            if (!*field) return tl::unexpected(field->error());
        const auto value = table->number(2);
        if (!value) return tl::unexpected(value.error());
        if (++lines > kLinesKept) return table->refuse("it has too many lines");
        machines[*id].emplace_back(*at, *value);
        if (machines.size() > kSeriesMax) return table->refuse("it has too many machines");
    }
    LoadTrace trace{.name = "bitbrains", .what = "CPU in use by a machine", .ahead = {1, 3, 12}};
    for (const auto& [id, points] : machines) {
        auto values = on_steps(points, kStep);
        if (!values) return within("machine " + std::to_string(id), values.error());
        trace.series.push_back({.name = "vm " + std::to_string(id),
                                .unit = "MHz",
                                .start = {points.front().first * 1'000'000},
                                .step = seconds(kStep),
                                .values = std::move(*values)});
    }
    return trace;
}

}  // namespace parley::traces
