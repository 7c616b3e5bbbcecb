#include "experiment/arms.h"

#include "sim/scenario/builtin_scenarios.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

namespace parley::experiment {
namespace {

RunOutcome run(ArmKind kind, const std::string& scenario, std::uint64_t seed) {
    auto found = sim::builtin_scenario(scenario, seed);
    return run_arm(arm_of(kind, trial::open_policy(), {}),
                   std::make_shared<const sim::Scenario>(*std::move(found)), seed,
                   {.length = hours(1), .interval = seconds(15)});
}

TEST(RunArm, the_same_seed_gives_the_same_outcome) {
    EXPECT_EQ(run(ArmKind::evidence, "mixed", 3), run(ArmKind::evidence, "mixed", 3));
}

TEST(RunArm, who_never_acts_disrupts_nothing_and_meets_the_same_failures) {
    // Scripted: in `mixed` a node that would fail by load may be saved.
    const RunOutcome never = run(ArmKind::never, "failing-node", 5);
    const RunOutcome other = run(ArmKind::evidence, "failing-node", 5);
    EXPECT_GT(never.failures, 0);
    EXPECT_EQ(never.failures, other.failures);
    EXPECT_GT(other.disruptive, 0);
    EXPECT_GT(other.answered, 0);
    EXPECT_EQ(never.disruptive, 0);
    EXPECT_EQ(never.answered, 0);
    EXPECT_GT(never.cost, 0);
    double parts = 0;
    for (const model::Role role : model::kRoles) parts += never.by[role];
    EXPECT_DOUBLE_EQ(never.cost, parts);
}

TEST(RunArm, an_oracle_answers_failures_and_is_never_needless) {
    RunOutcome all;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const RunOutcome one = run(ArmKind::oracle, "mixed", seed);
        all.failures += one.failures;
        all.answered += one.answered;
        all.needless += one.needless;
    }
    EXPECT_GT(all.failures, 0);
    EXPECT_GT(all.answered, 0);
    EXPECT_LE(all.needless, 1);  // A node that would fail by load may be saved.
}

}  // namespace
}  // namespace parley::experiment
