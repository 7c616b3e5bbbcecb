#include "traces/bitbrains.h"

#include "traces/table.h"

#include <array>
#include <map>

namespace parley::traces {
namespace {

constexpr Duration kStep = minutes(5);
constexpr std::int64_t kTimeMax = 4'102'444'800;
constexpr std::size_t kLinesKept = 20'000'000;
// Headings of the archive's own files: one file for each machine, named by its number.
constexpr std::array<std::string_view, 2> kOriginal = {"Timestamp [ms]", "CPU usage [MHZ]"};

/// By number; by name if a file is one machine.
using Machines = std::map<std::pair<std::int64_t, std::string>, Points>;

bool is_original(std::string_view text) {
    return text.substr(0, text.find('\n')).find(kOriginal[0]) != std::string_view::npos;
}

/// "rnd/2013-8/52.csv.gz" is machine 52.
std::string machine_of(std::string_view file) {
    const std::string name = file_name(file);
    return name.substr(0, name.find('.'));
}

Result<Machines> read_machines(const std::string& file, std::string_view text) {
    const bool original = is_original(text);
    constexpr std::array<std::string_view, 3> kWanted = {"timestamp_s", "cpu_usage_mhz", "vm"};
    auto table = original ? Table::open(file, text, kOriginal) : Table::open(file, text, kWanted);
    if (!table) return tl::unexpected(table.error());
    Machines machines;
    std::size_t lines = 0;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        // The archive's heading says ms, but its files hold seconds.
        const auto at = table->whole(0, 0, kTimeMax);
        if (!at) return tl::unexpected(at.error());
        const auto value = table->amount_or_missing(1);
        if (!value) return tl::unexpected(value.error());
        const auto number = original ? Result<std::int64_t>(0) : table->whole(2, 0, kTimeMax);
        if (!number) return tl::unexpected(number.error());
        if (++lines > kLinesKept) return table->refuse("it has too many lines");
        const std::string name = original ? machine_of(file) : std::to_string(*number);
        machines[{*number, name}].push_back({{*at * 1'000'000}, *value, table->line()});
        if (machines.size() > kSeriesMax) return table->refuse("it has too many machines");
    }
    return machines;
}

}  // namespace

Result<LoadTrace> import_bitbrains(const std::string& file, std::string_view text) {
    auto machines = read_machines(file, text);
    if (!machines) return tl::unexpected(machines.error());
    LoadTrace trace{.name = "bitbrains", .what = "CPU in use by a machine", .ahead = {1, 3, 12}};
    for (auto& [machine, points] : *machines) {
        if (auto fine = sort_by_time(file, points); !fine) return tl::unexpected(fine.error());
        auto values = on_steps(points, kStep);
        if (!values) return within(file + ": machine " + machine.second, values.error());
        trace.series.push_back({.name = "vm " + machine.second,
                                .unit = "MHz",
                                .start = points.front().at,
                                .step = kStep,
                                .values = std::move(*values)});
    }
    return trace;
}

}  // namespace parley::traces
