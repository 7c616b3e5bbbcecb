#include "learn/report/report_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::learn {
namespace {

TEST(ReportText, says_how_good_a_risk_is) {
    RiskReport report;
    report.data = {.name = "nodes",
                   .what = "the node fails",
                   .entity = "node",
                   .fingerprint = "0123456789abcdef0123",
                   .split = "time",
                   .rows = 12'345,
                   .features = 3,
                   .slices = {{Part::train, 10'000, 500, 40, 30}}};
    report.xgboost = "1.7.4";
    report.trees = 61;
    report.calibration = "none";
    report.negatives_kept = 0.25;
    report.quality.auc = {0.65, 0.64, 0.66};
    report.quality.alarms = {{0.5, 0.01, 0.3, 0.2, 5.5}, {0.4, 0.02, 0.2, 0.3, std::nullopt}};
    report.bars = {{"slope", "0.8 to 1.2", "0.7", false},
                   {"error", "at most 0.1", "0.2", false, 0.25},
                   {"top", "0.8 to 1.25", "0.7", false, 0.95},
                   {"some", "0.8 to 1.25", "1.6", false, 0.3, 0.24},
                   {"many", "0.8 to 1.25", "7.8", false, 0.3, 0.00995},
                   {"all", "0.8 to 1.25", "2.0", false, 0.95, 0.02}};
    report.warnings = {"a feature is the label"};
    report.data.censored = 1'234;
    const std::string text = report_text(report);
    const char* const untold =
        "  untold   error: 0.2; asked: at most 0.1; on so few failures a model that is right "
        "would meet it 25 % of the time\n";
    for (
        const char* wanted :
        {"nodes: the node fails\n", "features, split by time", "data 0123456789abcdef\n",
         "train  10,000       500  5.00 %      40     30\n",
         "AUC                        0.6500  (95 %: 0.6400 to 0.6600)",
         "It is not calibrated and may not drive actions", "25.0 % were used for training",
         "0.5000       1.0 %     30.0 %        20.0 %                        5.5\n",
         "12,345 rows (1,234 of them censored: they weigh nothing, as nobody saw their end), 3",
         "\nWARNING: a feature is the label\n",
         "  untold   some: 1.6; asked: 0.8 to 1.25; on so few failures a model that is right would "
         "meet it 30 % of the time, and be as far off 24 % of the time\n",
         "  NOT MET  many: 7.8; asked: 0.8 to 1.25; on so few failures a model that is right would "
         "meet it 30 % of the time, and be as far off under 1 % of the time\n",
         "  NOT MET  all: 2.0; asked: 0.8 to 1.25; a model that is right would be as far off 2 % "
         "of "
         "the time\n",
         "  NOT MET  slope: 0.7; asked: 0.8 to 1.2\n", untold,
         "  NOT MET  top: 0.7; asked: 0.8 to 1.25\n"})
        EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
}

TEST(ReportText, shows_all_methods_by_distance) {
    DemandReport report;
    report.data = {.name = "google", .what = "CPU", .entity = "series"};
    report.horizons = {{.steps = 1,
                        .minutes = 5,
                        .trees = 7,
                        .errors = {{"model", 1, 0.9}, {"persistence", 1, 1}},
                        .serves = "model",
                        .coverage = {.overall = 0.9, .worst_day = 0.85}}};
    const std::string text = report_text(report);
    EXPECT_NE(
        text.find("1 step, 5 min  0.900        1.000        model     0.900      0.850             "
                  "-      7\n"),
        std::string::npos)
        << text;
    EXPECT_EQ(text.find("positive"), std::string::npos);
    EXPECT_EQ(text.find("no series moved"), std::string::npos);
}

TEST(ReportText, a_span_is_said_in_minutes_and_what_cannot_be_compared_is_explained) {
    DemandReport report;
    report.horizons = {{.minutes = 60,
                        .errors = {{"model", 0, std::nan("")}, {"persistence", 0, std::nan("")}},
                        .serves = "persistence"}};
    const std::string text = report_text(report);
    EXPECT_NE(text.find("\n  60 min"), std::string::npos) << text;
    EXPECT_EQ(text.find("step"), std::string::npos) << text;
    EXPECT_NE(text.find("  ? no series moved in the test slice"), std::string::npos) << text;
}

}  // namespace
}  // namespace parley::learn
