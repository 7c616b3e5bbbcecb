#include "learn/risk/recalibration_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::learn {
namespace {

RecalibrationReport made() {
    RecalibrationReport report{.model = "risk-0123456789ab", .failures = 12, .expected = 30.3};
    report.data = {.name = "recorded: 2 runs",
                   .what = "a node is lost",
                   .entity = "node",
                   .fingerprint = "0123456789abcdef0123",
                   .slices = {{Part::calibrate, 12'345, 300, 12, 40}}};
    report.before.log_loss = 0.123456;
    report.after.log_loss = 0.1;
    report.before.auc.value = report.after.auc.value = std::nan("");
    return report;
}

TEST(RecalibrationText, says_what_came_and_what_it_changes) {
    RecalibrationReport report = made();
    report.changed = true;
    report.a = -0.9;
    report.b = 1;
    const std::string text = recalibration_text(report);
    for (const char* wanted :
         {"recorded: 2 runs: a node is lost\n  12,345 rows of 40 nodes, data 0123456789abcdef\n",
          "Trees of risk-0123456789ab, as they are: 12.0 failures came where 30.3 were expected\n",
          "  log-loss                       0.12346   0.10000\n",
          "  AUC                                  -         -\n",
          "log-odds become -0.900 + 1.000 x log-odds: 0.01 becomes 0.0041, 0.1 0.043.\n"})
        EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
}

TEST(RecalibrationText, says_where_nothing_changes) {
    EXPECT_TRUE(recalibration_text(made()).ends_with(
        "It does not forecast the newest fifth better: its calibration stays.\n"));
}

}  // namespace
}  // namespace parley::learn
