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

TEST(Nab, refuses_with_the_line) {
    const auto error = [](const char* lines) {
        const auto trace = import_nab("x", std::string("timestamp,value\n") + lines);
        return trace ? "" : trace.error().message;
    };
    EXPECT_EQ(error("yesterday,1\n"),
              "metric:2: timestamp must be such as 2014-04-10 00:04:00, not \"yesterday\"");
    EXPECT_EQ(error("2014-04-10 00:04:00,\n"), "metric:2: value must be a number, not \"\"");
    EXPECT_EQ(error("2014-04-10 00:04:00,1\n"),
              "metric:2: its lines have no usual distance in time");
    EXPECT_EQ(error(""), "metric:1: its lines have no usual distance in time");
    EXPECT_NE(error("0001-01-01 00:00:00,1\n0001-01-01 00:00:01,1\n0001-01-01 00:00:02,1\n"
                    "9999-01-01 00:00:00,1\n"),
              "");
}

}  // namespace
}  // namespace parley::traces
