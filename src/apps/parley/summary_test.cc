#include "apps/parley/summary.h"

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
    decision.score.score = -1.5;
    model::Memory memory;
    memory.derived.account.safety = 2'500'000;
    tally.add(decision);
    decision.verdict.judged[0].fate = model::Refused{"rate", "x"};
    decision.alarms.resize(1);
    tally.add(decision);
    tally.add(decision);

    RunSummary summary;
    tally.fill(memory, summary);
    EXPECT_EQ(summary.agents[0].refused, 3);
    EXPECT_EQ(summary.agents[0].refused_by, "rate");
    EXPECT_EQ(summary.agents[1].lost, 3);
    EXPECT_EQ(summary.agents[2].accepted, 3);
    EXPECT_EQ(summary.contested, 3U);
    EXPECT_EQ(summary.with_alarm, 2U);
    EXPECT_EQ(summary.score, -4.5);
    EXPECT_EQ(summary.cost_pod_minutes, 2.5);
}

TEST(Summary, is_a_table_for_people) {
    RunSummary summary{.scenario = "tour", .seed = 7, .profile = "parley"};
    summary.mode = "act (simulated)";
    summary.status = "complete";
    summary.rounds = 1'200;
    summary.agents = {{"A safety", 3, 0, 1'012, 5, "cool-down"}, {"D scaling", 0, 0, 0, 1'200, ""}};
    summary.contested = 1;
    summary.cost_pod_minutes = 12.34;
    summary.score = -9.96;
    summary.last = "Nothing to do.";
    EXPECT_EQ(print_summary(summary),
              R"(tour, seed 7, profile parley, act (simulated): 1,200 rounds, complete

  agent         accepted    lost  refused    idle
  A safety             3       0    1,012       5   mostly by cool-down
  D scaling     skipped: not in this build

contested  1 round
alarms     in 0 rounds
cost       12.3 pod-minutes, score -10.0
last       Nothing to do.
)");
}

}  // namespace
}  // namespace parley::app
