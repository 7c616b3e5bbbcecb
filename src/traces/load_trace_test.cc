#include "traces/load_trace.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

TEST(OnSteps, leaves_gaps_and_takes_the_last_of_a_step) {
    const auto values = on_steps({{1'000, 1}, {1'305, 2}, {1'310, 3}, {1'900, 4}}, 300);
    ASSERT_TRUE(values);
    ASSERT_EQ(values->size(), 4U);
    EXPECT_EQ((*values)[0], 1);
    EXPECT_EQ((*values)[1], 3);
    EXPECT_TRUE(std::isnan((*values)[2]));
    EXPECT_EQ((*values)[3], 4);
}

TEST(OnSteps, refuses_what_no_series_is) {
    EXPECT_FALSE(on_steps({{10, 1}, {9, 1}}, 1));
    EXPECT_FALSE(on_steps({{0, 1}, {4'000'000'000, 1}}, 1));
    EXPECT_TRUE(on_steps({}, 1)->empty());
}

}  // namespace
}  // namespace parley::traces
