#include "apps/tuning/compare_text.h"

#include "base/json.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

experiment::CompareReport report() {
    experiment::CompareReport out{.first_seed = 1'000'000, .hours = 2, .interval_s = 15};
    out.arms = {{.scenario = "calm", .arm = "brain", .runs = 100, .cost = 210.25},
                {.scenario = "calm", .arm = "never", .runs = 100, .cost = 212.0}};
    out.comparisons = {
        {.scenario = "calm",
         .arm = "brain",
         .against = "never",
         .cost = {.pairs = 100, .mean = -1.75, .low = -2.5, .high = -1.0, .p = 0.001},
         .adjusted_p = 0.002,
         .delta = 10.6,
         .answer = experiment::Answer::better,
         .disruptions_not_inferior = true}};
    return out;
}

TEST(CompareText, says_what_differs_by_how_much_and_whether_that_is_sure) {
    const std::string text = compare_text(report());
    EXPECT_NE(text.find("seeds from 1000000 on, the same for every arm"), std::string::npos);
    EXPECT_NE(text.find("-1.75 (-0.8 %)  -2.50 to -1.00  0.0020  better     not more"),
              std::string::npos)
        << text;
}

TEST(CompareText, a_scenario_without_failures_has_no_share_of_them) {
    EXPECT_NE(compare_text(report()).find("0.00         -     -"), std::string::npos)
        << compare_text(report());
}

TEST(CompareText, what_has_no_value_is_null_and_not_zero) {
    const std::string json = to_json(report());
    EXPECT_NE(json.find("\"failures\":0,\"answered_share\":null,\"lead_minutes\":null"),
              std::string::npos)
        << json;
}

TEST(CompareText, failures_that_nobody_answered_have_a_share_and_no_lead) {
    experiment::CompareReport unanswered = report();
    for (auto& arm : unanswered.arms) {
        arm.failures = 2;
        arm.answered_share = 0;
    }
    EXPECT_NE(compare_text(unanswered).find("2.00       0 %     -"), std::string::npos)
        << compare_text(unanswered);
}

TEST(CompareText, runs_are_as_long_as_was_asked_for) {
    experiment::CompareReport brief = report();
    EXPECT_TRUE(compare_text(brief).starts_with("Runs of 2h, a round every 15s, seeds from "));
    brief.hours = 10.0 / 60;
    brief.interval_s = 0.5;
    EXPECT_TRUE(compare_text(brief).starts_with("Runs of 10m, a round every 500ms, seeds from "))
        << compare_text(brief);
}

TEST(CompareText, says_what_the_parts_of_the_cost_are) {
    for (const std::string& text : {compare_text(report()), compare_markdown(report())}) {
        const std::size_t table = text.find("lead");
        const std::size_t parts = text.find("A to D are parts of the cost: A lost requests");
        EXPECT_LT(table, parts) << text;
        EXPECT_LT(parts, text.find("How brain compares")) << text;
    }
}

TEST(CompareText, so_few_pairs_that_nothing_can_be_told_say_so) {
    experiment::CompareReport few = report();
    EXPECT_EQ(compare_text(few).find("oo few pairs"), std::string::npos);
    few.comparisons[0].cost.pairs = 4;
    few.comparisons[0].answer = experiment::Answer::too_few;
    few.comparisons[0].pairs_least = 6;
    const std::string text = compare_text(few);
    EXPECT_NE(text.find("  too few pairs  "), std::string::npos) << text;
    EXPECT_TRUE(
        text.ends_with("\nToo few pairs to tell: with 4, p is over 0.05 whatever they show; "
                       "from 6 on it may be less.\n"))
        << text;
}

TEST(CompareText, is_a_table_for_the_docs_too) {
    const std::string text = compare_markdown(report());
    EXPECT_NE(text.find("| calm | never | -1.75 (-0.8 %) |"), std::string::npos) << text;
}

}  // namespace
}  // namespace parley::app
