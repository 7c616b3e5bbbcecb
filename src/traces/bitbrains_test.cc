#include "traces/bitbrains.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

constexpr const char* kHeading = "vm,timestamp_s,cpu_cores,cpu_usage_mhz\n";

TEST(Bitbrains, makes_a_series_of_each_machine) {
    const auto trace = import_bitbrains(
        "machines",
        std::string(kHeading) + "52,1000,8,71.5\n52,1300,8,70\n52,1900,8,69\n7,1000,1,0\n");
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->series.size(), 2U);
    EXPECT_EQ(trace->series[0].name, "vm 7");
    const auto& values = trace->series[1].values;
    ASSERT_EQ(values.size(), 4U);
    EXPECT_EQ(values[1], 70);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(trace->series[1].start.us, 1'000'000'000);
}

TEST(Bitbrains, lines_may_be_out_of_order_and_values_missing) {
    const auto trace =
        import_bitbrains("machines", std::string(kHeading) +
                                         "52,1300,8,2\n52,1000,8,1\n52,1600,8,NaN\n52,1900,8,4\n");
    ASSERT_TRUE(trace) << trace.error().message;
    const learn::Series& series = trace->series[0];
    EXPECT_EQ(series.start.us, 1'000'000'000);
    ASSERT_EQ(series.values.size(), 4U);
    EXPECT_EQ(series.values[0], 1);
    EXPECT_EQ(series.values[1], 2);
    EXPECT_TRUE(std::isnan(series.values[2]));
}

TEST(Bitbrains, reads_the_files_of_the_archive) {
    const auto trace = import_bitbrains(
        "rnd/2013-8/52.csv.gz",
        "Timestamp [ms];\tCPU cores;\tCPU capacity provisioned [MHZ];\tCPU usage [MHZ]\r\n"
        "1375308176;\t8;\t20799.99;\t71.07\r\n1375308476;\t8;\t20799.99;\t70.5\r\n");
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->series.size(), 1U);
    EXPECT_EQ(trace->series[0].name, "vm 52");
    EXPECT_EQ(trace->series[0].start.us, 1'375'308'176'000'000);
    EXPECT_EQ(trace->series[0].values, (std::vector<double>{71.07, 70.5}));
}

TEST(Bitbrains, refuses_with_the_place) {
    const auto error = [](const char* lines) {
        const auto trace = import_bitbrains("machines", std::string(kHeading) + lines);
        return trace ? "" : trace.error().message;
    };
    EXPECT_EQ(error("x,1000,8,71\n"),
              "machines:2: vm must be a whole number from 0 to 4102444800, not \"x\"");
    EXPECT_EQ(error("52,1000,8,much\n"),
              "machines:2: cpu_usage_mhz must be a number, not \"much\"");
    EXPECT_EQ(error("52,1000,8,-3\n"),
              "machines:2: cpu_usage_mhz must not be below 0, and is \"-3\"");
    std::string minutes;
    for (int i = 0; i < 20; ++i) minutes += "52," + std::to_string(i * 60) + ",8,1\n";
    EXPECT_EQ(error(minutes.c_str()),
              "machines: machine 52: its lines are 1m apart where 5m are expected; bring them to "
              "that distance");
    EXPECT_EQ(error(""), "");
}

}  // namespace
}  // namespace parley::traces
