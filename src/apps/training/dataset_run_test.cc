#include "apps/training/dataset_run.h"

#include "learn/rounds/demand_sources.h"
#include "learn/rounds/risk_sources.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(DatasetRun, demand_says_how_many_rows_each_horizon_has_and_why_others_are_left_out) {
    const auto data = learn::demand_of_simulation(
        {.first_seed = 3, .last_seed = 3, .length = hours(24), .interval = seconds(60)}, {}, {});
    ASSERT_TRUE(data) << data.error().message;
    const auto facts = facts_of(*data);
    ASSERT_TRUE(facts) << facts.error().message;
    ASSERT_EQ(facts->horizons.size(), 4U);
    for (const DemandSlice& each : facts->horizons) {
        EXPECT_EQ(each.rows, each.train + each.stop + each.calibrate + each.test + each.left_out);
        if (each.minutes > 1) EXPECT_GT(each.left_out, 0U);  // The embargo.
        EXPECT_NE(each.split.find("embargo"), std::string::npos) << each.split;
    }
    EXPECT_GT(facts->horizons[0].rows, facts->horizons[3].rows);
    EXPECT_GT(facts->unknown, 0U);  // The record ends.
    const std::string text = text_of(*facts);
    EXPECT_NE(text.find("60 min"), std::string::npos) << text;
}

TEST(DatasetRun, rows_of_a_short_run_are_counted_though_they_cannot_be_split) {
    const auto data = learn::demand_of_simulation(
        {.first_seed = 3, .last_seed = 3, .length = hours(1), .interval = seconds(60)}, {}, {});
    ASSERT_TRUE(data) << data.error().message;
    const auto facts = facts_of(*data);
    ASSERT_TRUE(facts) << facts.error().message;
    EXPECT_GT(facts->horizons[0].rows, 0U);
    const DemandSlice& last = facts->horizons.back();
    EXPECT_EQ(last.train, 0U);
    EXPECT_EQ(last.left_out, last.rows);
    EXPECT_TRUE(last.split.starts_with("The rows cannot be split for training: split: "))
        << last.split;
    EXPECT_NE(text_of(*facts).find("60 min ahead: The rows cannot be split"), std::string::npos)
        << text_of(*facts);
}

TEST(DatasetRun, runs_too_short_for_a_row_are_an_error_that_says_how_long_they_must_be) {
    learn::DemandData none = learn::DemandRecord({}).finish();
    none.longest = minutes(3);
    const auto facts = facts_of(none);
    ASSERT_FALSE(facts);
    EXPECT_EQ(facts.error().message,
              "the runs are too short for a row: the longest has 3m00s, and 25m are needed, 1h24m "
              "for rows 60 min ahead");
    none.longest = minutes(25);
    EXPECT_NE(facts_of(none).error().message.find("was not known"), std::string::npos)
        << facts_of(none).error().message;
}

TEST(DatasetRun, prints_the_facts_and_writes_the_rows) {
    const learn::SimulatedRuns runs{
        .first_seed = 3, .last_seed = 3, .length = hours(2), .interval = seconds(60)};
    const auto risk = learn::rows_of_simulation(runs, {}, {});
    ASSERT_TRUE(risk) << risk.error().message;
    const Dataset of_risk = dataset_of(*risk, true);
    EXPECT_NE(of_risk.text.find(" rows of "), std::string::npos) << of_risk.text;
    EXPECT_NE(of_risk.json.find("\"rows\":" + std::to_string(risk->rows.size())), std::string::npos)
        << of_risk.json;
    EXPECT_GT(of_risk.rows.size(), risk->rows.size());
    EXPECT_EQ(dataset_of(*risk, false).rows, "") << "nobody wants them";
    const auto demand = learn::demand_of_simulation(runs, {}, {});
    ASSERT_TRUE(demand) << demand.error().message;
    const auto of_demand = dataset_of(*demand, true);
    ASSERT_TRUE(of_demand) << of_demand.error().message;
    EXPECT_EQ(of_demand->text, text_of(*facts_of(*demand)));
    EXPECT_GT(of_demand->rows.size(), demand->horizons.back().rows.size());
    EXPECT_FALSE(dataset_of(learn::DemandRecord({}).finish(), true));
}

}  // namespace
}  // namespace parley::app
