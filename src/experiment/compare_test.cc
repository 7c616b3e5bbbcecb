#include "experiment/compare.h"

#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <tuple>

namespace parley::experiment {
namespace {

Plan plan(const std::vector<ArmKind>& kinds, int threads = 1) {
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
    EXPECT_NE(compare(nowhere, {}).error().message.find("\"nowhere\""), std::string::npos);
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
    Plan long_enough = plan({ArmKind::evidence, ArmKind::formula, ArmKind::oracle});
    long_enough.span.length = hours(1);
    const auto report = compare(long_enough, {});
    ASSERT_TRUE(report);
    ASSERT_EQ(report->arms.size(), 3U);
    for (const ArmFacts& facts : report->arms) ASSERT_TRUE(facts.gap_closed) << facts.arm;
    EXPECT_GT(*report->arms[0].gap_closed, 0.5);  // Of evidence, which sees the node fail.
    // The oracle knows which node fails, not when acting costs least.
    EXPECT_LE(*report->arms[0].gap_closed, 1.05);
    EXPECT_DOUBLE_EQ(*report->arms[1].gap_closed, 0);
    EXPECT_DOUBLE_EQ(*report->arms[2].gap_closed, 1);
}

TEST(Compare, without_failures_there_is_no_share_of_answered_ones) {
    Plan calm = plan({ArmKind::evidence, ArmKind::never});
    calm.scenarios = {"calm"};
    const auto report = compare(calm, {});
    ASSERT_TRUE(report);
    for (const ArmFacts& facts : report->arms) {
        EXPECT_EQ(facts.failures, 0);
        EXPECT_FALSE(facts.answered_share);
        EXPECT_FALSE(facts.lead_minutes);
    }
}

TEST(Compare, without_an_oracle_or_a_gap_nothing_is_said_of_it) {
    const auto alone = compare(plan({ArmKind::evidence, ArmKind::formula}), {});
    ASSERT_TRUE(alone);
    EXPECT_FALSE(alone->arms[0].gap_closed);
    Plan same = plan({ArmKind::never, ArmKind::never, ArmKind::never});
    same.arms[1].name = "formula";
    same.arms[2].name = "oracle";
    const auto none = compare(same, {});
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->arms[0].gap_closed);
}

TEST(Compare, a_model_is_not_judged_on_seeds_it_learned_from) {
    Plan seeds = plan({ArmKind::evidence, ArmKind::never});
    for (const auto& [from, to, fine] : {std::tuple(1, 110, true),
                                         {999'000, 999'999, true},
                                         {1'000'006, 1'000'100, true},
                                         {999'000, 1'000'000, false},
                                         {1'000'005, 1'000'100, false},
                                         {1, 2'000'000, false}}) {
        seeds.trained_on = {{static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)}};
        const auto report = compare(seeds, {});
        EXPECT_EQ(report.has_value(), fine) << from << " to " << to;
        if (!report)
            EXPECT_NE(report.error().message.find("knows their answers"), std::string::npos);
    }
}

}  // namespace
}  // namespace parley::experiment
