// How long does a simulated day take, how much memory, and does an event allocate?
//
// Nobody acts and nothing is recorded. In `world_day` the metric sources measure all the same, as
// they do in a run; in `world_day_unseen` nobody asks them. `bare_heap` is the peer for events per
// second: a std::priority_queue that does nothing but hold as many pending events as the world has
// things that change by themselves (nodes, workloads, sources), each of which comes again after the
// same delays as there (15 s steps and scrapes, 60 s noise). The world itself keeps far fewer in
// its queue, since a step settles all workloads in one sweep: what is compared is the price of one
// thing that happens.

#include "bench/allocations.h"
#include "bench/cluster_rounds.h"
#include "sim/event_queue.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace {

using namespace parley;

constexpr std::int64_t kDayHours = 24;

sim::World world_of(const benchmark::State& state) {
    const auto nodes = static_cast<std::int32_t>(state.range(0));
    const auto pods = static_cast<std::int32_t>(state.range(1));
    const std::int32_t workloads = pods / (nodes >= 1000 ? bench::kPodsPerWorkload : 10);
    return {std::make_shared<const sim::Scenario>(sim::sized(nodes, workloads, pods / workloads)),
            7};
}

void day_of(benchmark::State& state, bool seen) {
    std::uint64_t events = 0;
    std::uint64_t allocated = 0;
    std::uint64_t counted = 0;
    bench::reset_peak_rss();
    for (auto _ : state) {
        sim::World world = world_of(state);
        if (!seen) world.stop_reporting();
        world.advance(TimePoint{} + hours(1));  // Lists have found their size after an hour.
        const std::uint64_t before = bench::allocations();
        const std::uint64_t events_before = world.events();
        world.advance(TimePoint{} + hours(kDayHours));
        allocated += bench::allocations() - before;
        counted += world.events() - events_before;
        events += world.events();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(events));
    state.counters["allocations_per_event"] =
        static_cast<double>(allocated) / static_cast<double>(counted);
    state.counters["peak_rss_mib"] = bench::peak_rss_mib();
}

void world_day(benchmark::State& state) { day_of(state, true); }
void world_day_unseen(benchmark::State& state) { day_of(state, false); }

struct Later {
    bool operator()(const sim::Event& a, const sim::Event& b) const {
        return a.at != b.at ? a.at > b.at : a.order > b.order;
    }
};

void bare_heap(benchmark::State& state) {
    const auto pending = static_cast<std::uint32_t>(state.range(0));
    std::vector<sim::Event> storage;
    storage.reserve(pending + 1);
    std::priority_queue<sim::Event, std::vector<sim::Event>, Later> queue(Later{},
                                                                          std::move(storage));
    std::uint64_t order = 0;
    for (std::uint32_t i = 0; i < pending; ++i) {
        const auto at = static_cast<sim::Ms>(std::uint64_t{i} * 2'654'435'761U % 15'000);
        queue.push({at, order++, i, 0});
    }
    constexpr std::int64_t kBatch = 100'000;
    for (auto _ : state) {
        for (std::int64_t i = 0; i < kBatch; ++i) {
            sim::Event event = queue.top();
            queue.pop();
            event.at += event.entity % 5 == 0 ? 60'000 : 15'000;
            event.order = order++;
            queue.push(event);
        }
    }
    state.SetItemsProcessed(state.iterations() * kBatch);
}

void once_each(benchmark::internal::Benchmark* bench) {
    bench->Args({100, 1'000})->Args({5'000, 150'000});
    bench->Iterations(1)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kSecond);
}
BENCHMARK(world_day)->Apply(once_each);
BENCHMARK(world_day_unseen)->Apply(once_each);
BENCHMARK(bare_heap)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
