#include "experiment/compare.h"

#include "trial/world_run.h"

#include <gtest/gtest.h>

namespace parley::experiment {
namespace {

Plan plan(std::vector<ArmKind> kinds, int threads = 1) {
    Plan plan{.scenarios = {"failing-node"},
              .pairs = 6,
              .span = {.length = minutes(30), .interval = seconds(15)},
              .threads = threads};
    for (const ArmKind kind : kinds) {
        plan.arms.push_back(arm_of(kind, trial::open_policy(), {}));
    }
    return plan;
}

TEST(Compare, an_arm_and_itself_are_equivalent) {
    Plan same = plan({ArmKind::evidence, ArmKind::evidence});
    same.arms[1].name = "twin";
    const auto report = compare(same, {});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->comparisons.size(), 1U);
    EXPECT_EQ(report->comparisons[0].cost.mean, 0);
    EXPECT_EQ(report->comparisons[0].answer, Answer::equivalent);
    EXPECT_TRUE(report->comparisons[0].disruptions_not_inferior);
}

TEST(Compare, threads_change_nothing) {
    const auto one = compare(plan({ArmKind::evidence, ArmKind::never}), {});
    const auto two = compare(plan({ArmKind::evidence, ArmKind::never}, 2), {});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->comparisons[0].cost, two->comparisons[0].cost);
    EXPECT_EQ(one->arms[1].cost, two->arms[1].cost);
}

TEST(Compare, says_what_it_cannot_do) {
    EXPECT_FALSE(compare(plan({ArmKind::evidence}), {}));
    Plan seeds = plan({ArmKind::evidence, ArmKind::never});
    seeds.first_seed = 5;
    EXPECT_NE(compare(seeds, {}).error().message.find("training and tuning"), std::string::npos);
    Plan nowhere = plan({ArmKind::evidence, ArmKind::never});
    nowhere.scenarios = {"nowhere"};
    EXPECT_NE(compare(nowhere, {}).error().message.find("'nowhere'"), std::string::npos);
}

TEST(Compare, ends_when_it_is_told_to_and_counts_its_runs) {
    std::int64_t most = 0;
    const auto ended =
        compare(plan({ArmKind::evidence, ArmKind::never}), [&](std::int64_t done, std::int64_t of) {
            most = of;
            return done < 3;
        });
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::gone);
    EXPECT_EQ(most, 12);
}

TEST(Compare, the_gap_is_closed_by_the_oracle_and_not_by_the_formula) {
    const auto report = compare(plan({ArmKind::evidence, ArmKind::formula, ArmKind::oracle}), {});
    ASSERT_TRUE(report);
    for (const ArmFacts& facts : report->arms) {
        if (facts.arm == "formula") EXPECT_EQ(facts.gap_closed, 0);
        if (facts.arm == "oracle" && facts.gap_closed != 0) EXPECT_DOUBLE_EQ(facts.gap_closed, 1);
    }
}

}  // namespace
}  // namespace parley::experiment
