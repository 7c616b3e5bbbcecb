#include "learn/fit/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace parley::learn {
namespace {

struct Case {
    const char* name;
    std::vector<double> forecast;
    std::vector<float> label;
    std::vector<float> weight;
    double auc;
    double ap;
};

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

class MetricsRank : public testing::TestWithParam<Case> {};

TEST_P(MetricsRank, as_worked_out_by_hand) {
    const Case& c = GetParam();
    const Judged rows{c.forecast, c.label, c.weight};
    const auto expect = [](double got, double wanted) {
        if (std::isfinite(wanted)) {
            EXPECT_NEAR(got, wanted, 1e-12);
        } else {
            EXPECT_TRUE(std::isnan(got)) << got;
        }
    };
    expect(auc(rows), c.auc);
    expect(average_precision(rows), c.ap);
}

const Case kCases[] = {
    {"perfect", {0.9, 0.8, 0.2, 0.1}, {1, 1, 0, 0}, {1, 1, 1, 1}, 1, 1},
    {"reversed", {0.1, 0.2, 0.8, 0.9}, {1, 1, 0, 0}, {1, 1, 1, 1}, 0, (1.0 / 3 + 2.0 / 4) / 2},
    {"all_equal", {0.5, 0.5, 0.5, 0.5}, {1, 0, 0, 0}, {1, 1, 1, 1}, 0.5, 0.25},
    {"one_tie", {0.9, 0.5, 0.5, 0.1}, {1, 1, 0, 0}, {1, 1, 1, 1}, 0.875, (1 + 2.0 / 3) / 2},
    {"weight_is_repetition", {0.9, 0.5, 0.3}, {0, 1, 0}, {2, 1, 1}, 1.0 / 3, 1.0 / 3},
    {"weight_zero_is_absence", {0.9, 0.5, 0.3}, {0, 1, 0}, {0, 1, 1}, 1, 1},
    {"one_class", {0.9, 0.5}, {0, 0}, {1, 1}, kNothing, kNothing},
    {"empty", {}, {}, {}, kNothing, kNothing},
};
INSTANTIATE_TEST_SUITE_P(Table, MetricsRank, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(Metrics, precision_at_k_shares_ties_fairly) {
    const std::vector<double> forecast = {0.9, 0.5, 0.5, 0.1};
    const std::vector<float> label = {1, 1, 0, 0};
    const std::vector<float> weight = {1, 1, 1, 1};
    const Judged rows{forecast, label, weight};
    EXPECT_DOUBLE_EQ(precision_at(rows, 1), 1);
    EXPECT_DOUBLE_EQ(precision_at(rows, 2), 0.75);
    EXPECT_DOUBLE_EQ(precision_at(rows, 100), 0.5);
    EXPECT_TRUE(std::isnan(precision_at(rows, 0)));
}

TEST(Metrics, skill_is_zero_for_the_base_rate_and_below_for_worse) {
    const std::vector<float> label = {1, 0, 0, 0};
    const std::vector<float> weight = {1, 1, 1, 1};
    const std::vector<double> base(4, 0.25);
    EXPECT_NEAR(log_loss_skill({base, label, weight}), 0, 1e-15);
    const std::vector<double> bold = {0.01, 0.9, 0.9, 0.9};
    EXPECT_LT(log_loss_skill({bold, label, weight}), 0);
    const std::vector<double> certain = {0, 1, 0, 0};
    EXPECT_TRUE(std::isfinite(log_loss({certain, label, weight})));
    EXPECT_DOUBLE_EQ(brier({base, label, weight}), (0.75 * 0.75 + 3 * 0.0625) / 4);
}

TEST(Metrics, bins_hold_equal_mass_and_show_what_is_off) {
    std::vector<double> forecast;
    std::vector<float> label;
    for (int i = 0; i < 300; ++i) {
        forecast.push_back(i / 300.0);
        label.push_back(i % 2 == 0 ? 1.0F : 0.0F);
    }
    const std::vector<float> weight(300, 1);
    const auto bins = calibration_bins({forecast, label, weight});
    ASSERT_EQ(bins.size(), kCalibrationBins);
    for (const Bin& bin : bins) {
        EXPECT_NEAR(bin.share, 1.0 / 15, 1e-12);
        EXPECT_NEAR(bin.observed, 0.5, 1e-12);
    }
    EXPECT_LT(bins.front().forecast, bins.back().forecast);
    EXPECT_NEAR(calibration_error(bins), 0.25, 0.02);
    EXPECT_TRUE(std::isnan(calibration_error({})));
}

TEST(Metrics, the_order_of_ties_says_nothing) {
    // Two forecasts of 100 rows each; those that came true stand first, last, or anywhere.
    const std::vector<float> weight(200, 1);
    std::vector<double> forecast(100, 0.1);
    forecast.resize(200, 0.3);
    std::vector<double> errors;
    for (const int first : {0, 90, 45}) {
        std::vector<float> label(200, 0);
        for (int i = 0; i < 10; ++i) label[static_cast<std::size_t>(first + i)] = 1;
        for (int i = 0; i < 40; ++i) label[static_cast<std::size_t>(100 + first / 2 + i)] = 1;
        const auto bins = calibration_bins({forecast, label, weight});
        ASSERT_EQ(bins.size(), kCalibrationBins);
        for (const Bin& bin : bins) EXPECT_NEAR(bin.share, 1.0 / 15, 1e-9);
        errors.push_back(calibration_error(bins));
    }
    for (const double error : errors) EXPECT_NEAR(error, 0.05, 1e-9);
}

TEST(Metrics, of_ties_at_the_border_of_the_highest_a_fair_part_counts) {
    const std::vector<double> forecast = {0.9, 0.5, 0.5, 0.5, 0.1};
    const std::vector<float> label = {1, 1, 0, 0, 0};
    const std::vector<float> weight = {1, 3, 3, 3, 1};
    const Judged rows{forecast, label, weight};
    EXPECT_EQ(highest(rows, 1), (std::vector<float>{1}));
    EXPECT_EQ(highest(rows, 2), (std::vector<float>{1, 1, 1, 1}));
    EXPECT_EQ(highest(rows, 4), (std::vector<float>{1, 3, 3, 3}));
    EXPECT_EQ(highest(rows, 5), weight);
    EXPECT_TRUE(highest(rows, 0).empty());
}

TEST(Metrics, slope_is_one_where_forecasts_are_right_and_half_where_twice_too_bold) {
    std::vector<double> right;
    std::vector<double> bold;
    std::vector<float> label;
    std::vector<float> weight;
    for (int k = 1; k < 20; ++k) {
        const double p = k / 20.0;
        const double odds = p / (1 - p);
        for (const float y : {0.0F, 1.0F}) {
            right.push_back(p);
            bold.push_back(odds * odds / (1 + odds * odds));
            label.push_back(y);
            weight.push_back(static_cast<float>(y > 0 ? p : 1 - p));
        }
    }
    EXPECT_NEAR(calibration_slope({right, label, weight}), 1, 1e-6);
    EXPECT_NEAR(calibration_slope({bold, label, weight}), 0.5, 1e-6);
}

TEST(Metrics, observed_over_expected_has_the_interval_of_a_count) {
    const std::vector<double> forecast(100, 0.1);
    std::vector<float> label(100, 0);
    for (int i = 0; i < 20; ++i) label[static_cast<std::size_t>(i)] = 1;
    const std::vector<float> weight(100, 1);
    const Interval found = observed_over_expected({forecast, label, weight}, 20);
    EXPECT_NEAR(found.value, 2, 1e-6);
    EXPECT_NEAR(found.low, 2 * 12.217 / 20, 0.01);  // The exact interval of 20: 12.22 to 30.89.
    EXPECT_NEAR(found.high, 2 * 30.888 / 20, 0.01);
    const Interval fewer = observed_over_expected({forecast, label, weight}, 4);
    EXPECT_LT(fewer.low, found.low);
    const std::vector<float> none(100, 0);
    const Interval zero = observed_over_expected({forecast, none, weight}, 0);
    EXPECT_EQ(zero.value, 0);
    EXPECT_NEAR(zero.high, 0.3689, 0.001);
}

TEST(Metrics, curves_end_where_they_must) {
    const std::vector<double> forecast = {0.9, 0.5, 0.5, 0.1};
    const std::vector<float> label = {1, 1, 0, 0};
    const std::vector<float> weight = {1, 1, 1, 1};
    const auto roc = roc_curve({forecast, label, weight}, 10);
    ASSERT_EQ(roc.size(), 4U);
    EXPECT_EQ(roc.front().x, 0);
    EXPECT_EQ(roc.back().x, 1);
    EXPECT_EQ(roc.back().y, 1);
    EXPECT_EQ(roc_curve({forecast, label, weight}, 2).size(), 2U);
    EXPECT_EQ(precision_recall_curve({forecast, label, weight}, 10).back().y, 0.5);
}

TEST(Metrics, errors_of_amounts) {
    const std::vector<double> forecast = {1, 2, 3};
    const std::vector<double> truth = {2, 2, 1};
    EXPECT_DOUBLE_EQ(mean_absolute_error(forecast, truth), 1);
    EXPECT_TRUE(std::isnan(mean_absolute_error({}, {})));
}

}  // namespace
}  // namespace parley::learn
