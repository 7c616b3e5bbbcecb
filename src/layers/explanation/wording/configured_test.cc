#include "layers/explanation/wording/configured.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

TEST(Configured, a_default_is_nobodys_choice) {
    EXPECT_EQ(limits_set("warm-up", model::Migrate{}, {}), "");
    EXPECT_EQ(refusal_text({"warm-up", "too early"}, model::Migrate{}, {}), "too early");
}

TEST(Configured, a_limit_that_a_person_set_is_named_with_its_default) {
    model::Policy policy;
    policy.guard.warmup_rounds = 100'000;
    EXPECT_EQ(refusal_text({"warm-up", "too early."}, model::Migrate{}, policy),
              "too early; policy.guard.warmup_rounds is 100000 by configuration (default 3)");
    EXPECT_EQ(limits_set("rate", model::Migrate{}, policy), "") << "another rule";
}

TEST(Configured, of_two_limits_that_which_the_action_meets) {
    model::Policy policy;
    policy.guard.cool_down_gentle = minutes(20);
    policy.stakes.rounds_over = 3;
    policy.efficiency.rounds_of = 9;
    EXPECT_EQ(limits_set("cool-down", model::Migrate{}, policy), "");
    EXPECT_EQ(limits_set("cool-down", model::Throttle{}, policy),
              "policy.guard.cool_down_gentle is 20m by configuration (default 5m)");
    EXPECT_EQ(limits_set("hysteresis", model::Migrate{}, policy),
              "policy.stakes.rounds_over is 3 by configuration (default 2)");
    EXPECT_EQ(limits_set("hysteresis", model::PowerState{}, policy),
              "policy.efficiency.rounds_of is 9 by configuration (default 3)");
}

TEST(Configured, several_limits_of_a_rule_are_all_named) {
    model::Policy policy;
    policy.guard.coverage_disrupt = 1;
    policy.guard.metrics_age_max = seconds(5);
    EXPECT_EQ(limits_set("coverage", model::Migrate{}, policy),
              "policy.guard.coverage_disrupt is 1 by configuration (default 0.9), "
              "policy.guard.metrics_age_max is 5s by configuration (default 1m)");
}

}  // namespace
}  // namespace parley::explanation
