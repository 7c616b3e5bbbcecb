#include "traces/bitbrains.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

constexpr const char* kHeading = "vm,timestamp_s,cpu_cores,cpu_usage_mhz\n";

TEST(Bitbrains, makes_a_series_of_each_machine) {
    const auto trace = import_bitbrains(std::string(kHeading) +
                                        "52,1000,8,71.5\n52,1300,8,70\n52,1900,8,69\n7,1000,1,0\n");
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->series.size(), 2U);
    EXPECT_EQ(trace->series[0].name, "vm 7");
    const auto& values = trace->series[1].values;
    ASSERT_EQ(values.size(), 4U);
    EXPECT_EQ(values[1], 70);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(trace->series[1].start.us, 1'000'000'000);
}

TEST(Bitbrains, refuses_with_the_place) {
    const auto error = [](const char* lines) {
        const auto trace = import_bitbrains(std::string(kHeading) + lines);
        return trace ? "" : trace.error().message;
    };
    EXPECT_EQ(error("x,1000,8,71\n"),
              "machines:2: vm must be a whole number from 0 to 4102444800, not \"x\"");
    EXPECT_EQ(error("52,1000,8,\n"), "machines:2: cpu_usage_mhz must be a number, not \"\"");
    EXPECT_EQ(error("52,1300,8,1\n52,1000,8,1\n"),
              "machine 52: times of a series must not fall; sort its lines");
    EXPECT_EQ(error(""), "");
}

}  // namespace
}  // namespace parley::traces
