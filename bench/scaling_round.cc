// How long does a round take that scales thousands of workloads, and does it grow in step with
// them? Each iteration judges as many scalings, begins what is accepted, and folds the answers of
// the round before: all that `decide` does about them but predicting and proposing.

#include "fake/small_round.h"
#include "layers/arbitration/referee.h"
#include "layers/execution/begin.h"
#include "layers/execution/ledger_fold.h"
#include "model/coded.h"

#include <benchmark/benchmark.h>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace parley;

struct Fleet {
    fake::SmallRound round{200};
    std::vector<model::Proposal> wanted;

    explicit Fleet(std::int64_t workloads) {
        round.input.run = 1;
        round.policy.scales_per_round_max = static_cast<std::int32_t>(workloads);
        for (std::int64_t i = 0; i < workloads; ++i) {
            const auto id = fake::workload_id("shop", "app-" + std::to_string(i));
            round.add_workload(id, 4);
            wanted.push_back({.role = model::Role::scaling,
                              .action = model::Scale{{4, 5, 2, 10}},
                              .target = id,
                              .score = static_cast<double>(i)});
        }
    }
};

/// What comes back for a scaling that goes well: its mark, then its replicas.
void answer(const model::OpenAction& action, TimePoint at, std::vector<model::ActionEvent>& into) {
    model::Live live{.exists = true, .uid = action.uid, .version = 1};
    for (int step = 0; step < 2; ++step) {
        into.push_back({action.id, at, model::Seen{live, ""}});
        into.push_back({action.id, at, model::Answered{}});
        live.mark = action.id;
    }
}

void scale_all(benchmark::State& state) {
    const Fleet fleet(state.range(0));
    std::size_t accepted = 0;
    std::size_t ledger = 0;
    for (auto _ : state) {
        model::Memory memory = fleet.round.memory;
        const guard::Facts facts(fleet.round.input, fleet.round.forecast, memory,
                                 fleet.round.policy);
        const model::Verdict verdict = arbitration::Referee(fleet.round.policy)
                                           .judge(facts, fleet.round.forecast, fleet.wanted);
        std::vector<model::Step> steps;
        execution::begin(verdict, fleet.round.forecast, fleet.round.input, fleet.round.policy,
                         memory, steps);
        accepted = verdict.accepted.size();
        model::RoundInput next = fleet.round.input;
        for (const model::Step& step : steps) answer(step.action, next.now, next.events);
        next.now = next.now + seconds(15);
        benchmark::DoNotOptimize(execution::remember(next, memory));
        if (!memory.scaling.empty()) state.SkipWithError("a scaling did not end");
        ledger = encode(memory.ledger).size();
    }
    if (std::cmp_not_equal(accepted, state.range(0))) state.SkipWithError("not all were accepted");
    state.counters["ledger_bytes"] = static_cast<double>(ledger);
}
BENCHMARK(scale_all)->Arg(500)->Arg(1000)->Arg(2000)->Arg(5000)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
