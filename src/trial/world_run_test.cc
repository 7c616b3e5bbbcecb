#include "trial/world_run.h"

#include "sim/scenario/builtin_scenarios.h"

#include <gtest/gtest.h>

namespace parley::trial {
namespace {

RunSetup setup_of(const std::string& scenario, std::uint64_t seed) {
    auto found = sim::builtin_scenario(scenario, seed);
    return {.scenario = std::make_shared<const sim::Scenario>(*std::move(found)),
            .seed = seed,
            .policy = open_policy()};
}

struct Tally {
    std::int64_t cost = 0;
    std::size_t accepted = 0;
    std::size_t events = 0;
};

Tally run(RunSetup setup, int rounds) {
    WorldRun run(std::move(setup));
    Tally tally;
    for (int i = 0; i < rounds; ++i) {
        run.decide_round();
        tally.accepted += run.decision().verdict.accepted.size();
        EXPECT_TRUE(run.carry_out_round([&](const model::ActionEvent&) -> Result<void> {
            ++tally.events;
            return {};
        }));
    }
    tally.cost = run.memory().derived.account.total();
    return tally;
}

TEST(WorldRun, the_same_seed_costs_the_same_and_another_does_not) {
    const Tally first = run(setup_of("mixed", 4), 120);
    EXPECT_EQ(first.cost, run(setup_of("mixed", 4), 120).cost);
    EXPECT_NE(first.cost, run(setup_of("mixed", 5), 120).cost);
    EXPECT_GT(first.events, 0U);
}

TEST(WorldRun, twins_change_no_decision) {
    RunSetup with = setup_of("failing-node", 7);
    with.twins = true;
    const Tally one = run(with, 200);
    const Tally other = run(setup_of("failing-node", 7), 200);
    EXPECT_EQ(one.cost, other.cost);
    EXPECT_EQ(one.accepted, other.accepted);
    EXPECT_EQ(one.events, other.events);
}

TEST(WorldRun, an_observer_sends_nothing) {
    RunSetup watching = setup_of("failing-node", 7);
    watching.mode = model::Mode::observe;
    const Tally tally = run(watching, 200);
    EXPECT_EQ(tally.events, 0U);
    EXPECT_GT(tally.accepted, 0U);
}

TEST(WorldRun, a_telling_that_fails_ends_it) {
    WorldRun run(setup_of("failing-node", 7));
    Result<void> done;
    for (int i = 0; i < 200 && done; ++i) {
        run.decide_round();
        done = run.carry_out_round(
            [](const model::ActionEvent&) -> Result<void> { return fail(ErrorCode::denied, "x"); });
    }
    EXPECT_FALSE(done);
}

}  // namespace
}  // namespace parley::trial
