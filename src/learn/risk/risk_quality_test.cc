#include "learn/risk/risk_quality.h"

#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace parley::learn {
namespace {

/// Made-up rows with the probabilities that they were drawn with, or others.
struct Sample {
    Rows rows = made_up_rows(20'000);
    std::vector<std::uint32_t> numbers = std::vector<std::uint32_t>(20'000);
    std::vector<double> probability;

    explicit Sample(double bold = 1) {
        std::iota(numbers.begin(), numbers.end(), 0U);
        for (const std::uint32_t i : numbers)
            probability.push_back(math::logistic(bold * (-2 + 2 * rows.row(i)[0])));
    }
    RiskTest test(Duration step = minutes(50)) const {
        return {.rows = rows,
                .numbers = numbers,
                .probability = probability,
                .step = step,
                .resamples = 50};
    }
};

bool all_met(const std::vector<Bar>& bars) {
    return std::ranges::all_of(bars, [](const Bar& bar) { return bar.met; });
}

TEST(RiskQuality, finds_the_truth_good) {
    const Sample sample;
    const RiskQuality quality = judge_risk(sample.test());
    EXPECT_NEAR(quality.observed_over_expected.value, 1, 0.05);
    EXPECT_NEAR(quality.calibration_slope, 1, 0.05);
    EXPECT_GT(quality.skill.low, 0.2);
    EXPECT_LT(quality.auc.low, quality.auc.value);
    EXPECT_EQ(quality.precision_at.size(), 3U);
    EXPECT_TRUE(all_met(risk_bars(quality)));
}

TEST(RiskQuality, finds_bold_forecasts_bad) {
    const Sample sample(3);
    const RiskQuality quality = judge_risk(sample.test());
    EXPECT_NEAR(quality.calibration_slope, 1.0 / 3, 0.02);
    EXPECT_FALSE(all_met(risk_bars(quality)));
}

TEST(RiskQuality, finds_the_base_rate_without_skill) {
    Sample sample;
    double positive = 0;
    for (const float label : sample.rows.label) positive += label;
    sample.probability.assign(sample.numbers.size(), positive / 20'000);
    const RiskQuality quality = judge_risk(sample.test());
    EXPECT_NEAR(quality.auc.value, 0.5, 1e-12);
    EXPECT_LE(quality.skill.low, 1e-9);
    EXPECT_FALSE(risk_bars(quality)[0].met);
}

TEST(RiskQuality, counts_alarms_by_episodes_and_events_once) {
    // One entity, a row a day: risk is high for three days in a row, then once more.
    Rows rows{.columns = {{"x", "count"}}};
    std::vector<double> risk = {0.1, 0.9, 0.9, 0.9, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1};
    std::vector<std::uint32_t> numbers;
    for (std::size_t i = 0; i < risk.size(); ++i) {
        numbers.push_back(static_cast<std::uint32_t>(i));
        rows.values.push_back(0);
        const bool fails = i == 2 || i == 3 || i == 8;  // Two rows of failure 0, one of failure 1.
        rows.label.push_back(fails ? 1.0F : 0.0F);
        rows.weight.push_back(1);
        rows.time.push_back({hours(24 * static_cast<std::int64_t>(i)).us});
        rows.entity.push_back(0);
        rows.group.push_back(0);
        rows.event.push_back(i == 8 ? 1 : fails ? 0 : kNoEvent);
    }
    const RiskQuality quality = judge_risk(
        {.rows = rows, .numbers = numbers, .probability = risk, .step = hours(24), .resamples = 0});
    const AlarmLevel& level = quality.alarms.front();
    EXPECT_DOUBLE_EQ(level.risk, 0.9);
    EXPECT_DOUBLE_EQ(level.row_share, 0.4);
    EXPECT_DOUBLE_EQ(level.precision, 0.5);
    EXPECT_DOUBLE_EQ(level.event_recall, 0.5);
    EXPECT_DOUBLE_EQ(*level.alarms_per_100_entity_weeks, 100 * 2 / (10.0 / 7));
}

TEST(RiskQuality, names_slices_baselines_and_worst_errors) {
    const Sample sample;
    const std::vector<Importance> importance = {{"signal", 0.9}, {"gap", 0.1}};
    const auto slices = risk_slices(sample.test(), importance);
    ASSERT_EQ(slices.size(), 6U);
    EXPECT_EQ(slices[0].name, "time, lower half");
    EXPECT_LT(slices[2].base_rate, slices[3].base_rate);
    EXPECT_EQ(risk_slices(sample.test({}), importance).size(), 4U);
    const auto baselines = feature_baselines(sample.test(), 2);
    ASSERT_EQ(baselines.size(), 2U);
    EXPECT_EQ(baselines[0].name, "high signal");
    const auto worst = worst_risks(sample.test(), importance, 3);
    ASSERT_EQ(worst.size(), 6U);
    EXPECT_EQ(worst[0].truth, 0);
    EXPECT_GT(worst[0].forecast, worst[1].forecast);
    EXPECT_EQ(worst[5].truth, 1);
    EXPECT_NE(worst[0].beside.find("signal "), std::string::npos);
}

TEST(RiskQuality, does_not_change_with_the_names_of_entities) {
    Sample sample;
    const double before = judge_risk(sample.test()).auc.value;
    for (std::int32_t& entity : sample.rows.entity) entity = (entity * 7 + 3) % 50;
    EXPECT_EQ(judge_risk(sample.test()).auc.value, before);
}

}  // namespace
}  // namespace parley::learn
