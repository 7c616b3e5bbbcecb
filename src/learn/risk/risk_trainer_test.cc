#include "learn/risk/risk_trainer.h"

#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::learn {
namespace {

RiskOptions quick() {
    RiskOptions options{.name = "made-up", .what = "it fails", .entity = "node"};
    options.step = minutes(50);
    options.trees.rounds_max = 80;
    options.trees.patience = 10;
    options.trees.depth = 4;
    options.resamples = 40;
    return options;
}

TEST(RiskTrainer, gives_a_model_that_meets_its_bars) {
    const Rows rows = made_up_rows(40'000);
    const auto model = train_risk(rows, *split_by_time(rows, minutes(30)), quick());
    ASSERT_TRUE(model) << model.error().message;
    const RiskReport& report = model->report;
    EXPECT_GT(report.quality.auc.value, 0.85);
    EXPECT_EQ(report.calibration, "intercept");  // No slice of time asks for more.
    EXPECT_TRUE(report.may_act);
    EXPECT_EQ(report.importance.front().feature, "signal");
    EXPECT_NEAR(report.parameters.base_score, report.quality.base_rate, 0.02);
    for (const Bar& bar : report.bars) EXPECT_TRUE(bar.met) << bar.what << " " << bar.measured;
    EXPECT_EQ(model->test_probability.size(), model->test_rows.size());
}

TEST(RiskTrainer, follows_the_curve_where_failures_are_many_and_not_of_one_time) {
    const Rows rows = made_up_rows(40'000, -2, 2'000);
    std::vector<std::uint64_t> keys(rows.entity.begin(), rows.entity.end());
    const auto model = train_risk(rows, *split_by_key(keys, "node"), quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->report.calibration, "isotonic");
    for (const Bar& bar : model->report.bars) EXPECT_TRUE(bar.met) << bar.what << bar.measured;
}

TEST(RiskTrainer, stays_calibrated_with_a_share_of_the_negatives) {
    const Rows rows = made_up_rows(40'000, -4);
    RiskOptions options = quick();
    options.training_rows_max = 6'000;
    const auto model = train_risk(rows, *split_by_time(rows, minutes(30)), options);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_LT(model->report.negatives_kept, 0.3);
    // Also before calibration: margins are those of all rows, not of the rows that were kept.
    const auto test = Matrix::of(rows, model->test_rows, 1);
    double expected = 0;
    double observed = 0;
    const auto margins = model->booster.margins(*test);
    ASSERT_TRUE(margins);
    for (const float margin : *margins) expected += math::logistic(margin);
    for (const std::uint32_t i : model->test_rows) observed += rows.label[i];
    EXPECT_NEAR(expected / observed, 1, 0.15);
    EXPECT_NEAR(model->report.quality.observed_over_expected.value, 1, 0.15);
}

TEST(RiskTrainer, learns_nothing_from_noise) {
    Rows rows = made_up_rows(20'000);
    for (std::size_t i = 0; i < rows.size(); ++i) rows.values[3 * i] = rows.values[3 * i + 1];
    const auto model = train_risk(rows, *split_by_time(rows, minutes(30)), quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_NEAR(model->report.quality.auc.value, 0.5, 0.05);
    EXPECT_LT(model->report.quality.skill.low, 0.001);
}

TEST(RiskTrainer, refuses_too_few_with_the_reason) {
    const Rows few = made_up_rows(1'000, -6);
    const auto events = train_risk(few, *split_by_time(few, {}), quick());
    ASSERT_FALSE(events);
    EXPECT_NE(events.error().message.find(" failures, and 50 are needed"), std::string::npos)
        << events.error().message;
    const Rows lonely = made_up_rows(4'000, -2, 19);
    const auto entities = train_risk(lonely, *split_by_time(lonely, {}), quick());
    ASSERT_FALSE(entities);
    EXPECT_EQ(entities.error().message,
              "training: there are 19 of kind node, and 20 are needed; give more data");
    Rows late = made_up_rows(4'000);
    for (std::size_t i = 0; i < 3'000; ++i) {
        late.label[i] = 0;
        late.event[i] = kNoEvent;
    }
    const auto one_class = train_risk(late, *split_by_time(late, {}), quick());
    ASSERT_FALSE(one_class);
    EXPECT_EQ(one_class.error().message,
              "training: the train slice has rows of one label only; more data is needed");
    Rows null_key = made_up_rows(4'000);
    const auto split = split_by_time(null_key, {});
    null_key.entity[5] = -1;
    EXPECT_FALSE(train_risk(null_key, *split, quick()));
}

TEST(RiskTrainer, does_not_drive_actions_with_few_independent_failures) {
    // Rows enough, but they belong to two large failures and fifty small ones.
    Rows rows = made_up_rows(40'000, -2);
    std::int32_t small = 2;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows.label[i] == 1) rows.event[i] = small < 52 ? small++ : static_cast<int>(i % 2);
    }
    const auto model = train_risk(rows, *split_by_time(rows, minutes(30)), quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_LT(model->report.calibration_events, 30U);
    EXPECT_EQ(model->report.calibration, "none");
    EXPECT_FALSE(model->report.may_act);
}

TEST(RiskTrainer, calibrates_by_all_failures_before_the_test) {
    const Rows rows = made_up_rows(40'000, -2);
    const auto split = split_by_time(rows, minutes(30));
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Part part = split->part[i];
        if (part != Part::test && part != Part::left_out && rows.label[i] == 1) ++before;
    }
    const auto model = train_risk(rows, *split, quick());
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->report.calibration_events, before);
}

TEST(RiskTrainer, tells_how_far_it_is) {
    const Rows rows = made_up_rows(10'000);
    RiskOptions options = quick();
    std::vector<int> told;
    options.watch = [&](int done) { return told.push_back(done), true; };
    ASSERT_TRUE(train_risk(rows, *split_by_time(rows, minutes(30)), options));
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), rounds_told(options.trees));
}

}  // namespace
}  // namespace parley::learn
