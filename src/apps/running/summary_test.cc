#include "apps/running/summary.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

using model::Role;

model::Judged judged(Role role, model::Fate fate) {
    return {.proposal = {.role = role, .action = model::Replicate{}}, .fate = std::move(fate)};
}

TEST(Summary, counts_fates_by_agent) {
    Tally tally;
    model::Decision decision;
    decision.verdict.judged = {judged(Role::safety, model::Refused{"cool-down", "x"}),
                               judged(Role::efficiency, model::Overridden{}),
                               judged(Role::admission, model::Accepted{})};
    decision.verdict.contest = model::Contest::contested;
    decision.score = {
        .cost = {model::Role::safety, 2'500'000}, .score = -1.5, .leaves = 80, .missing = 20};
    tally.add(decision);
    decision.verdict.judged[0].fate = model::Refused{"rate", "x"};
    decision.alarms.resize(1);
    tally.add(decision);
    tally.add(decision);

    RunSummary summary;
    tally.fill(summary);
    EXPECT_EQ(summary.agents[0].refused, 3);
    EXPECT_EQ(summary.agents[0].refused_by, "rate");
    EXPECT_EQ(summary.agents[1].lost, 3);
    EXPECT_EQ(summary.agents[2].accepted, 3);
    EXPECT_EQ(summary.contested, 3U);
    EXPECT_EQ(summary.alarms, 1U) << "one that stands for long";
    EXPECT_EQ(summary.with_alarm, 2U);
    EXPECT_EQ(summary.score, -4.5);
    EXPECT_EQ(summary.cost_pod_minutes, 7.5);
    EXPECT_EQ(summary.coverage, 0.8);
    EXPECT_EQ(summary.not_known_because, "");
}

TEST(Summary, what_is_held_is_not_accepted) {
    using enum model::ActionState;
    Tally tally;
    for (const auto state : {held, held, planned, would_send}) {
        model::Decision decision;
        decision.verdict.judged = {judged(Role::safety, model::Accepted{})};
        decision.first_steps.resize(1);
        decision.first_steps[0].action.role = Role::safety;
        decision.first_steps[0].action.action = model::Replicate{};
        decision.first_steps[0].action.target = decision.verdict.judged[0].proposal.target;
        decision.first_steps[0].action.state = state;
        tally.add(decision);
    }
    RunSummary summary;
    tally.fill(summary);
    EXPECT_EQ(summary.agents[0].held, 2);
    EXPECT_EQ(summary.agents[0].accepted, 2) << "let through, and what would be";
    EXPECT_NE(print_summary(summary).find("alarms     no alarm was raised\n"), std::string::npos);
}

TEST(Summary, totals_of_too_few_readings_are_missing) {
    Tally tally;
    model::Decision decision;
    decision.score = {
        .cost = {model::Role::safety, 2'500'000}, .score = -1.5, .leaves = 79, .missing = 21};
    tally.add(decision);
    RunSummary summary;
    tally.fill(summary);
    EXPECT_FALSE(summary.cost_pod_minutes);
    EXPECT_FALSE(summary.score);
    EXPECT_EQ(summary.coverage, 0.79);
    EXPECT_NE(print_summary(summary).find("cost       not known: only 79% of its readings were "
                                          "there, 80% are needed; "),
              std::string::npos);
    // Counters only grow, so a later reading includes what was missing.
    decision.score = {
        .cost = {model::Role::safety, 500'000}, .score = -0.5, .leaves = 100, .settled = 21};
    tally.add(decision);
    tally.fill(summary);
    EXPECT_EQ(summary.cost_pod_minutes, 3.0);
    EXPECT_EQ(summary.score, -2.0);
    EXPECT_EQ(summary.coverage, 1.0);
    RunSummary nothing;
    Tally().fill(nothing);
    EXPECT_FALSE(nothing.cost_pod_minutes);
    EXPECT_FALSE(nothing.coverage);
    EXPECT_EQ(nothing.not_known_because, "there was nothing to read");
}

TEST(Summary, a_cost_that_is_not_known_says_since_when_nothing_was_read) {
    Tally tally;
    const auto summary_of = [&] {
        RunSummary summary;
        tally.fill(summary);
        return print_summary(summary);
    };
    model::Decision decision{.round = 1};
    decision.score.missing = 8;
    tally.add(decision);
    EXPECT_NE(summary_of().find("80% are needed; none came yet, and what is late counts when it "
                                "comes\n"),
              std::string::npos)
        << summary_of();
    decision.round = 2;
    decision.score = {.leaves = 8};
    tally.add(decision);
    decision.round = 3;
    decision.score = {.missing = 8};
    tally.add(decision);
    EXPECT_NE(summary_of().find("; the last came in round 2, and what is late counts when it "
                                "comes\n"),
              std::string::npos)
        << summary_of();
    RunSummary nothing;
    Tally().fill(nothing);
    EXPECT_NE(print_summary(nothing).find("cost       not known: there was nothing to read\n"),
              std::string::npos);
}

TEST(Summary, is_a_table_for_people) {
    RunSummary summary{.scenario = "tour", .seed = 7, .profile = "parley"};
    summary.mode = "act (simulated)";
    summary.status = "complete";
    summary.rounds = 1'200;
    summary.agents = {{"A safety", 3, 2, 0, 1'012, 5, "cool-down"},
                      {"D scaling", 0, 0, 0, 0, 1'200, ""}};
    summary.contested = 1;
    summary.alarms = 1;
    summary.with_alarm = 157;
    summary.cost_pod_minutes = 12.34;
    summary.score = -9.96;
    summary.last = "Nothing to do.";
    EXPECT_EQ(print_summary(summary),
              R"(tour, seed 7, profile parley, act (simulated): 1,200 rounds, complete

  agent         accepted    held    lost  refused    idle
  A safety             3       2       0    1,012       5   mostly by cool-down
  D scaling     skipped: not in this build

contested  1 round
alarms     1 alarm, in 157 rounds
cost       12.3 pod-minutes, score -10.0
last       Nothing to do.
)");
    summary.coverage = 0.9999;
    EXPECT_NE(print_summary(summary).find("score -10.0, from 99% of readings\n"),
              std::string::npos);
}

TEST(Summary, begins_with_what_the_header_says) {
    store::RunHeader header{.scenario = "calm", .seed = 3};
    header.policy.profile = model::Profile::prototype;
    header.mode = model::Mode::observe;
    header.simulated = true;
    header.record = store::RecordLevel::decisions;
    const RunSummary summary =
        begun_summary(header, "runs/calm-3", {{"ray", store::StageStatus::idle, "why"}});
    EXPECT_EQ(summary.scenario, "calm");
    EXPECT_EQ(summary.seed, 3U);
    EXPECT_EQ(summary.profile, "prototype");
    EXPECT_EQ(summary.mode, "observe (simulated)");
    EXPECT_EQ(summary.folder, "runs/calm-3");
    EXPECT_EQ(summary.record, store::RecordLevel::decisions);
    ASSERT_EQ(summary.stages.size(), 1U);
    EXPECT_EQ(summary.stages[0].detail, "why");
}

}  // namespace
}  // namespace parley::app
