// How long does a day take with all layers, at 60-second rounds, with decisions recorded?
//
// PARLEY_BENCH_DIR names the folder for the record, by default the current one. PARLEY_BENCH_ROUNDS
// cuts the day short; the time is then scaled up, and the table says so.

#include "apps/session/session.h"
#include "bench/allocations.h"
#include "bench/cluster_rounds.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace parley;

constexpr std::int64_t kDayRounds = 24 * 60;

std::int64_t rounds_wanted() {
    const char* text = std::getenv("PARLEY_BENCH_ROUNDS");
    return text != nullptr ? std::strtoll(text, nullptr, 10) : kDayRounds;
}

double folder_mib(const std::string& folder) {
    double bytes = 0.0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) bytes += static_cast<double>(entry.file_size());
    }
    return bytes / (1024.0 * 1024.0);
}

void all_layers_day(benchmark::State& state) {
    const auto nodes = static_cast<std::int32_t>(state.range(0));
    const char* base = std::getenv("PARLEY_BENCH_DIR");
    const std::string folder = join(base != nullptr ? base : ".", "all_layers_day.tmp");
    const std::int64_t rounds = rounds_wanted();
    std::int64_t accepted = 0;
    for (auto _ : state) {
        std::filesystem::remove_all(folder);
        auto session = app::Session::open({.scenario = std::make_shared<const sim::Scenario>(
                                               sim::sized(nodes, nodes, bench::kPodsPerWorkload)),
                                           .seed = 7,
                                           .policy = bench::open_policy(),
                                           .interval = seconds(60),
                                           .record = store::RecordLevel::decisions,
                                           .folder = folder});
        if (!session) return state.SkipWithError(session.error().message.c_str());
        for (std::int64_t i = 0; i < rounds; ++i) {
            if (const auto done = (*session)->round(); !done) {
                return state.SkipWithError(done.error().message.c_str());
            }
            accepted +=
                static_cast<std::int64_t>((*session)->last()->decision.verdict.accepted.size());
        }
        const auto closed = (*session)->finish(store::RunStatus::complete, "");
        if (!closed) return state.SkipWithError(closed.error().message.c_str());
    }
    state.counters["rounds"] = static_cast<double>(rounds);
    state.counters["day_rounds"] = static_cast<double>(kDayRounds);
    state.counters["accepted"] = static_cast<double>(accepted);
    state.counters["record_mib"] = folder_mib(folder);
    state.counters["peak_rss_mib"] = bench::peak_rss_mib();
    std::filesystem::remove_all(folder);
}

BENCHMARK(all_layers_day)
    ->Arg(5'000)
    ->Arg(20'000)
    ->Arg(100'000)
    ->Iterations(1)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kSecond);

}  // namespace

BENCHMARK_MAIN();
