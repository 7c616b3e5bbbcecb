#include "layers/prediction/demand_forecast.h"

#include "layers/prediction/demand_features.h"
#include "layers/prediction/demand_trail.h"
#include "layers/prediction/predict.h"
#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace parley::prediction {
namespace {

using namespace kit;

/// A stump on change_over_1m: what rose rises further by `up` scales, what did not stays.
brain::DemandForest stump(double horizon_s, float up) {
    brain::Trees trees;
    trees.objective = brain::Objective::squared_error;
    trees.features = static_cast<std::uint32_t>(demand_feature_count());
    trees.roots = {0};
    trees.left = {1, 0, 0};
    trees.feature = {0, 0, 0};
    trees.missing_left = {1, 0, 0};
    trees.threshold = {0.01F, 0.0F, up};
    trees.cover = {100, 50, 50};
    auto forest = brain::Forest::from(trees);
    EXPECT_TRUE(forest) << forest.error().message;
    auto paths = brain::paths_of(*forest);
    return {horizon_s, *std::move(forest), std::move(paths), {0, 0.5, 1, 1.5, 2}};
}

std::shared_ptr<const brain::DemandModel> rises(float up) {
    brain::DemandModel model;
    model.facts.id = "demand-test";
    for (const std::int64_t horizon : model::kDemandHorizonsMin) {
        model.horizons.push_back(stump(static_cast<double>(horizon) * 60, up));
    }
    return std::make_shared<const brain::DemandModel>(std::move(model));
}

struct DemandForecastTest : testing::Test {
    model::Policy policy;
    model::Memory memory;
    Brains brains;
    model::RoundInput in = input();

    DemandForecastTest() {
        policy.predictor = model::PredictorKind::xgboost;
        brains.demand = rises(2);
    }
    /// One round a minute, with this use of 10 cores.
    model::Forecast see(int minute, double cpu_m, Slot nodes = 1) {
        in.now = kNow + minutes(minute);
        for (auto& source : in.snapshot.sources) source.last_success = in.now;
        for (Slot slot = 0; slot < nodes; ++slot) {
            model::NodeRow row = node("node-" + std::to_string(slot), 1 + slot);
            row.lease = model::Reading<TimePoint>(in.now, {in.now, in.now});
            row.cpu_used_m =
                model::Reading<std::int64_t>(static_cast<std::int64_t>(cpu_m), {in.now, in.now});
            row.memory_used = model::Reading<std::int64_t>(0, {in.now, in.now});
            in.snapshot.nodes.put(slot, row);
        }
        fold_demand_forecasts(in, policy, *brains.demand, memory.derived.demand);
        return predict(in, memory, policy, brains);
    }
};

TEST_F(DemandForecastTest, says_nothing_of_a_young_series_and_keeps_what_is_used) {
    model::Forecast forecast;
    for (int m = 0; m < 10; ++m) forecast = see(m, 1'000);
    EXPECT_EQ(forecast.demand.model, "demand-test");
    EXPECT_TRUE(forecast.demand.series.empty());
    EXPECT_DOUBLE_EQ(*forecast.nodes[0].demand, 0.055);
}

TEST_F(DemandForecastTest, what_rises_is_forecast_to_rise_and_agents_get_the_peak_of_the_hour) {
    model::Forecast forecast;
    for (int m = 0; m < 30; ++m) forecast = see(m, 1'000 + 100 * m);
    ASSERT_EQ(forecast.demand.series.size(), 1U);
    const model::SeriesDemand& said = forecast.demand.series[0];
    const double step = 0.55 * 0.01;
    EXPECT_NEAR(said.now, 0.55 * 0.38, 1e-9);  // Minute 28, the last complete one.
    EXPECT_NEAR(said.ahead[0].value, said.now + 2 * step, 1e-9);
    EXPECT_NEAR(said.ahead[2].value, said.now + 2 * 15 * step, 1e-9);
    EXPECT_EQ(*forecast.nodes[0].demand, said.ahead[3].value);
    // The 90 % interval: nine tenths up the errors 0 to 2, around 1.8 scales.
    EXPECT_NEAR(said.ahead[0].high - said.ahead[0].value, 1.8 * step, 0.1 * step);
}

TEST_F(DemandForecastTest, between_minutes_what_was_said_stands) {
    for (int m = 0; m < 30; ++m) see(m, 1'000 + 100 * m);
    const auto before = memory.derived.demand.helds[0].at(0).said;
    in.now = in.now + seconds(10);
    fold_demand_forecasts(in, policy, *brains.demand, memory.derived.demand);
    EXPECT_EQ(memory.derived.demand.helds[0].at(0).said, before);
}

TEST_F(DemandForecastTest, intervals_that_miss_grow_and_a_model_that_is_worse_gives_way) {
    brains.demand = rises(-20);  // Predicts that what rises will fall.
    model::Forecast forecast;
    for (int m = 0; m < 400; ++m) forecast = see(m, 1'000 + 10 * (m % 7) + 15 * m);
    EXPECT_LT(forecast.demand.miss[0], 0.02);
    EXPECT_EQ(forecast.demand.by[0], model::DemandBy::standing);
    EXPECT_NEAR(forecast.demand.series[0].ahead[0].value, forecast.demand.series[0].now, 1e-12);
}

TEST_F(DemandForecastTest, intervals_that_always_hold_shrink) {
    brains.demand = rises(0);  // After two minutes it is back where it was.
    for (int m = 0; m < 400; ++m) see(m, 2'000 + (m % 2) * 100);
    EXPECT_GT(memory.derived.demand.levels[0].miss, 0.1);
}

TEST_F(DemandForecastTest, what_came_of_an_hour_is_heard_every_minute) {
    brains.demand = rises(0);
    for (int m = 0; m < 200; ++m) see(m, 2'000 + (m % 2) * 100, 61);
    // Forecasts begin in minute 15, and an hour later the first has come true: one of 61 series a
    // minute. Held all at once, they would have been heard of only twice in this time.
    EXPECT_NEAR(memory.derived.demand.levels[3].weight, (1 - std::pow(0.995, 122)) / 0.005, 3);
    EXPECT_LT(memory.derived.demand.levels[3].miss, 0.02) << "nearly all of them missed";
}

TEST_F(DemandForecastTest, parts_add_up_to_what_is_forecast) {
    model::Forecast forecast;
    for (int m = 0; m < 40; ++m) forecast = see(m, 1'000 + 100 * m);
    const auto reasons = demand_reasons_of(*brains.demand, memory.derived.demand, 0);
    ASSERT_TRUE(reasons);
    double sum = reasons->now + reasons->base + reasons->others;
    for (const auto& part : reasons->parts) sum += part.adds;
    EXPECT_NEAR(sum, forecast.demand.series[0].ahead[3].value, 1e-6);
    EXPECT_EQ(reasons->parts.front().feature, "change_over_1m");
    EXPECT_FALSE(demand_reasons_of(*brains.demand, memory.derived.demand, 7));
}

TEST_F(DemandForecastTest, a_series_that_falls_silent_is_not_spoken_of) {
    for (int m = 0; m < 30; ++m) see(m, 1'000);
    in.snapshot.nodes.edit(0).cpu_used_m = model::Reading<std::int64_t>::never();
    for (int m = 30; m < 33; ++m) {
        in.now = kNow + minutes(m);
        fold_demand_forecasts(in, policy, *brains.demand, memory.derived.demand);
    }
    EXPECT_TRUE(memory.derived.demand.helds[0].empty());
}

TEST_F(DemandForecastTest, is_served_with_trained_risk_in_profile_parley_only) {
    EXPECT_TRUE(serves_demand(policy, brains));
    policy.predictor = model::PredictorKind::evidence;
    EXPECT_FALSE(serves_demand(policy, brains));
    policy.predictor = model::PredictorKind::xgboost;
    policy.profile = model::Profile::prototype;
    EXPECT_FALSE(serves_demand(policy, brains));
    EXPECT_FALSE(serves_demand({}, {}));
}

}  // namespace
}  // namespace parley::prediction
