// What does it cost to hand out a snapshot of 150,000 pods? For comparison, the same rows copied
// one by one, with names as strings.

#include "bench/cluster_rounds.h"

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace {

using namespace parley;

constexpr std::int32_t kNodes = 5000;

const model::Snapshot& snapshot() {
    static const model::Snapshot taken = [] {
        sim::World world = bench::sized_world(kNodes, 7);
        return bench::observe(world, 1, seconds(60)).back().snapshot;
    }();
    return taken;
}

/// A pod as it would be without interned names and shared chunks.
struct PlainPod {
    std::string name, workload, node;
    model::PodRow row;
};

const std::vector<PlainPod>& plain_pods() {
    static const std::vector<PlainPod> all = [] {
        std::vector<PlainPod> pods;
        const model::Snapshot& s = snapshot();
        s.pods.for_each([&](Slot, const model::PodRow& row) {
            const auto* work = s.workloads.find(row.workload);
            const auto* node = s.nodes.find(row.node);
            const std::string work_name = work != nullptr ? work->id.text() : "";
            pods.push_back({work_name + "-" + std::to_string(row.uid.low), work_name,
                            node != nullptr ? node->id.text() : "", row});
        });
        return pods;
    }();
    return all;
}

void copied_on_write(benchmark::State& state) {
    const model::Snapshot& source = snapshot();
    for (auto _ : state) {
        model::Snapshot copy = source;
        benchmark::DoNotOptimize(copy);
    }
    state.counters["pods"] = static_cast<double>(source.pods.size());
}

// Changed pods are far apart, so that each costs a separate chunk.
void copied_and_changed(benchmark::State& state) {
    const model::Snapshot& source = snapshot();
    const auto changes = static_cast<Slot>(state.range(0));
    const Slot apart = source.pods.end_slot() / changes;
    for (auto _ : state) {
        model::Snapshot copy = source;
        for (Slot i = 0; i < changes; ++i) ++copy.pods.edit(i * apart).restarts;
        benchmark::DoNotOptimize(copy);
    }
}

void copied_with_strings(benchmark::State& state) {
    const auto& source = plain_pods();
    for (auto _ : state) {
        std::vector<PlainPod> copy = source;
        benchmark::DoNotOptimize(copy.data());
    }
    state.counters["pods"] = static_cast<double>(source.size());
}

BENCHMARK(copied_on_write)->Unit(benchmark::kMicrosecond);
BENCHMARK(copied_and_changed)->Arg(1)->Arg(100)->Unit(benchmark::kMicrosecond);
BENCHMARK(copied_with_strings)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
