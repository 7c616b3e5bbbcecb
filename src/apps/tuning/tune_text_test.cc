#include "apps/tuning/tune_text.h"

#include "experiment/tune_objective.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(TuneText, says_both_values_the_winner_and_what_it_saves) {
    TuneReport report{.storage = "sqlite:x.db",
                      .study = "night",
                      .scenario = "mixed",
                      .objective = "cost in pod-minutes of service; less is better",
                      .hours = 2,
                      .interval_s = 15,
                      .pairs = 16,
                      .complete = 31,
                      .pruned = 18,
                      .failed = 1,
                      .default_tuning = 1262.04,
                      .default_fresh = 1270};
    report.finalists = {{.trial = 37, .tuning = 1190.2, .fresh = 1231},
                        {.trial = 4, .tuning = 1188, .fresh = 1240.55}};
    report.difference = {.pairs = 100, .mean = -39, .low = -50.5, .high = -20, .p = 0.0002};
    report.answer = experiment::Answer::better;
    report.parameters = {
        {.name = "stakes.margin", .before = 1.1, .value = 1.52345, .importance = 0.25},
        {.name = "admission.queue_from", .before = 8, .value = 31}};
    EXPECT_EQ(tune_text(report),
              "Study night in sqlite:x.db: 50 trials, 31 complete, 18 pruned, 1 failed.\n"
              "Scenario mixed, runs of 2h, a round every 15s.\n"
              "Cost in pod-minutes of service; less is better.\n"
              "\n"
              "  trial           16 tuning seeds  100 fresh seeds\n"
              "  37, the winner           1190.2           1231.0\n"
              "  4                        1188.0           1240.5\n"
              "  default                  1262.0           1270.0\n"
              "\n"
              "The winner less the default on the fresh seeds: -39.00 (-3.1 %), 95 % from -50.50 "
              "to -20.00, p 0.0002: better.\n"
              "\n"
              "  parameter             default  winner  importance\n"
              "  stakes.margin           1.100   1.523       0.250\n"
              "  admission.queue_from        8      31           -\n");
}

TEST(TuneText, ranks_nothing_where_there_is_nothing_to_rank_by) {
    TuneReport report{.study = "s", .hours = 5.0 / 60, .interval_s = 15};
    report.finalists = {{.trial = 1, .tuning = 52, .fresh = 34}};
    report.difference = {.pairs = 2, .mean = -0.2, .low = -0.4, .high = -0.2};
    report.answer = experiment::Answer::too_few;
    report.parameters = {{.name = "stakes.margin", .before = 1.1, .value = 1.5}};
    report.no_importance_because = "2 complete trials are too few, 5 are needed";
    const std::string text = tune_text(report);
    EXPECT_NE(text.find(", runs of 5m, a round every 15s.\n"), std::string::npos) << text;
    EXPECT_NE(text.find("p 1.0000: too few pairs to tell (with fewer than 6 fresh seeds p is over "
                        "0.05 whatever they show).\n"),
              std::string::npos)
        << text;
    EXPECT_TRUE(
        text.ends_with("  stakes.margin    1.100   1.500           -\n"
                       "No importance: 2 complete trials are too few, 5 are needed.\n"))
        << text;
}

TEST(TuneText, says_that_the_prototypes_weights_judge_themselves) {
    TuneReport report{.study = "s",
                      .profile = model::Profile::prototype,
                      .objective = experiment::objective_text(model::Profile::prototype)};
    report.finalists = {{.trial = 1, .tuning = 3.257, .fresh = 4}};
    const std::string text = tune_text(report);
    for (const char* part : {"the objective contains its own weights.", "3.26", "4.00",
                             "The weights decide nothing", "no better cluster"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
}

TEST(TuneText, says_what_is_not_known_or_not_done) {
    TuneReport report{.study = "s", .open = 2};
    report.finalists = {{.trial = 1, .tuning = 3, .fresh = 4}};
    const std::string text = tune_text(report);
    EXPECT_NE(text.find("2 waiting or running."), std::string::npos);
    EXPECT_NE(text.find("default                     -"), std::string::npos) << text;
}

}  // namespace
}  // namespace parley::app
