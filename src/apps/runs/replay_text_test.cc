#include "apps/runs/replay_text.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(ReplayText, says_that_all_is_the_same) {
    EXPECT_EQ(comparison_text({.rounds = 1'200}),
              "1,200 rounds, every decision the same, bit for bit.\n");
}

TEST(ReplayText, says_which_rounds_were_dropped) {
    EXPECT_EQ(comparison_text({.rounds = 40, .dropped = {{1, 80}}}),
              "Not made again: rounds 1 to 80 were dropped by `parley trim`\n"
              "Of what can be read, 40 rounds, every decision the same, bit for bit.\n");
}

TEST(ReplayText, names_the_first_difference) {
    const replay::Report report{.rounds = 300,
                                .differing = 2,
                                .first_round = 7,
                                .path = "verdict.rule",
                                .recorded = "\"a\"",
                                .derived = "\"b\""};
    EXPECT_EQ(comparison_text(report),
              "2 of 300 rounds differ, the first in round 7 at verdict.rule:\n"
              "  recorded  \"a\"\n  derived   \"b\"\n");
}

TEST(ReplayText, other_rules_are_no_fault) {
    replay::Report report{.rounds = 3, .differing = 1, .first_round = 1, .path = "x"};
    report.same_rules = false;
    report.rules_version = 77;
    EXPECT_NE(comparison_text(report).find("recorded under rules_version 77"), std::string::npos);
}

TEST(ReplayText, shows_some_changes_and_counts_the_rest) {
    const replay::Report report{.rounds = 9,
                                .changes = {{1, {}, "idle", "AgentB:dvfs"}, {2, {}, "idle", "x"}},
                                .gaps = {"round 3 fails its checksum"}};
    EXPECT_EQ(changes_text(report, 1),
              "Damaged: round 3 fails its checksum\n"
              "2 of 9 rounds would have been decided otherwise.\n"
              "  round 1: idle -> AgentB:dvfs\n  and 1 more; all of them: -o json\n");
}

TEST(ReplayText, nothing_is_the_same_before_the_damage_is_said) {
    const replay::Report report{.rounds = 2, .gaps = {"round 3 fails its checksum"}};
    EXPECT_EQ(comparison_text(report),
              "Damaged: round 3 fails its checksum\n"
              "Of what can be read, 2 rounds, every decision the same, bit for bit.\n");
}

}  // namespace
}  // namespace parley::app
