#include "learn/rounds/training_runs.h"

#include "fake/disk.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

/// Counts what comes by.
struct Counting {
    int begun = 0;
    int rounds = 0;
    int ended = 0;
    RoundSink sink{.begin = [this](const std::string&, std::int32_t) { ++begun; },
                   .see = [this](const model::RoundInput&, const model::Policy&,
                                 const model::Decision&) -> Result<void> {
                       ++rounds;
                       return {};
                   },
                   .end = [this] { ++ended; }};
};

TEST(TrainingRuns, seeds_are_checked_before_anything_runs) {
    EXPECT_TRUE(check_seeds({.first_seed = 5, .last_seed = 5}));
    EXPECT_TRUE(check_seeds({.first_seed = 0, .last_seed = 99'999}));
    EXPECT_EQ(check_seeds({.first_seed = 5, .last_seed = 1}).error().message,
              "the range of seeds 5 to 1 ends before it begins; give the lower first");
    EXPECT_EQ(check_seeds({.first_seed = 1, .last_seed = 100'000}).error().message,
              "seeds 1 to 100000 are not for training; use a range below 100000");
}

TEST(TrainingRuns, an_interruption_ends_it_in_the_middle_of_a_run) {
    // A signal used to be noticed only when training began: a day of simulation could not be
    // stopped.
    Counting counting;
    const auto made = simulate_runs({.first_seed = 1, .last_seed = 2, .length = hours(2)},
                                    counting.sink, [](double runs) { return runs < 0.4; });
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::unavailable);  // No wrong use.
    EXPECT_EQ(counting.begun, 1);
    EXPECT_EQ(counting.ended, 0);
    EXPECT_EQ(counting.rounds, 201);
}

TEST(TrainingRuns, every_round_of_every_run_is_seen) {
    Counting counting;
    ASSERT_TRUE(
        simulate_runs({.first_seed = 1, .last_seed = 2, .length = minutes(30)}, counting.sink, {}));
    EXPECT_EQ(counting.begun, 2);
    EXPECT_EQ(counting.ended, 2);
    EXPECT_EQ(counting.rounds, 240);
}

TEST(TrainingRuns, a_run_that_is_named_twice_is_refused) {
    fake::Disk disk;
    Counting counting;
    EXPECT_EQ(read_runs(disk, {"a", "b", "a"}, counting.sink, {}).error().message,
              "a is given twice; name each run once");
    EXPECT_EQ(counting.begun, 0);
}

}  // namespace
}  // namespace parley::learn
