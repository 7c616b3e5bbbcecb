// Whole simulated days with the shipped model: outcomes are counted, correct the served risks, and
// raise an alarm exactly when they must.

#include "layers/prediction/node_features.h"
#include "learn/folder/served_model.h"
#include "sim/scenario/builtin_scenarios.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <optional>

namespace parley {
namespace {

using model::AlarmKind;

struct Days {
    int days = 2;
    double failures = 1;       ///< Multiplies the failures of the scenario.
    int burst_on = 0;          ///< A day on which many nodes fail by script; 0: none.
    bool recalibrate = false;  ///< False: uncorrected risks are judged.
};

struct Found {
    int off = 0;    ///< Rounds with risk_off.
    int drift = 0;  ///< Rounds with risk_drift.
    std::optional<model::RiskCorrection> correction;
    double seen = 0;
    double expected = 0;
};

Found run(const Days& days) {
    constexpr std::uint64_t kSeed = 1'000'003;
    auto scenario = *sim::builtin_scenario("mixed", kSeed);
    scenario.faults.failures *= days.failures;
    for (int i = 0; days.burst_on > 0 && i < 240; ++i) {
        scenario.script.push_back({.kind = sim::ScriptedKind::fail,
                                   .at = hours(24 * (days.burst_on - 1)) + minutes(6 * i),
                                   .repair = minutes(5)});
    }
    model::Policy policy = trial::open_policy();
    policy.predictor = model::PredictorKind::xgboost;
    policy.risk.recalibrate = days.recalibrate;
    const auto model = learn::model_of(learn::shipped_risk(), prediction::wanted_features());
    EXPECT_TRUE(model);
    trial::WorldRun world({.scenario = std::make_shared<const sim::Scenario>(scenario),
                           .seed = kSeed,
                           .interval = seconds(60),
                           .policy = policy,
                           .mode = model::Mode::observe,
                           .brains = {.risk = *model, .staged = {}}});
    Found found;
    for (int i = 0; i < days.days * 24 * 60; ++i) {
        world.decide_round();
        for (const model::Alarm& alarm : world.decision().alarms) {
            found.off += alarm.kind == AlarmKind::risk_off ? 1 : 0;
            found.drift += alarm.kind == AlarmKind::risk_drift ? 1 : 0;
        }
        EXPECT_TRUE(world.carry_out_round());
    }
    const model::Hindsight& past = world.memory().derived.hindsight;
    for (const model::RiskTally& each : past.tallies) {
        found.seen += each.failed;
        found.expected += each.calibrated;
    }
    found.correction = past.correction;
    std::printf("x%.1f, burst on %d: %.1f failed, %.1f expected, risk_off %d, risk_drift %d\n",
                days.failures, days.burst_on, found.seen, found.expected, found.off, found.drift);
    return found;
}

TEST(HindsightRun, days_like_those_it_was_trained_on_raise_nothing) {
    const Found found = run({.days = 3});
    EXPECT_GT(found.expected, 20);
    EXPECT_EQ(found.off, 0);
    EXPECT_EQ(found.drift, 0);
}

TEST(HindsightRun, a_cluster_that_fails_much_more_often_raises_risk_off) {
    const Found found = run({.failures = 5});
    EXPECT_GT(found.seen, 2 * found.expected);
    EXPECT_GT(found.off, 60);
}

TEST(HindsightRun, a_cluster_that_changes_raises_risk_drift) {
    const Found found = run({.days = 4, .burst_on = 4});
    EXPECT_GT(found.drift, 60);
}

TEST(HindsightRun, a_correction_brings_what_is_served_to_what_comes_true) {
    const Found found = run({.failures = 5, .recalibrate = true});
    ASSERT_TRUE(found.correction);
    EXPECT_GT(found.correction->a, 0.3);
}

}  // namespace
}  // namespace parley
