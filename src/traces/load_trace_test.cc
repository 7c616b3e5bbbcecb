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

TEST(OnSteps, another_rhythm_is_refused_where_it_was_thinned_out) {
    Points points;
    for (std::int64_t i = 0; i < 20; ++i) points.emplace_back(i * 60, 1.0);
    const auto values = on_steps(points, 300);
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().message,
              "its lines are 1m apart where 5m are expected; bring them to that distance");
    EXPECT_TRUE(on_steps(points, 60));
}

TEST(SortByTime, points_of_one_time_keep_their_order) {
    Points points = {{300, 1}, {0, 2}, {300, 3}};
    sort_by_time(points);
    EXPECT_EQ(points, (Points{{0, 2}, {300, 1}, {300, 3}}));
    EXPECT_EQ(usual_step(points), 300);
}

TEST(OnSteps, refuses_what_no_series_is) {
    EXPECT_FALSE(on_steps({{0, 1}, {4'000'000'000, 1}}, 1));
    EXPECT_TRUE(on_steps({}, 1)->empty());
}

}  // namespace
}  // namespace parley::traces
