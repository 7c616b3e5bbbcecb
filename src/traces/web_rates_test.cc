#include "traces/web_rates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace parley::traces {
namespace {

std::string lines(int seconds, const std::string& value) {
    std::string text;
    for (int i = 0; i < seconds; ++i) text += value + "\n";
    return text;
}

TEST(WebRates, takes_means_of_minutes) {
    const auto trace =
        import_web_rates("rates", "rps\n" + lines(30, "10") + lines(30, "20") + lines(59, "5"));
    ASSERT_TRUE(trace) << trace.error().message;
    const auto& values = trace->series[0].values;
    ASSERT_EQ(values.size(), 1U);  // The last minute is not full.
    EXPECT_EQ(values[0], 15);
    EXPECT_EQ(trace->series[0].step, minutes(1));
}

TEST(WebRates, masks_outages_of_the_collector) {
    const auto trace = import_web_rates("rates", "rps\n" + lines(60, "8") + lines(20, "8") +
                                                     lines(40 + 60 + 10, "0") + lines(50, "9") +
                                                     lines(1, "0") + lines(59, "6"));
    ASSERT_TRUE(trace);
    const auto& values = trace->series[0].values;
    ASSERT_EQ(values.size(), 5U);
    EXPECT_EQ(values[0], 8);
    EXPECT_TRUE(std::isnan(values[1]));  // Two thirds of it are missing.
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(values[3], 9);            // Ten seconds of it are.
    EXPECT_NEAR(values[4], 5.9, 1e-9);  // A second of zero is a zero.
}

TEST(WebRates, refuses_what_is_no_rate) {
    EXPECT_FALSE(import_web_rates("rates", "rps\n-1\n"));
    EXPECT_FALSE(import_web_rates("rates", "rps\nmany\n"));
    EXPECT_FALSE(import_web_rates("rates", "rate\n1\n"));
}

}  // namespace
}  // namespace parley::traces
