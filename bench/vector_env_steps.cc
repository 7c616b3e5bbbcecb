// How many workloads does sim::VectorEnv advance by 15 s in a second on one core? A cluster of 32
// nodes, 32 workloads and 256 pods under a random policy, resets included.

#include "base/random.h"
#include "bench/allocations.h"
#include "sim/learners/vector_env.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace parley;

/// Cheap compared with a step: a multiplication picks among the legal actions.
class RandomPolicy {
public:
    sim::EnvAction choose(std::uint8_t legal) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        const auto count = static_cast<std::uint64_t>(__builtin_popcount(legal));
        std::uint64_t skip = ((state_ >> 32) * count) >> 32;
        unsigned left = legal;
        for (; skip > 0; --skip) left &= left - 1;
        return static_cast<sim::EnvAction>(__builtin_ctz(left));
    }

private:
    std::uint64_t state_ = 42;
};

sim::VectorEnv cluster() {
    auto env = sim::VectorEnv::make(sim::learner_cluster(32, 32, 8));
    if (!env) {
        std::fprintf(stderr, "%s\n", env.error().message.c_str());
        std::exit(1);
    }
    return std::move(*env);
}

void vector_env(benchmark::State& state, bool acts) {
    sim::VectorEnv env = cluster();
    RandomPolicy policy;
    std::vector<sim::EnvAction> actions(env.workloads());
    std::uint64_t seed = 0;
    std::uint64_t allocated = 0;
    double reward = 0.0;
    for (auto _ : state) {
        env.reset(++seed);
        const std::uint64_t before = bench::allocations();
        do {
            for (std::size_t w = 0; w < actions.size() && acts; ++w) {
                actions[w] = policy.choose(env.legal()[w]);
            }
            env.step(actions);
            reward += env.rewards_true()[0];
        } while (!env.truncated());
        allocated += bench::allocations() - before;
    }
    benchmark::DoNotOptimize(reward);
    const auto steps = state.iterations() * 100 * static_cast<std::int64_t>(env.workloads());
    state.SetItemsProcessed(steps);
    state.counters["allocations_per_step"] =
        static_cast<double>(allocated) / static_cast<double>(steps);
}

BENCHMARK_CAPTURE(vector_env, random_policy, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(vector_env, nobody_acts, false)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
