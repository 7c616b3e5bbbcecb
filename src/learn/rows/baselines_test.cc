#include "learn/rows/baselines.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

TEST(Holt, follows_a_straight_line) {
    std::vector<double> line;
    for (int t = 0; t < 200; ++t) line.push_back(5 + 2 * t);
    const auto forecast = holt(line, 12, {0.5, 0.2});
    EXPECT_NEAR(forecast.back(), 5 + 2 * (199 + 12), 0.5);
}

TEST(Holt, with_full_level_and_no_trend_is_persistence) {
    const std::vector<double> values = {1, 5, 2, 8};
    EXPECT_EQ(holt(values, 3, {1, 0}), values);
}

TEST(Holt, goes_on_over_gaps) {
    const std::vector<double> values = {kNothing, 3, kNothing, 3};
    const auto forecast = holt(values, 1, {0.5, 0.1});
    EXPECT_TRUE(std::isnan(forecast[0]));
    EXPECT_EQ(forecast[2], 3);
    EXPECT_EQ(forecast[3], 3);
}

TEST(Holt, chooses_rates_that_suit) {
    std::vector<double> noisy;
    std::vector<double> line;
    for (std::uint64_t t = 0; t < 500; ++t) {
        noisy.push_back(10 + random::normal(draw(1, Stream::noise, t, 0)));
        line.push_back(static_cast<double>(t));
    }
    EXPECT_LT(choose_holt(noisy, 1).level, 0.5);
    EXPECT_GT(choose_holt(line, 12).trend, 0);
    EXPECT_EQ(choose_holt({}, 1).level, HoltRates{}.level);
}

TEST(Ridge, finds_the_line_and_shrinks_with_its_penalty) {
    std::vector<float> features;
    std::vector<float> label;
    for (std::uint64_t i = 0; i < 500; ++i) {
        const double a = random::normal(draw(1, Stream::noise, i, 0));
        const double b = 100 + 50 * random::normal(draw(1, Stream::noise, i, 1));
        features.push_back(static_cast<float>(a));
        features.push_back(static_cast<float>(b));
        label.push_back(static_cast<float>(3 + 2 * a - 0.1 * b));
    }
    const std::vector<float> weight(500, 1);
    const Ridge exact = Ridge::fit(features, 2, label, weight, 0);
    EXPECT_NEAR(exact.predict(std::vector<float>{1, 100}), 3 + 2 - 10, 1e-3);
    const Ridge shrunk = Ridge::fit(features, 2, label, weight, 1e9);
    EXPECT_NEAR(shrunk.predict(std::vector<float>{1, 100}),
                shrunk.predict(std::vector<float>{-1, 50}), 1e-3);
}

TEST(Ridge, takes_missing_constant_and_equal_features) {
    const std::vector<float> features = {1, 7, 1, std::nanf(""), 2, 7, 2, std::nanf(""),
                                         3, 7, 3, std::nanf("")};
    const std::vector<float> label = {1, 2, 3};
    const std::vector<float> weight = {1, 1, 1};
    const Ridge ridge = Ridge::fit(features, 4, label, weight, 1e-6);
    const std::vector<float> two = {2, 7, 2, std::nanf("")};
    EXPECT_NEAR(ridge.predict(two), 2, 1e-3);
    const std::vector<float> none(4, std::nanf(""));
    EXPECT_TRUE(std::isfinite(ridge.predict(none)));
}

}  // namespace
}  // namespace parley::learn
