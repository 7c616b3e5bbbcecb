// How long does a simulated day take, how much memory does it need, does an event allocate, and how
// does an event compare with a bare heap?
//
// No actions, no record. In `world_day` the metric sources still measure, as in a run; in
// `world_day_unseen` they are not asked.
//
// `world_events` and `heap_events` are a pair. The world writes down what happens in some hours
// (World::write_down): when, and to what. The peer is a std::priority_queue of just a time and a
// number, in which each of these events is popped when it happened, and pushed when the same thing
// happened to the same node, workload or pod before. The world keeps far fewer in its own queue,
// since a step settles all workloads in one sweep; the peer is the least that a simulator with an
// event for each of them has to do.

#include "bench/allocations.h"
#include "bench/cluster_rounds.h"
#include "sim/world/event_queue.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <unordered_map>
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
        world.advance(TimePoint{} + hours(1));  // After an hour, lists have reached their size.
        const std::uint64_t before = bench::allocations();
        const std::uint64_t events_before = world.events();
        world.advance(TimePoint{} + hours(kDayHours));
        allocated += bench::allocations() - before;
        counted += world.events() - events_before;
        events += world.events();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(events));
    state.counters["allocations"] = static_cast<double>(allocated);
    state.counters["allocations_per_event"] =
        static_cast<double>(allocated) / static_cast<double>(counted);
    state.counters["peak_rss_mib"] = bench::peak_rss_mib();
}

// The hours that are timed on both sides: the same events, from the same world.
TimePoint first_hour() { return TimePoint{} + hours(1); }
TimePoint last_hour(const benchmark::State& state) { return first_hour() + hours(state.range(2)); }

/// One hour of a cluster of which a day takes too long, after the one in which lists grow.
void world_hour(benchmark::State& state) {
    bench::reset_peak_rss();
    for (auto _ : state) {
        state.PauseTiming();
        sim::World world = world_of(state);
        world.advance(first_hour());
        state.ResumeTiming();
        world.advance(first_hour() + hours(1));
    }
    state.counters["peak_rss_mib"] = bench::peak_rss_mib();
}

void world_day(benchmark::State& state) { day_of(state, true); }
void world_day_unseen(benchmark::State& state) { day_of(state, false); }

void world_events(benchmark::State& state) {
    std::uint64_t events = 0;
    for (auto _ : state) {
        state.PauseTiming();
        sim::World world = world_of(state);
        world.advance(first_hour());
        const std::uint64_t before = world.events();
        state.ResumeTiming();
        world.advance(last_hour(state));
        events += world.events() - before;
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(events));
}

/// The smallest possible event of a bare heap.
struct Pending {
    sim::Ms at;
    std::uint32_t number;  ///< Its index among all that happened; decides between equal times.
};
struct Later {
    bool operator()(const Pending& a, const Pending& b) const {
        return a.at != b.at ? a.at > b.at : a.number > b.number;
    }
};
using Heap = std::priority_queue<Pending, std::vector<Pending>, Later>;

struct Replay {
    std::vector<Pending> first;  ///< What is pending at the beginning.
    std::vector<Pending> next;   ///< What is pushed when the event of this number was popped.
};

Replay replay_of(const std::vector<sim::Happening>& happenings) {
    const auto count = static_cast<std::uint32_t>(happenings.size());
    // What happens again only after these hours stays pending to the end.
    Replay replay{{}, std::vector<Pending>(count, {happenings.back().at + 1, count})};
    std::unordered_map<std::uint64_t, std::uint32_t> last;
    for (std::uint32_t i = 0; i < count; ++i) {
        const auto [found, is_new] = last.try_emplace(happenings[i].thing, i);
        if (is_new) {
            replay.first.push_back({happenings[i].at, i});
        } else {
            replay.next[found->second] = {happenings[i].at, i};
            found->second = i;
        }
    }
    return replay;
}

void heap_events(benchmark::State& state) {
    std::vector<sim::Happening> happenings;
    {
        sim::World world = world_of(state);
        world.advance(first_hour());
        world.write_down(&happenings);
        world.advance(last_hour(state));
    }
    const Replay replay = replay_of(happenings);
    const auto count = static_cast<std::uint32_t>(happenings.size());
    std::uint64_t wrong = 0;
    for (auto _ : state) {
        state.PauseTiming();
        std::vector<Pending> storage = replay.first;
        storage.reserve(replay.first.size() + 1);
        Heap heap(Later{}, std::move(storage));
        state.ResumeTiming();
        for (std::uint32_t i = 0; i < count; ++i) {
            const Pending event = heap.top();
            heap.pop();
            wrong += event.number != i;
            heap.push(replay.next[i]);
        }
    }
    if (wrong > 0) state.SkipWithError("the heap gave back another order than the world");
    state.SetItemsProcessed(state.iterations() * count);
    state.counters["pending"] = static_cast<double>(replay.first.size());
}

void once_each(benchmark::internal::Benchmark* bench) {
    bench->Args({100, 1'000})->Args({5'000, 150'000});
    bench->Iterations(1)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kSecond);
}
void some_hours(benchmark::internal::Benchmark* bench) {
    bench->Args({100, 1'000, 8})->Args({5'000, 150'000, 1});
    bench->Iterations(1)->Unit(benchmark::kSecond);
}
void large(benchmark::internal::Benchmark* bench) {
    bench->Args({5'000, 150'000})->Args({20'000, 600'000})->Args({100'000, 3'000'000});
    bench->Iterations(1)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kSecond);
}
BENCHMARK(world_day)->Apply(once_each);
BENCHMARK(world_hour)->Apply(large);
BENCHMARK(world_day_unseen)->Apply(once_each);
BENCHMARK(world_events)->Apply(some_hours);
BENCHMARK(heap_events)->Apply(some_hours);

}  // namespace

BENCHMARK_MAIN();
