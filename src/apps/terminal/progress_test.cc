#include "apps/terminal/progress.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(Progress, is_a_bar_with_its_count) {
    EXPECT_EQ(progress_line(0, 300, "rounds"), "[                              ]  0 of 300 rounds");
    EXPECT_EQ(progress_line(150, 300, "rounds"),
              "[###############               ]  150 of 300 rounds");
    EXPECT_EQ(progress_line(28'800, 28'800, "rounds"),
              "[##############################]  28,800 of 28,800 rounds");
    EXPECT_EQ(progress_line(9, 3, "rounds"), "[##############################]  9 of 3 rounds");
}

TEST(Progress, without_a_total_is_a_count) {
    EXPECT_EQ(progress_line(1'200, 0, "rounds"), "1,200 rounds");
}

TEST(Progress, says_nothing_within_the_first_second) {
    testing::internal::CaptureStderr();
    {
        Progress progress(10, "rounds");
        for (std::uint64_t i = 0; i <= 10; ++i) progress.show(i);
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// What is said without a terminal about work that was looked at so often, a quarter of a second
/// each.
std::string said_after(std::uint64_t looks) {
    testing::internal::CaptureStderr();
    {
        Progress progress(300, "rounds", Duration{});  // Always due: every look is a tick.
        for (std::uint64_t i = 1; i <= looks; ++i) progress.show(i);
    }
    return testing::internal::GetCapturedStderr();
}

TEST(Progress, without_a_terminal_the_last_line_is_true) {
    EXPECT_EQ(said_after(39), "") << "under ten seconds the end says all";
    EXPECT_EQ(said_after(40), "40 of 300 rounds\n");
    EXPECT_EQ(said_after(79), "40 of 300 rounds\n79 of 300 rounds\n");
    EXPECT_EQ(said_after(80), "40 of 300 rounds\n80 of 300 rounds\n");
    EXPECT_TRUE(said_after(300).ends_with("280 of 300 rounds\n300 of 300 rounds\n"));
}

TEST(Progress, of_parts_says_nothing_of_short_ones) {
    testing::internal::CaptureStderr();
    {
        ProgressOfParts progress;
        progress.show(1, 10, "runs");
        progress.show(1, 20, "runs");
        progress.show(1, 20, "rounds at most");
        progress.end();
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace parley::app
