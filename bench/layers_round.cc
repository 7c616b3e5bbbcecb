// How long do layers 2 to 4 take for one round, and does the time grow in proportion to the
// cluster? Each iteration does what `decide` does between observing and executing, on a copy of the
// memory of the round before.

#include "bench/cluster_rounds.h"
#include "guard/guard.h"
#include "layers/arbitration/referee.h"
#include "layers/decide.h"
#include "layers/prediction/features.h"
#include "layers/prediction/predict.h"
#include "layers/proposal/propose.h"

#include <benchmark/benchmark.h>

#include <map>
#include <utility>

namespace {

using namespace parley;

constexpr std::size_t kRounds = 8;

/// The last round of a run, and the memory it starts from.
struct Round {
    model::RoundInput input;
    model::Memory memory;
};

const Round& round_of(std::int32_t nodes) {
    static std::map<std::int32_t, Round> rounds;
    const auto found = rounds.find(nodes);
    if (found != rounds.end()) return found->second;
    sim::World world = bench::sized_world(nodes, 7);
    auto inputs = bench::observe(world, kRounds, seconds(60));
    const model::Policy policy = bench::open_policy();
    model::Memory memory;
    for (std::size_t i = 0; i + 1 < inputs.size(); ++i) {
        memory = decide(inputs[i], memory, policy).next;
    }
    return rounds.emplace(nodes, Round{std::move(inputs.back()), std::move(memory)}).first->second;
}

/// As in decide.cc, without executing and scoring.
model::Verdict layers(const model::RoundInput& input, model::Memory& next,
                      const model::Policy& policy) {
    prediction::fold(input, policy, next.derived);
    model::Forecast forecast = prediction::predict(input, next, policy);
    prediction::note_over(forecast, input, policy, next.derived);
    prediction::note_idle(forecast, input, policy, next.derived);
    next.ledger.breaker = guard::next_breaker(input, forecast, next, policy);
    prediction::judge_danger(forecast, input, next, policy);
    auto proposals = proposal::propose(input, forecast, next, policy);
    const guard::Facts facts(input, forecast, next, policy);
    return arbitration::Referee(policy).judge(facts, forecast, std::move(proposals));
}

model::Policy policy_of(model::PredictorKind predictor) {
    model::Policy policy = bench::open_policy();
    policy.predictor = predictor;
    return policy;
}

void layers_2_to_4(benchmark::State& state, model::PredictorKind predictor) {
    const Round& round = round_of(static_cast<std::int32_t>(state.range(0)));
    const model::Policy policy = policy_of(predictor);
    std::size_t judged = 0;
    for (auto _ : state) {
        model::Memory next = round.memory;
        judged += layers(round.input, next, policy).judged.size();
    }
    if (std::cmp_less(judged, state.iterations() * 3))
        state.SkipWithError("an agent did not answer");
    state.counters["nodes"] = static_cast<double>(round.input.snapshot.nodes.size());
    state.counters["pods"] = static_cast<double>(round.input.snapshot.pods.size());
}

/// As layers_2_to_4, but every chunk of the table of pods is new in each round, as when the metrics
/// of all of them have come.
void all_pods_changed(benchmark::State& state) {
    Round round = round_of(static_cast<std::int32_t>(state.range(0)));
    const model::Policy policy = bench::open_policy();
    Table<model::PodRow>& pods = round.input.snapshot.pods;
    for (auto _ : state) {
        state.PauseTiming();
        for (Slot slot = 0; slot < pods.end_slot(); ++slot) {
            if (pods.has(slot)) pods.edit(slot).first.cpu_used_m += 1;
        }
        model::Memory next = round.memory;
        state.ResumeTiming();
        benchmark::DoNotOptimize(layers(round.input, next, policy));
    }
}

void whole_decide(benchmark::State& state) {
    const Round& round = round_of(static_cast<std::int32_t>(state.range(0)));
    const model::Policy policy = bench::open_policy();
    for (auto _ : state) {
        benchmark::DoNotOptimize(decide(round.input, round.memory, policy));
    }
    state.counters["nodes"] = static_cast<double>(round.input.snapshot.nodes.size());
}

#define PARLEY_SIZES                                                           \
    Arg(100)->Arg(500)->Arg(1000)->Arg(5000)->Arg(20'000)->Arg(100'000)->Unit( \
        benchmark::kMillisecond)
BENCHMARK_CAPTURE(layers_2_to_4, evidence, model::PredictorKind::evidence)->PARLEY_SIZES;
BENCHMARK_CAPTURE(layers_2_to_4, formula, model::PredictorKind::formula)->PARLEY_SIZES;
BENCHMARK(all_pods_changed)->PARLEY_SIZES;
BENCHMARK(whole_decide)->PARLEY_SIZES;

}  // namespace

BENCHMARK_MAIN();
