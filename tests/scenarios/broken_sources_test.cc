// Sources that stop, are late or report impossible values never lead to a disruptive action, and
// such values reach no forecast.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::scenarios {
namespace {

class BrokenSources : public ::testing::TestWithParam<const char*> {};

TEST_P(BrokenSources, never_lead_to_a_disruptive_action) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 7U, 31U}) {
        for (const auto& round : run({.scenario = GetParam(), .seed = seed, .rounds = 300})) {
            ASSERT_FALSE(disrupted_in(*round)) << GetParam() << ", seed " << seed << ", round "
                                               << round->input.round << ": " << accepted_in(*round);
        }
    }
}

TEST_P(BrokenSources, leave_gaps_that_are_seen) {
    bool gap = false;
    for (const auto& round : run({.scenario = GetParam(), .rounds = 150})) {
        round->input.snapshot.nodes.for_each([&](Slot, const model::NodeRow& row) {
            gap = gap || (row.cpu_used_m.gap() != nullptr &&
                          *row.cpu_used_m.gap() != model::Gap::not_reported);
        });
    }
    EXPECT_TRUE(gap);
}

TEST_P(BrokenSources, put_nothing_impossible_into_a_forecast) {
    for (const auto& round : run({.scenario = GetParam(), .rounds = 150})) {
        for (const model::NodeForecast& node : round->decision.forecast.nodes) {
            if (node.risk) {
                ASSERT_TRUE(std::isfinite(*node.risk) && *node.risk >= 0 && *node.risk <= 1);
            }
            if (node.demand) {
                ASSERT_TRUE(std::isfinite(*node.demand) && *node.demand >= 0 && *node.demand < 2);
            }
        }
    }
}

TEST(BrokenSourcesCost, is_not_known_while_nothing_is_read_and_whole_afterwards) {
    const auto cut = [](Duration lasts) {
        return [lasts](sim::Scenario& scenario) {
            for (sim::SourceSpec& source : scenario.sources) {
                source.faults = {{.from = minutes(2), .lasts = lasts}};
            }
        };
    };
    const Wish seen{.scenario = "failing-node", .rounds = 260, .mode = model::Mode::observe};
    Wish gap = seen;
    gap.adapt = cut(minutes(8));
    const Rounds whole = run(seen);
    const Rounds rounds = run(gap);
    const model::Derived& within = rounds[190]->memory.derived;
    EXPECT_NE(model::too_little_read(within.leaves, within.missing), "");
    EXPECT_LT(within.account.total(), whole[190]->memory.derived.account.total());
    const model::Derived& after = rounds.back()->memory.derived;
    EXPECT_EQ(after.missing, 0);
    EXPECT_EQ(after.account, whole.back()->memory.derived.account)
        << "the gap's cost comes with the counters, once";
}

/// The figure itself does not show that it is wrong: only the other source does.
TEST(Contradict, is_a_disagreement_then_an_alarm_and_disrupts_nothing) {
    for (const std::uint64_t seed : {1U, 7U, 31U}) {
        std::uint64_t differed = 0;
        std::uint64_t alarmed = 0;
        for (const auto& round : run({.scenario = "contradict", .seed = seed, .rounds = 200})) {
            const std::uint64_t number = round->input.round;
            for (const auto& each : round->decision.disagreements) {
                const bool differ = each.kind == model::DisagreementKind::sources_differ;
                if (differ && differed == 0) differed = number;
            }
            for (const auto& each : round->decision.alarms) {
                const bool contradict = each.kind == model::AlarmKind::sources_contradict;
                if (contradict && alarmed == 0) alarmed = number;
            }
            if (differed == 0) continue;
            ASSERT_FALSE(disrupted_in(*round))
                << "seed " << seed << ", round " << number << ": " << accepted_in(*round);
        }
        EXPECT_GE(differed, 20U) << "a minute, and the samples after it; seed " << seed;
        EXPECT_LE(differed, 28U);
        EXPECT_GE(alarmed, differed + 10);
        EXPECT_LE(alarmed, differed + 12);
    }
}

TEST(Contradict, sources_that_agree_never_do) {
    for (const char* scenario : {"calm", "tour", "failing-node", "flash-crowd", "batch-queue"}) {
        for (const auto& round : run({.scenario = scenario, .rounds = 200})) {
            for (const auto& each : round->decision.disagreements) {
                ASSERT_NE(each.kind, model::DisagreementKind::sources_differ)
                    << scenario << ", round " << round->input.round << ": " << each.sentence;
            }
        }
    }
}

TEST(Blind, nothing_measured_for_minutes_is_an_alarm) {
    bool raised = false;
    for (const auto& round : run({.scenario = "blind", .rounds = 100})) {
        for (const auto& each : round->decision.alarms) {
            raised = raised || each.kind == model::AlarmKind::sources_failed;
        }
    }
    EXPECT_TRUE(raised);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, BrokenSources, ::testing::Values("blind", "stale", "lying"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace parley::scenarios
