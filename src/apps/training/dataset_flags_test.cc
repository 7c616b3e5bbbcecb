#include "apps/training/dataset_flags.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

DatasetFlags parsed(const std::string& line) {
    Program program("test", "");
    DatasetFlags flags;
    add_dataset_flags(program, flags, true);
    EXPECT_TRUE(program.parse(line)) << line;
    flags.length_given = program.given("--length");
    return flags;
}

TEST(DatasetFlags, name_recorded_runs_or_simulated_ones) {
    const auto recorded = dataset_runs(parsed("--from a b"));
    ASSERT_TRUE(recorded);
    EXPECT_EQ(recorded->runs, (std::vector<std::string>{"a", "b"}));
    EXPECT_FALSE(recorded->simulated);
    const auto simulated = dataset_runs(parsed("--simulate 3-4 --length 6h"));
    ASSERT_TRUE(simulated);
    EXPECT_EQ(simulated->simulated->first_seed, 3U);
    EXPECT_EQ(simulated->simulated->length.us, hours(6).us);
}

TEST(DatasetFlags, that_name_neither_or_both_or_a_length_of_recorded_runs_are_refused) {
    for (const char* line : {"", "--from a --simulate 1-2"}) {
        const auto runs = dataset_runs(parsed(line));
        ASSERT_FALSE(runs) << line;
        EXPECT_TRUE(runs.error().message.starts_with("say where rows come from: "));
    }
    EXPECT_EQ(dataset_runs(parsed("--from a --length 24h")).error().message,
              "--length has no meaning without --simulate: only simulated runs have a length to "
              "choose");
    EXPECT_FALSE(dataset_runs(parsed("--simulate 2-1")));
}

}  // namespace
}  // namespace parley::app
