#include "apps/training/node_training.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

NodeTraining simulated() {
    NodeTraining training;
    training.simulated = learn::SimulatedRuns{
        .first_seed = 3, .last_seed = 5, .length = hours(6), .interval = seconds(30)};
    return training;
}

NodeTraining recorded(std::vector<std::string> runs) {
    NodeTraining training;
    training.runs = std::move(runs);
    return training;
}

TEST(NodeTraining, seeds_are_a_range_and_a_run_takes_between_an_hour_and_four_weeks) {
    const auto runs = simulated_runs("3-20", "672h");
    ASSERT_TRUE(runs) << runs.error().message;
    EXPECT_EQ(runs->first_seed, 3U);
    EXPECT_EQ(runs->last_seed, 20U);
    EXPECT_EQ(runs->length.us, hours(672).us);
    EXPECT_TRUE(simulated_runs("3-3", "1h"));
    EXPECT_EQ(simulated_runs("3", "24h").error().message,
              "--simulate is a range of seeds such as 1-100, and \"3\" was given");
    EXPECT_TRUE(simulated_runs("5-3", "24h").error().message.starts_with("--simulate: "));
    for (const char* length : {"59m", "673h", "", "long"}) {
        const auto refused = simulated_runs("1-2", length);
        ASSERT_FALSE(refused) << length;
        EXPECT_TRUE(refused.error().message.starts_with("--length is a time from 1h to 672h"));
    }
}

TEST(NodeTraining, says_where_its_rows_come_from) {
    EXPECT_EQ(provenance_of(simulated()),
              "simulated: scenario mixed, seeds 3 to 5, 6h00m each, nobody acting");
    EXPECT_EQ(provenance_of(recorded({"a"})), "recorded: 1 run");
    EXPECT_EQ(provenance_of(recorded({"a", "b"})), "recorded: 2 runs");
}

TEST(NodeTraining, simulated_runs_are_counted_in_hours_and_recorded_ones_one_by_one) {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    const TrainWatch watch = [&](std::uint64_t now, std::uint64_t all) {
        done = now;
        total = all;
        return now < 2;
    };
    EXPECT_FALSE(shown_by(simulated(), watch)(0.5));
    EXPECT_EQ(done, 3U);
    EXPECT_EQ(total, 18U);
    EXPECT_STREQ(steps_name(simulated()), "simulated hours");
    const NodeTraining two = recorded({"a", "b"});
    EXPECT_TRUE(shown_by(two, watch)(1));
    EXPECT_EQ(done, 1U);
    EXPECT_EQ(total, 2U);
    EXPECT_STREQ(steps_name(two), "runs");
}

}  // namespace
}  // namespace parley::app
