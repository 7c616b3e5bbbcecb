#include "learn/risk/risk_recalibration.h"

#include "brain/xgboost_file.h"
#include "learn/risk/recalibration_text.h"
#include "learn/rows/made_up_rows.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

/// A model of made-up rows: two leaves, by the sign of the signal, calibrated as it was trained.
brain::Model trained() {
    const Rows rows = made_up_rows(20'000, -2);
    RiskOptions options{.name = "made-up", .what = "it fails", .entity = "node"};
    options.trees.rounds_max = 60;
    options.trees.depth = 3;
    options.resamples = 2;
    auto model = train_risk(rows, *split_by_time(rows, {}), options);
    EXPECT_TRUE(model);
    const auto bytes = model->booster.save("ubj");
    auto read = brain::read_xgboost(*bytes);
    EXPECT_TRUE(read) << read.error().message;
    brain::Paths paths = brain::paths_of(read->forest);
    brain::ModelFacts facts{.id = "risk-made-up"};
    for (const Column& column : rows.columns)
        facts.inputs.features.push_back({column.name, column.unit});
    return {facts, std::move(read->forest), std::move(paths), model->calibration};
}

RiskOptions options() {
    return {.name = "a cluster",
            .what = "a node is lost",
            .entity = "node",
            .step = minutes(50),
            .resamples = 2};
}

TEST(RiskRecalibration, follows_a_cluster_whose_nodes_fail_more_often) {
    const brain::Model model = trained();
    const Rows often = made_up_rows(8'000, -1, 50, 5);  // Odds 2.7 times as high.
    const auto found = recalibrate_risk(model, often, 1, options());
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE(found->report.changed);
    EXPECT_NEAR(found->report.a, 1, 0.2);
    EXPECT_NEAR(found->report.b, 1, 0.15);
    EXPECT_GT(found->report.failures, found->report.expected * 1.3);
    EXPECT_LT(found->report.after.log_loss, found->report.before.log_loss);
    EXPECT_NEAR(found->report.after.observed_over_expected.value, 1, 0.1);
    EXPECT_TRUE(brain::check(found->calibration));
    EXPECT_EQ(found->calibration.id.size(), 16U);
    EXPECT_NE(found->calibration.id, model.calibration.id);
    const std::string text = recalibration_text(found->report);
    EXPECT_NE(text.find("Trees of risk-made-up, as they are"), std::string::npos) << text;
    EXPECT_NE(text.find(", 0.1 0."), std::string::npos) << text;
}

TEST(RiskRecalibration, leaves_a_model_alone_that_is_right) {
    const brain::Model model = trained();
    Rows same = made_up_rows(20'000, -2, 50, 6);
    const auto found = recalibrate_risk(model, same, 1, options());
    ASSERT_TRUE(found) << found.error().message;
    // Whether there is a small change is chance; a large one is not allowed.
    EXPECT_NEAR(found->report.a, 0, 0.1);
    EXPECT_NEAR(found->report.b, 1, 0.1);
    if (!found->report.changed) {
        EXPECT_EQ(found->calibration, model.calibration);
        EXPECT_NE(recalibration_text(found->report).find("its calibration stays"),
                  std::string::npos);
    }
}

TEST(RiskRecalibration, rows_of_one_failure_count_once) {
    const brain::Model model = trained();
    const Rows rows = made_up_rows(8'000, -1, 50, 5);
    const auto few = recalibrate_risk(model, rows, 28, options());
    ASSERT_TRUE(few) << few.error().message;
    const auto many = recalibrate_risk(model, rows, 1, options());
    EXPECT_NEAR(few->report.failures * 28, many->report.failures, 1e-6);
    EXPECT_LT(few->report.a, many->report.a);  // Fewer failures move less.
}

TEST(RiskRecalibration, refuses_what_says_too_little) {
    const brain::Model model = trained();
    Rows few = made_up_rows(60, -2, 50, 7);
    const auto found = recalibrate_risk(model, few, 28, options());
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.find("10 of either are needed"), std::string::npos)
        << found.error().message;
    Rows other = made_up_rows(8'000);
    other.columns[1].unit = "s";
    const auto columns = recalibrate_risk(model, other, 1, options());
    ASSERT_FALSE(columns);
    EXPECT_NE(columns.error().message.find("other features than risk-made-up wants"),
              std::string::npos);
}

TEST(RiskRecalibration, censored_rows_say_nothing) {
    const brain::Model model = trained();
    Rows rows = made_up_rows(8'000, -1, 50, 5);
    const auto whole = recalibrate_risk(model, rows, 1, options());
    for (std::size_t i = 0; i < 4'000; ++i) rows.weight[2 * i] = 0;
    const auto half = recalibrate_risk(model, rows, 1, options());
    ASSERT_TRUE(whole && half);
    EXPECT_NEAR(half->report.failures / whole->report.failures, 0.5, 0.05);
    EXPECT_EQ(half->report.data.slices.front().rows, 4'000U);
}

}  // namespace
}  // namespace parley::learn
