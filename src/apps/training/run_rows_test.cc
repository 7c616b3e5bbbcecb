#include "apps/training/run_rows.h"

#include "apps/training/train_kit_test.h"
#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

NodeTraining small() {
    NodeTraining training = kit::small_training(hours(2), 1);
    training.simulated->last_seed = 2;
    return training;
}

TEST(RunRows, come_from_a_simulation_where_the_training_has_one) {
    fake::Disk disk;
    const auto risk = risk_rows(disk, small(), {});
    ASSERT_TRUE(risk) << risk.error().message;
    EXPECT_GT(risk->rows.size(), 0U);
    const auto demand = demand_rows(disk, small(), {});
    ASSERT_TRUE(demand) << demand.error().message;
    EXPECT_GT(demand->horizons.front().rows.size(), 0U);
}

TEST(RunRows, come_from_recorded_runs_otherwise) {
    fake::Disk disk;
    NodeTraining training;
    training.runs = {"none"};
    for (const auto& message : {risk_rows(disk, training, {}).error().message,
                                demand_rows(disk, training, {}).error().message}) {
        EXPECT_NE(message.find("none"), std::string::npos) << message;
    }
}

TEST(RunRows, to_train_on_weigh_what_their_watching_was_worth) {
    fake::Disk disk;
    const auto plain = risk_rows(disk, small(), {});
    const auto weighed = weighed_risk_rows(disk, small(), {});
    ASSERT_TRUE(plain && weighed);
    EXPECT_EQ(weighed->rows.weight.size(), weighed->rows.size());
    EXPECT_NE(weighed->rows.weight, plain->rows.weight);
}

TEST(RunRows, are_asked_whether_a_node_is_lost_within_the_horizon) {
    NodeTraining training = small();
    training.rules.horizon = hours(1);
    training.flags.seed = 9;
    const learn::RiskOptions options = risk_options(training);
    EXPECT_EQ(options.what, "a node is lost within 1h00m and not within 2m00s");
    EXPECT_EQ(options.horizon.us, hours(1).us);
    EXPECT_EQ(options.seed, 9U);
    EXPECT_EQ(options.name, provenance_of(training));
}

}  // namespace
}  // namespace parley::app
