#include "traces/nab.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

TEST(Nab, takes_the_usual_distance_for_its_step) {
    const auto trace = import_nab("elb.csv",
                                  "timestamp,value\n2014-04-10 00:04:00,94.0\n"
                                  "2014-04-10 00:09:00,56\n2014-04-10 00:19:00,7\n"
                                  "2014-04-10 00:24:00,8\n");
    ASSERT_TRUE(trace) << trace.error().message;
    const learn::Series& series = trace->series[0];
    EXPECT_EQ(series.name, "elb.csv");
    EXPECT_EQ(series.step, minutes(5));
    ASSERT_EQ(series.values.size(), 5U);
    EXPECT_TRUE(std::isnan(series.values[2]));
    EXPECT_EQ(series.values[4], 8);
}

TEST(Nab, times_may_have_a_zone_be_short_or_out_of_order) {
    const auto same = [](const char* lines) {
        const auto trace = import_nab("x", std::string("timestamp,value\n") + lines);
        EXPECT_TRUE(trace) << lines << trace.error().message;
        if (!trace) return false;
        const learn::Series& series = trace->series[0];
        return series.start.us == 1'397'088'000'000'000 && series.step == minutes(60) &&
               series.values == std::vector<double>{1, 2, 3};
    };
    EXPECT_TRUE(same("2014-04-10 00:00:00,1\n2014-04-10 01:00:00,2\n2014-04-10 02:00:00,3\n"));
    EXPECT_TRUE(same("2014-04-10 02:00:00,3\n2014-04-10 00:00:00,1\n2014-04-10 01:00:00,2\n"));
    EXPECT_TRUE(same("2014-04-10T02:00:00+02:00,1\n2014-04-10T01:00:00Z,2\n2014-04-10 02:00,3\n"));
    EXPECT_TRUE(same("2014-04-10,1\n2014-04-09 23:00:00-02:00,2\n2014-04-10 02:00:00.00,3\n"));
    const auto gap = import_nab("x",
                                "timestamp,value\n2014-04-10 00:00:00,1\n2014-04-10 01:00:00,\n"
                                "2014-04-10 02:00:00,-3\n");
    ASSERT_TRUE(gap);
    EXPECT_TRUE(std::isnan(gap->series[0].values[1]));
    EXPECT_EQ(gap->series[0].values[2], -3);
}

TEST(Nab, a_value_a_day_is_forecast_a_day_ahead_and_no_farther) {
    const auto trace =
        import_nab("x", "timestamp,value\n2014-04-10,1\n2014-04-11,2\n2014-04-12,3\n");
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ(trace->ahead, std::vector<std::size_t>{1});
}

TEST(Nab, refuses_with_the_line) {
    const auto error = [](const char* lines) {
        const auto trace = import_nab("x", std::string("timestamp,value\n") + lines);
        return trace ? "" : trace.error().message;
    };
    EXPECT_EQ(error("yesterday,1\n"),
              "x:2: timestamp must be such as 2014-04-10 00:04:00, not \"yesterday\"");
    EXPECT_EQ(error("2014-04-10 00:04:00,high\n"), "x:2: value must be a number, not \"high\"");
    EXPECT_EQ(error("2014-04-10 00:04:00,1\n"), "x:2: its lines have no usual distance in time");
    EXPECT_EQ(error("2014-04-10 00:04:00,1\n2014-04-10 00:09:00,1\n2014-04-10 00:04:00,1\n"),
              "x:4: the time 2014-04-10T00:04:00Z stands in line 2 already; give each time once, "
              "with a zone where an hour comes twice");
    EXPECT_EQ(error(""), "x:1: its lines have no usual distance in time");
    EXPECT_NE(error("0001-01-01 00:00:00,1\n0001-01-01 00:00:01,1\n0001-01-01 00:00:02,1\n"
                    "9999-01-01 00:00:00,1\n"),
              "");
}

}  // namespace
}  // namespace parley::traces
