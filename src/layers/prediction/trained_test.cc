#include "layers/prediction/trained.h"

#include "base/math.h"
#include "layers/prediction/node_features.h"
#include "layers/prediction/node_trail.h"
#include "layers/prediction/predict.h"
#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::prediction {
namespace {

using namespace kit;

struct TrainedTest : testing::Test {
    model::RoundInput in = input();
    model::Memory memory;
    model::Policy policy;
    Brains brains{.risk = brain_of_leases(), .staged = {}};

    TrainedTest() {
        policy.predictor = model::PredictorKind::xgboost;
        for (Slot slot = 0; slot < 3; ++slot) {
            in.snapshot.nodes.put(slot, node("node-0" + std::to_string(slot + 1), slot + 1));
        }
        in.snapshot.nodes.edit(1).lease = read(kNow - seconds(25));
    }
    model::Forecast forecast() {
        fold_trails(in, policy, memory.derived);
        return predict(in, memory, policy, brains);
    }
};

TEST_F(TrainedTest, risks_are_calibrated_margins_and_the_forecast_names_what_made_them) {
    const model::Forecast made = forecast();
    EXPECT_EQ(made.model, "risk-test");
    EXPECT_EQ(made.calibration, "cal-1");
    EXPECT_EQ(made.features, kNodeFeatureVersion);
    EXPECT_EQ(made.horizon, minutes(30));
    EXPECT_TRUE(made.instead.empty());
    EXPECT_NEAR(*made.nodes[0].risk, math::logistic(kCalm + 0.5), 1e-12);
    EXPECT_NEAR(*made.nodes[1].risk, math::logistic(kLate + 0.5), 1e-12);
    EXPECT_TRUE(made.nodes[0].missing.has(model::Signal::cpu));
    EXPECT_TRUE(made.nodes[0].missing.has(model::Signal::disk));
    EXPECT_FALSE(made.nodes[0].missing.has(model::Signal::lease_slow));
}

TEST_F(TrainedTest, it_does_not_speak_of_nodes_that_are_not_ready_or_set_aside) {
    in.snapshot.nodes.edit(0).ready = model::Readiness::no;
    in.snapshot.nodes.edit(1).cordoned = true;
    const model::Forecast made = forecast();
    EXPECT_GT(*made.nodes[0].risk, 0.89);
    EXPECT_NEAR(*made.nodes[1].risk, policy.evidence.base, 1e-12);
}

TEST_F(TrainedTest, while_the_api_is_blind_nothing_is_known) {
    source(in, model::Source::api).condition = model::SourceCondition::failed;
    for (const model::NodeForecast& each : forecast().nodes) EXPECT_FALSE(each.risk);
}

TEST_F(TrainedTest, without_a_model_evidence_judges_and_it_is_said) {
    brains.risk = nullptr;
    const model::Forecast made = forecast();
    EXPECT_EQ(made.model, "evidence");
    EXPECT_EQ(made.instead, "xgboost was asked for and no model is loaded");
    EXPECT_TRUE(made.nodes[0].risk);
}

TEST_F(TrainedTest, shadows_judge_the_same_nodes_and_decide_nothing) {
    policy.predictor = model::PredictorKind::evidence;
    const model::Forecast alone = predict(in, memory, policy, brains);
    policy.brains.shadow = {model::PredictorKind::xgboost, model::PredictorKind::formula,
                            model::PredictorKind::evidence};
    model::Forecast made = forecast();
    ASSERT_EQ(made.shadows.size(), 2U);
    EXPECT_EQ(made.shadows[0].model, "risk-test");
    EXPECT_EQ(made.shadows[1].model, "formula");
    EXPECT_NEAR(*made.shadows[0].risks[1], math::logistic(kLate + 0.5), 1e-12);
    made.shadows.clear();
    EXPECT_EQ(made, alone);
}

TEST_F(TrainedTest, reasons_multiply_from_the_base_odds_to_the_odds_of_the_risk) {
    const model::Forecast made = forecast();
    const auto reasons = reasons_of(Round(in, memory, policy, brains), 1);
    ASSERT_TRUE(reasons);
    double odds = reasons->base * reasons->others * reasons->calibration;
    for (const model::RiskFactor& factor : reasons->factors) odds *= factor.factor;
    const double risk = *made.nodes[1].risk;
    EXPECT_NEAR(odds, risk / (1 - risk), 1e-6);
    ASSERT_EQ(reasons->factors.size(), 1U);
    EXPECT_EQ(reasons->factors[0].feature, "lease_age");
    EXPECT_EQ(reasons->factors[0].value, 25.0);
    EXPECT_NEAR(reasons->base, math::exp(0.95 * kCalm + 0.05 * kLate), 1e-9);
    EXPECT_NEAR(reasons->calibration, math::exp(0.5), 1e-6);
}

TEST_F(TrainedTest, limits_begin_at_the_usual_risk_as_moved_pods_meet_it_elsewhere) {
    in.snapshot.workloads.put(0, workload("web", 2));
    in.snapshot.pods.insert(pod(0, 0));
    const model::Forecast made = forecast();
    EXPECT_NEAR(made.usual, math::logistic(kCalm + 0.5), 1e-12);
    policy.predictor = model::PredictorKind::evidence;
    policy.evidence.horizon = minutes(30);
    const model::Forecast evidence = predict(in, memory, policy, brains);
    EXPECT_EQ(evidence.usual, 0);
    EXPECT_NEAR(made.nodes[0].limit, evidence.nodes[0].limit + made.usual, 1e-12);
    EXPECT_EQ(made.nodes[1].limit, 2);  // Nothing on it would be lost.
}

TEST_F(TrainedTest, an_oracle_and_a_permutation_stand_in_for_experiments) {
    const model::Forecast straight = forecast();
    brains.staged.permuted_by = 3;
    const model::Forecast permuted = forecast();
    std::multiset<double> before;
    std::multiset<double> after;
    for (std::size_t i = 0; i < 3; ++i) {
        before.insert(*straight.nodes[i].risk);
        after.insert(*permuted.nodes[i].risk);
    }
    EXPECT_EQ(before, after);
    EXPECT_NE(*straight.nodes[1].risk, *permuted.nodes[1].risk);
    brains.staged.told = {0.0, 0.0, 1.0};
    const model::Forecast told = forecast();
    EXPECT_EQ(told.model, "oracle");
    EXPECT_EQ(told.nodes[2].risk, 1.0);
}

}  // namespace
}  // namespace parley::prediction
