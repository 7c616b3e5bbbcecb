#include "learn/demand/demand_trainer.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::learn {
namespace {

/// A day's shape with noise: persistence is poor an hour ahead, yesterday is good.
Series daily(std::size_t n, std::uint64_t seed) {
    Series series{.name = "daily", .unit = "cores", .start = {}, .step = minutes(5)};
    for (std::size_t t = 0; t < n; ++t) {
        const double day = static_cast<double>(t % 288) / 288;
        const double shape = day < 0.5 ? day : 1 - day;
        series.values.push_back(100 + 80 * shape + random::normal(draw(seed, Stream::noise, t, 0)));
    }
    return series;
}

DemandOptions quick() {
    DemandOptions options{.name = "made-up", .what = "CPU"};
    options.trees.rounds_max = 100;
    return options;
}

double ratio(const DemandHorizon& horizon, const std::string& method) {
    for (const DemandError& error : horizon.errors)
        if (error.method == method) return error.over_persistence;
    return -1;
}

TEST(DemandTrainer, beats_persistence_where_there_is_a_pattern) {
    const Series series[] = {daily(4032, 1), daily(4032, 2)};
    const auto demand = demand_rows(series, 12);
    const auto model = train_demand(*demand, *split_series(*demand), quick());
    ASSERT_TRUE(model) << model.error().message;
    const DemandHorizon& horizon = model->report;
    EXPECT_LT(ratio(horizon, "model"), 0.6);
    EXPECT_EQ(ratio(horizon, "persistence"), 1);
    EXPECT_LT(ratio(horizon, "daily"), 1);
    EXPECT_LT(ratio(horizon, "ridge"), 1);
    EXPECT_EQ(horizon.errors.size(), 6U);
    EXPECT_EQ(horizon.steps, 12U);
    EXPECT_EQ(horizon.minutes, 60);
    EXPECT_NEAR(horizon.coverage.overall, 0.9, 0.03);
    EXPECT_FALSE(horizon.importance.empty());
    EXPECT_FALSE(horizon.worst.empty());
    EXPECT_FALSE(horizon.serves.empty());
    const DemandReport report = demand_report(std::span(&*model, 1), quick());
    EXPECT_EQ(report.bars.size(), 4U);
    EXPECT_TRUE(report.bars[0].met) << report.bars[0].measured;
    EXPECT_EQ(report.data.name, "made-up");
}

TEST(DemandTrainer, is_no_better_than_persistence_on_a_random_walk) {
    Series walk{.name = "walk", .step = minutes(5)};
    double at = 100;
    for (std::uint64_t t = 0; t < 6'000; ++t)
        walk.values.push_back(at += random::normal(draw(5, Stream::noise, t, 0)));
    const auto demand = demand_rows(std::span(&walk, 1), 12);
    const auto model = train_demand(*demand, *split_series(*demand), quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_GT(ratio(model->report, "model"), 0.95);  // Far below would be a leak.
}

TEST(DemandTrainer, where_nothing_moves_the_model_is_not_said_to_serve) {
    const Series flat{.name = "flat", .step = minutes(5), .values = std::vector<double>(3'000, 5)};
    const auto demand = demand_rows(std::span(&flat, 1), 1);
    const auto model = train_demand(*demand, *split_series(*demand), quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_TRUE(std::isnan(ratio(model->report, "model")));
    EXPECT_EQ(model->report.serves, "persistence");
    EXPECT_EQ(model->report.coverage.overall, 1);
}

TEST(DemandTrainer, refuses_a_short_record) {
    const Series series = daily(700, 1);
    const auto demand = demand_rows(std::span(&series, 1), 3);
    const auto model = train_demand(*demand, *split_series(*demand), quick());
    ASSERT_FALSE(model);
    EXPECT_NE(model.error().message.find("rows to train on, and 500 are needed; record longer"),
              std::string::npos)
        << model.error().message;
}

}  // namespace
}  // namespace parley::learn
