// `failing-node` is the first run in the documentation: safety must overrule efficiency in it.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace parley::scenarios {
namespace {

bool safety_beats_efficiency(const Published& round) {
    return accepted_in(round).starts_with("AgentA:") &&
           overruled_in(round) == std::vector{model::Role::efficiency};
}

TEST(FailingNode, safety_overrules_efficiency_in_round_11_of_seed_7) {
    const Rounds rounds = run({.scenario = "failing-node", .seed = 7, .rounds = 11});
    ASSERT_EQ(rounds.size(), 11U);
    const Published& round = *rounds[10];
    EXPECT_EQ(accepted_in(round), "AgentA:migrate");
    EXPECT_EQ(overruled_in(round), std::vector{model::Role::efficiency});
    EXPECT_EQ(text_of(round.decision.verdict.accepted[0].target), "node-02");
}

TEST(FailingNode, safety_overrules_efficiency_whatever_the_seed) {
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
        const Rounds rounds = run({.scenario = "failing-node", .seed = seed, .rounds = 40});
        EXPECT_TRUE(std::ranges::any_of(
            rounds, [](const auto& round) { return safety_beats_efficiency(*round); }))
            << "seed " << seed;
    }
}

}  // namespace
}  // namespace parley::scenarios
