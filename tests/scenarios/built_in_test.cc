// Every built-in scenario, several seeds: the invariants of run_scenario.h hold in every round.

#include "sim/scenario/builtin_scenarios.h"
#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

namespace parley::scenarios {
namespace {

class BuiltIn : public ::testing::TestWithParam<std::string> {};

TEST_P(BuiltIn, keeps_every_invariant) {
    for (const std::uint64_t seed : {1U, 7U, 31U}) {
        run({.scenario = GetParam(), .seed = seed, .rounds = 150});
        if (HasFailure()) return;
    }
}

TEST_P(BuiltIn, keeps_every_invariant_as_observer) {
    const Rounds rounds = run({.scenario = GetParam(), .rounds = 80, .mode = model::Mode::observe});
    for (const auto& round : rounds) {
        EXPECT_TRUE(round->memory.ledger.spent.empty() || !round->decision.score.ours);
        round->input.snapshot.nodes.for_each(
            [](Slot, const model::NodeRow& row) { EXPECT_FALSE(row.mark) << row.id.text(); });
    }
}

std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& each : sim::builtin_scenarios()) out.push_back(each.name);
    return out;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& param) {
    std::string name = param.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, BuiltIn, ::testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace parley::scenarios
