#include "apps/running/boot_stages.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(BootStages, what_is_off_by_choice_is_told_from_what_is_missing) {
    struct Case {
        BootFlags flags;
        bool named;
        const char* text;
    };
    const Case cases[] = {
        {{},
         false,
         "brains    idle: nobody asked for a trained model; evidence drives decisions\n"
         "ray_ppo   skipped: no learned policy is in this build; rules propose\n"},
        {{.no_policy = true},
         true,
         "brains    disabled: by policy.predictor evidence, which drives decisions\n"
         "ray_ppo   disabled: by --no-policy\n"},
    };
    for (const Case& c : cases) EXPECT_EQ(print(boot_stages(c.flags, {}, {}, c.named)), c.text);
}

std::string brains_line(const model::Policy& policy, const ServedBrains& served) {
    const std::string all = print(boot_stages({}, policy, served, true));
    return all.substr(0, all.find('\n'));
}

TEST(BootStages, a_brain_that_serves_is_told_from_one_in_shadow_and_one_that_was_refused) {
    ServedBrains served;
    served.risk_id = "risk-1";
    served.said = "risk-1 (simulated)";
    model::Policy policy;
    policy.predictor = model::PredictorKind::xgboost;
    EXPECT_EQ(brains_line(policy, served),
              "brains    complete: risk-1 (simulated) drives decisions");
    ServedBrains instead = served;
    instead.refused = "risk-2 was damaged";
    EXPECT_EQ(brains_line(policy, instead),
              "brains    failed: risk-2 was damaged; instead, risk-1 (simulated) drives decisions");
    ServedBrains both = served;
    both.demand = {.id = "demand-1", .said = "demand-1 (simulated)"};
    EXPECT_EQ(brains_line(policy, both),
              "brains    complete: risk-1 (simulated) drives decisions; demand-1 (simulated) "
              "forecasts demand");
    both.demand.refused = "demand-2 was damaged";
    EXPECT_EQ(brains_line(policy, both),
              "brains    failed: demand-2 was damaged; instead, risk-1 (simulated) drives "
              "decisions; demand-1 (simulated) forecasts demand");
    policy.predictor = model::PredictorKind::evidence;
    policy.brains.shadow = {model::PredictorKind::xgboost};
    EXPECT_EQ(brains_line(policy, served),
              "brains    complete: risk-1 (simulated) runs in shadow; evidence drives decisions");
}

}  // namespace
}  // namespace parley::app
