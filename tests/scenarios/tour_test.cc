// `tour` is what `parley demo` runs: with seed 7 everything worth seeing happens in fixed rounds.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::scenarios {
namespace {

class Tour : public ::testing::Test {
protected:
    static const Published& round(std::size_t number) {
        static const Rounds rounds = run({.scenario = "tour", .seed = 7, .rounds = 60});
        return *rounds.at(number - 1);
    }

    static model::SourceCondition prometheus_in(std::size_t number) {
        for (const model::SourceState& state : round(number).input.snapshot.sources) {
            if (state.source == model::Source::prometheus) return state.condition;
        }
        return model::SourceCondition::off;
    }
};

TEST_F(Tour, efficiency_wins_in_round_6) {
    EXPECT_EQ(accepted_in(round(6)), "AgentB:memory_balloon");
}

TEST_F(Tour, safety_overrules_admission_and_efficiency_in_round_16) {
    EXPECT_EQ(accepted_in(round(16)), "AgentA:migrate");
    EXPECT_EQ(overruled_in(round(16)),
              (std::vector{model::Role::efficiency, model::Role::admission}));
    EXPECT_EQ(text_of(round(16).decision.verdict.accepted[0].target), "node-07");
}

TEST_F(Tour, admission_wins_in_round_17) {
    EXPECT_EQ(accepted_in(round(17)), "AgentC:admission:queue");
    EXPECT_EQ(overruled_in(round(17)), std::vector{model::Role::efficiency});
}

TEST_F(Tour, prometheus_goes_late_in_round_27_and_recovers_in_round_40) {
    EXPECT_EQ(prometheus_in(26), model::SourceCondition::ok);
    EXPECT_EQ(prometheus_in(27), model::SourceCondition::late);
    EXPECT_EQ(prometheus_in(39), model::SourceCondition::late);
    EXPECT_EQ(prometheus_in(40), model::SourceCondition::ok);
}

TEST_F(Tour, an_alarm_is_raised_in_round_40_and_clears_in_round_41) {
    EXPECT_TRUE(round(39).decision.alarms.empty());
    ASSERT_EQ(round(40).decision.alarms.size(), 1U);
    EXPECT_EQ(round(40).decision.alarms[0].kind, model::AlarmKind::no_samples);
    EXPECT_TRUE(round(41).decision.alarms.empty());
}

TEST_F(Tour, agent_d_says_that_it_is_not_in_this_build) {
    const auto& judged = round(1).decision.verdict.judged;
    const auto scaling = std::ranges::find_if(judged, [](const model::Judged& each) {
        return each.proposal.role == model::Role::scaling;
    });
    ASSERT_NE(scaling, judged.end());
    EXPECT_EQ(std::get<model::Idle>(scaling->fate).because, "skipped: not in this build");
}

}  // namespace
}  // namespace parley::scenarios
