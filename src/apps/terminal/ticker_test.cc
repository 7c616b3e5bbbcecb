#include "apps/terminal/ticker.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(Ticker, without_a_period_is_always_due) {
    Ticker ticker(Duration{});
    EXPECT_EQ(ticker.due(), 1U);
    EXPECT_EQ(ticker.wait(), 1U);
}

TEST(Ticker, is_not_due_before_its_time) {
    Ticker ticker(hours(1));
    EXPECT_EQ(ticker.due(), 0U);
}

TEST(Ticker, comes_round) {
    Ticker ticker(milliseconds(1));
    EXPECT_GE(ticker.wait(), 1U);
    EXPECT_GE(ticker.wait(), 1U);
}

}  // namespace
}  // namespace parley::app
