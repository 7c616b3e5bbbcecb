// A release that keeps restarting is no sign of failing nodes; a node that really fails is still
// found.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::scenarios {
namespace {

/// Accepted safety actions that take pods from a node.
std::string moved_in(const Rounds& rounds) {
    for (const auto& round : rounds) {
        if (disrupted_in(*round)) {
            return "round " + std::to_string(round->input.round) + ": " + accepted_in(*round);
        }
    }
    return "";
}

bool says(const Rounds& rounds, const std::string& words) {
    return std::ranges::any_of(rounds, [&](const auto& round) {
        return std::ranges::any_of(round->decision.proposals, [&](const model::Proposal& each) {
            return each.role == model::Role::safety &&
                   each.because.find(words) != std::string::npos;
        });
    });
}

TEST(BadRelease, moves_nothing_in_two_hundred_worlds) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const Rounds rounds =
            run({.scenario = "bad-release", .seed = seed, .rounds = 180, .lean = true});
        ASSERT_EQ(moved_in(rounds), "") << "seed " << seed;
        ASSERT_TRUE(says(rounds, "its own crash loop")) << "seed " << seed;
    }
}

/// Without knowing when something was rolled out: only pods elsewhere can tell.
void unknown_roll_outs(sim::Scenario& scenario) {
    for (sim::ScriptedFault& each : scenario.script) each.at = each.jitter = seconds(0);
}

TEST(BadRelease, moves_nothing_where_nobody_knows_of_the_roll_out) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Rounds rounds = run({.scenario = "bad-release",
                                   .seed = seed,
                                   .rounds = 180,
                                   .adapt = unknown_roll_outs,
                                   .lean = true});
        EXPECT_EQ(moved_in(rounds), "") << "seed " << seed;
        EXPECT_FALSE(says(rounds, "rolled out shortly before")) << "seed " << seed;
    }
}

/// A DaemonSet, a Job and a Deployment of one replica, all at once.
void others_crash(sim::Scenario& scenario) {
    scenario.script.clear();
    for (const char* name :
         {"kube-system/kube-proxy", "kube-system/coredns", "batch/report", "edge/print"}) {
        scenario.script.push_back({.kind = sim::ScriptedKind::crash_loop,
                                   .at = seconds(20),
                                   .jitter = seconds(60),
                                   .target = name,
                                   .lasts = minutes(30)});
    }
}

TEST(BadRelease, whatever_kind_of_workload_it_is) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const bool known : {true, false}) {
            const auto adapt = [known](sim::Scenario& scenario) {
                others_crash(scenario);
                if (!known) unknown_roll_outs(scenario);
            };
            EXPECT_EQ(moved_in(run({.scenario = "bad-release",
                                    .seed = seed,
                                    .rounds = 180,
                                    .adapt = adapt,
                                    .lean = true})),
                      "")
                << "seed " << seed;
        }
    }
}

/// Despite crash loops of others, a failing node is found by its restarts and its other signs.
TEST(BadRelease, does_not_hide_a_node_that_fails) {
    const auto adapt = [](sim::Scenario& scenario) {
        scenario.script.erase(scenario.script.begin(), scenario.script.begin() + 3);
        scenario.script.push_back({.kind = sim::ScriptedKind::degrade_fail,
                                   .at = seconds(30),
                                   .target = "node-03",
                                   .lead = minutes(8),
                                   .gamma = 0.2,
                                   .repair = minutes(20)});
    };
    int acted = 0;
    int by_restarts = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        for (const auto& round : run({.scenario = "bad-release",
                                      .seed = seed,
                                      .rounds = 180,
                                      .adapt = adapt,
                                      .lean = true})) {
            for (const model::Proposal& each : round->decision.verdict.accepted) {
                if (each.role != model::Role::safety) continue;
                EXPECT_EQ(model::text_of(each.target), "node-03");
                ++acted;
            }
            for (const model::NodeForecast& node : round->decision.forecast.nodes) {
                if (node.spoke.has(model::Signal::restarts)) ++by_restarts;
            }
        }
    }
    EXPECT_GE(acted, 8);
    EXPECT_GE(by_restarts, 100);  // Rounds in which its restarts counted as a sign.
}

}  // namespace
}  // namespace parley::scenarios
