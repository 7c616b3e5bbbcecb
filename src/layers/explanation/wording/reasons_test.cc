#include "layers/explanation/wording/reasons.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

model::Forecast forecast(double calibration) {
    model::Forecast out;
    out.calibration = "platt-1";
    out.reasons = {{.node = 3,
                    .base = 0.04,
                    .factors = {{"disk_excess", 0.47, 6.0}, {"cpu_share", std::nullopt, 0.5}},
                    .others = 1.25,
                    .calibration = calibration}};
    return out;
}

TEST(Reasons, multiply_from_the_base_odds) {
    const auto lines = reasons_of(forecast(1.0), {.node = 3});
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0],
              "Odds 0.040 of a node of which nothing is known, x6.00 disk_excess 0.47, x0.50 "
              "cpu_share missing, x1.25 the rest: risk 0.13.");
}

TEST(Reasons, calibration_has_a_line_where_it_moves_the_risk) {
    const auto lines = reasons_of(forecast(2.0), {.node = 3});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[1], "Calibration platt-1 x2.00: risk 0.23.");
    EXPECT_EQ(reasons_of(forecast(1.05), {.node = 3}).size(), 1U);
}

TEST(Reasons, a_correction_is_named_whatever_it_moves) {
    model::Forecast corrected = forecast(2.0);
    corrected.reasons[0].correction = 1.5;
    EXPECT_EQ(reasons_of(corrected, {.node = 3}).size(), 2U);
    corrected.correction = {.id = "0a1b", .a = 0.4, .b = 1};
    const auto lines = reasons_of(corrected, {.node = 3});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[2], "Correction 0a1b, learned while serving, x1.50: risk 0.31.");
}

TEST(Reasons, of_a_node_that_was_not_acted_on_are_not_recorded) {
    EXPECT_TRUE(reasons_of(forecast(1.0), {.node = 4}).empty());
}

}  // namespace
}  // namespace parley::explanation
