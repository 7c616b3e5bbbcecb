#include "traces/datacenter_utilisation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::traces {
namespace {

TEST(Datacenter, knows_the_three_by_their_headings) {
    const struct {
        const char* file;
        const char* text;
        const char* name;
        Duration step;
        double second;
    } cases[] = {
        {"g.csv", "avg_cpu,avg_mem\n0.4,0.3\n0.5,0.3\n", "google2019", minutes(5), 0.5},
        {"a.csv", "timestamp,cpu_usage,assigned_mem\n0,61.5,2\n300,60,2", "azure2017", minutes(5),
         60},
        {"alibaba_300s.csv", "cpu_util_percent,net_in\r\n16,1\r\n18,1\r\n", "alibaba2018",
         minutes(5), 18},
        {"b.csv", "\xef\xbb\xbf\"avg_cpu\",\"avg_mem\"\r\n0.4,0.3\r\n\"0.5\",0.3\r\n", "google2019",
         minutes(5), 0.5},
        {"alibaba_30s.csv", "cpu_util_percent,net_in\n16,1\n18,1\n", "alibaba2018", seconds(30),
         18},
    };
    for (const auto& each : cases) {
        const auto trace = import_datacenter(each.file, each.text);
        ASSERT_TRUE(trace) << trace.error().message;
        EXPECT_EQ(trace->name, each.name);
        ASSERT_EQ(trace->series.size(), 1U);
        EXPECT_EQ(trace->series[0].step, each.step);
        EXPECT_EQ(trace->series[0].values[1], each.second);
    }
}

TEST(Datacenter, leaves_out_times_that_azure_leaves_out) {
    const auto trace = import_datacenter("a", "timestamp,cpu_usage\n0,1\n600,3\n");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->series[0].values.size(), 3U);
    EXPECT_TRUE(std::isnan(trace->series[0].values[1]));
}

TEST(Datacenter, refuses_other_files) {
    EXPECT_FALSE(import_datacenter("x", "cpu,mem\n1,2\n"));
    EXPECT_FALSE(import_datacenter("x", ""));
    EXPECT_FALSE(import_datacenter("x", "avg_cpu\nhigh\n"));
    EXPECT_FALSE(import_datacenter("x", "avg_cpu\n-1\n"));
    EXPECT_EQ(import_datacenter("x", "cpu,mem\n1,2\n").error().message,
              "x:1: its heading has neither avg_cpu nor cpu_usage nor cpu_util_percent; is it the "
              "right file?");
    EXPECT_FALSE(import_datacenter("x", "timestamp,cpu_usage\n-1,1\n"));
}

}  // namespace
}  // namespace parley::traces
