#include "traces/load_trace.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

Point at(std::int64_t second, double value, std::size_t line = 0) {
    return {{second * 1'000'000}, value, line};
}

TEST(OnSteps, leaves_gaps_and_takes_the_last_of_a_step) {
    const auto values =
        on_steps({at(1'000, 1), at(1'305, 2), at(1'310, 3), at(1'900, 4)}, minutes(5));
    ASSERT_TRUE(values);
    ASSERT_EQ(values->size(), 4U);
    EXPECT_EQ((*values)[0], 1);
    EXPECT_EQ((*values)[1], 3);
    EXPECT_TRUE(std::isnan((*values)[2]));
    EXPECT_EQ((*values)[3], 4);
}

TEST(OnSteps, another_rhythm_is_refused_where_it_was_thinned_out) {
    Points points;
    for (std::int64_t i = 0; i < 20; ++i) points.push_back(at(i * 60, 1.0));
    const auto values = on_steps(points, minutes(5));
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error().message,
              "its lines are 1m apart where 5m are expected; bring them to that distance");
    EXPECT_TRUE(on_steps(points, minutes(1)));
}

TEST(SortByTime, a_time_that_stands_there_twice_is_an_error_with_its_line) {
    Points points = {at(300, 1, 2), at(0, 2, 3), at(600, 3, 4)};
    ASSERT_TRUE(sort_by_time("x.csv", points));
    EXPECT_EQ(points, (Points{at(0, 2, 3), at(300, 1, 2), at(600, 3, 4)}));
    EXPECT_EQ(usual_step(points), minutes(5));
    points.push_back(at(300, 1, 5));
    const auto twice = sort_by_time("x.csv", points);
    ASSERT_FALSE(twice);
    EXPECT_EQ(twice.error().message,
              "x.csv:5: the time 1970-01-01T00:05:00Z stands in line 2 already; give each time "
              "once, with a zone where an hour comes twice");
}

TEST(OnSteps, refuses_what_no_series_is) {
    EXPECT_FALSE(on_steps({at(0, 1), at(4'000'000'000, 1)}, seconds(1)));
    EXPECT_TRUE(on_steps({}, seconds(1))->empty());
}

}  // namespace
}  // namespace parley::traces
