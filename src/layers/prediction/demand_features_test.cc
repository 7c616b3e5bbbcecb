#include "layers/prediction/demand_features.h"

#include "layers/prediction/demand_trail.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>

namespace parley::prediction {
namespace {

using model::DemandOf;

/// A past of `length` minutes from minute 0 on, with these values.
model::DemandPast past_of(std::int64_t length, const std::function<double(std::int64_t)>& value) {
    model::DemandPast past{.uid = {0, 1}, .newest = length - 1};
    past.minutes.fill(NAN);
    past.half_hours.fill(NAN);
    for (std::int64_t m = 0; m < length; ++m) {
        past.minutes[static_cast<std::size_t>(m) % model::kMinutesKept] = value(m);
        past.known += std::isfinite(value(m)) ? 1 : 0;
    }
    for (std::int64_t half = 0; half < (length - 1) / 30; ++half) {
        double sum = 0;
        for (std::int64_t m = half * 30; m < half * 30 + 30; ++m) sum += value(m) / 30;
        past.half_hours[static_cast<std::size_t>(half) % model::kHalfHoursKept] = sum;
    }
    return past;
}

std::map<std::string, float> row_of(const model::DemandPast& past, std::size_t horizon,
                                    double scale) {
    std::vector<float> row(demand_feature_count());
    demand_features(past, DemandOf::cpu, horizon, scale, row);
    std::map<std::string, float> named;
    const auto list = wanted_demand_features();
    for (std::size_t i = 0; i < row.size(); ++i) named[list.features[i].name] = row[i];
    return named;
}

TEST(DemandFeatures, have_names_and_units_of_their_own) {
    const auto list = wanted_demand_features();
    EXPECT_EQ(list.features.size(), demand_feature_count());
    std::map<std::string, int> count;
    for (const auto& feature : list.features) {
        EXPECT_FALSE(feature.unit.empty());
        EXPECT_EQ(++count[feature.name], 1) << feature.name;
    }
}

TEST(DemandFeatures, of_a_line) {
    const auto past = past_of(64, [](std::int64_t m) { return 100.0 + static_cast<double>(m); });
    EXPECT_DOUBLE_EQ(demand_scale(past, 1), 5);  // Over 5 minutes it rises by 5.
    EXPECT_DOUBLE_EQ(demand_scale(past, 3), 30);
    const auto row = row_of(past, 1, 5);
    EXPECT_FLOAT_EQ(row.at("change_over_1m"), 0.2F);
    EXPECT_FLOAT_EQ(row.at("change_over_60m"), 12);
    EXPECT_FLOAT_EQ(row.at("above_mean_of_5m"), 0.4F);
    EXPECT_FLOAT_EQ(row.at("peak_of_15m"), 0);
    EXPECT_FLOAT_EQ(row.at("low_of_15m"), -14.0F / 5);
    EXPECT_FLOAT_EQ(row.at("roughness_15m"), 0.2F);
    EXPECT_TRUE(std::isnan(row.at("above_yesterday")));
    EXPECT_FLOAT_EQ(row.at("kind"), 1);
}

TEST(DemandFeatures, yesterday_is_what_followed_a_day_ago) {
    // A peak of one half-hour, an hour after this time of day.
    const auto past = past_of(25 * 60, [](std::int64_t m) {
        return m >= 90 && m < 120 ? 80.0 : 10.0;  // Half-hour 3; the newest is 49, a day ago 1.
    });
    const auto hour = row_of(past, 3, 10);
    EXPECT_FLOAT_EQ(hour.at("above_yesterday"), 0);
    EXPECT_FLOAT_EQ(hour.at("rise_yesterday"), 7);
    EXPECT_FLOAT_EQ(hour.at("up_to_yesterday"), 7);
    EXPECT_FLOAT_EQ(row_of(past, 2, 10).at("rise_yesterday"), 0);  // 15 minutes do not reach it.
}

TEST(DemandFeatures, a_series_that_stands_still_has_a_scale_all_the_same) {
    const auto past = past_of(64, [](std::int64_t) { return 50.0; });
    EXPECT_NEAR(demand_scale(past, 0), 0.5, 1e-5);
    const auto zero = past_of(64, [](std::int64_t) { return 0.0; });
    EXPECT_GT(demand_scale(zero, 3), 0);
}

TEST(DemandFeatures, nothing_is_said_of_a_young_or_silent_series) {
    const auto line = [](std::int64_t m) { return static_cast<double>(m); };
    EXPECT_FALSE(can_forecast(past_of(14, line)));
    EXPECT_TRUE(can_forecast(past_of(15, line)));
    EXPECT_FALSE(can_forecast(
        past_of(40, [](std::int64_t m) { return m == 39 ? NAN : static_cast<double>(m); })));
}

}  // namespace
}  // namespace parley::prediction
