#include "apps/training/train_in_sight.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

/// Status and what was said; nothing must be printed.
std::pair<int, std::string> tried(const TrainFlags& flags) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int status = train_in_sight(flags, true);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    return {status, text};
}

TEST(TrainInSight, flags_that_are_senseless_are_wrong_use) {
    TrainFlags flags;
    flags.given = {"--trace"};
    const auto [status, text] = tried(flags);
    EXPECT_EQ(status, kWrongUse);
    EXPECT_EQ(text,
              "error: --trace needs its files; name them with --from FILE\nNothing was done.\n");
}

TEST(TrainInSight, runs_that_are_not_named_are_wrong_use) {
    const auto [status, text] = tried({});
    EXPECT_EQ(status, kWrongUse);
    EXPECT_TRUE(text.starts_with("error: say what to learn from: ")) << text;
}

TEST(TrainInSight, a_table_that_teaches_nothing_fails_and_writes_no_model) {
    const std::string path = testing::TempDir() + "train_in_sight.csv";
    ASSERT_TRUE(write_file_atomically(real_disk(), path, "when,node,down\n"));
    TrainFlags flags;
    flags.train.csv = {.file = path, .time = "when", .entity = "node", .event = "down"};
    flags.given = {"--csv", "--time", "--entity", "--event"};
    const auto [status, text] = tried(flags);
    EXPECT_EQ(status, kFailed);
    EXPECT_TRUE(text.ends_with("No model was written.\n")) << text;
}

}  // namespace
}  // namespace parley::app
