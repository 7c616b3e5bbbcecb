#include "layers/arbitration/holdout.h"

#include "fake/small_round.h"
#include "layers/arbitration/referee.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::arbitration {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;

const Proposal kMigrate{Role::safety, Migrate{}, node_id(1), 0.3, {}, "risk 0.30"};

/// A round in which a trained model is served and a share of actions is withheld.
SmallRound served(double share) {
    SmallRound round;
    round.policy.predictor = PredictorKind::xgboost;
    round.policy.risk.holdout = share;
    round.forecast.model = "risk-test";
    round.forecast.features = 1;
    round.forecast.horizon = minutes(30);
    round.forecast.nodes[0].risk = 0.3;
    return round;
}

Drawn drawn(const SmallRound& round, const Proposal& proposal = kMigrate) {
    return draw_holdout(guard::Facts(round.input, round.forecast, round.memory, round.policy),
                        proposal);
}

TEST(Holdout, says_for_how_long_why_and_with_which_probability) {
    const Drawn found = drawn(served(1));
    ASSERT_TRUE(found.withheld);
    EXPECT_EQ(found.withheld->rule, "hold-out");
    EXPECT_EQ(found.withheld->because,
              "withheld for 30m00s to see whether node-01 fails, as 100% of safety actions are "
              "(policy.risk.holdout)");
    EXPECT_EQ(found.probability, 1);
}

struct Case {
    const char* name;
    std::function<void(SmallRound&)> change;
};

TEST(Holdout, is_off_unless_asked_for_and_never_where_it_could_hurt_or_teach_nothing) {
    const Case cases[] = {
        {"no_share", [](SmallRound& r) { r.policy.risk = {}; }},
        {"urgent", [](SmallRound& r) { r.forecast.nodes[0].risk = 0.51; }},
        {"unknown_risk", [](SmallRound& r) { r.forecast.nodes[0].risk.reset(); }},
        {"another_predictor", [](SmallRound& r) { r.policy.predictor = PredictorKind::evidence; }},
        {"evidence_in_its_place", [](SmallRound& r) { r.forecast.features = 0; }},
        {"nothing_is_sent", [](SmallRound& r) { r.input.controls.mode = Mode::observe; }},
        {"dry_run", [](SmallRound& r) { r.input.controls.mode = Mode::dry_run; }},
    };
    for (const Case& each : cases) {
        SmallRound round = served(1);
        ASSERT_TRUE(drawn(round).withheld);
        each.change(round);
        EXPECT_FALSE(drawn(round).withheld) << each.name;
        EXPECT_EQ(drawn(round).probability, 1) << each.name;
    }
    SmallRound at_the_bound = served(1);
    at_the_bound.forecast.nodes[0].risk = 0.5;
    EXPECT_TRUE(drawn(at_the_bound).withheld);
    EXPECT_FALSE(Policy{}.risk.holdout > 0);
}

TEST(Holdout, takes_the_share_it_was_given_and_the_same_ones_again) {
    SmallRound round = served(0.1);
    int withheld = 0;
    for (int i = 0; i < 5'000; ++i) {
        round.input.now = {minutes(30).us * i};
        const Drawn found = drawn(round);
        withheld += found.withheld ? 1 : 0;
        EXPECT_NEAR(found.probability, found.withheld ? 0.1 : 0.9, 1e-12);
        ASSERT_EQ(drawn(round).withheld, found.withheld);
        round.input.now = round.input.now + minutes(29);  // Asked again within the horizon.
        ASSERT_EQ(drawn(round).withheld.has_value(), found.withheld.has_value());
    }
    EXPECT_NEAR(withheld, 500, 80);
}

TEST(Holdout, a_node_stays_withheld_for_a_horizon_unless_it_becomes_urgent) {
    SmallRound round = served(1e-9);  // So small that nothing new is drawn.
    ASSERT_FALSE(drawn(round).withheld);
    round.memory.derived.hindsight.nodes.put(
        0, {.uid = round.node(1).uid, .withheld_until = round.input.now + minutes(7)});
    ASSERT_TRUE(drawn(round).withheld);
    EXPECT_TRUE(drawn(round).withheld->because.starts_with("withheld for 7m00s to see"));
    round.forecast.nodes[0].risk = 0.6;
    EXPECT_FALSE(drawn(round).withheld);
    round.forecast.nodes[0].risk = 0.3;
    round.input.now = round.input.now + minutes(7);
    EXPECT_FALSE(drawn(round).withheld);
}

TEST(Holdout, turned_off_it_lets_go_of_those_it_had_withheld) {
    SmallRound round = served(1);
    round.memory.derived.hindsight.nodes.put(
        0, {.uid = round.node(1).uid, .withheld_until = round.input.now + minutes(7)});
    ASSERT_TRUE(drawn(round).withheld);
    round.policy.risk.holdout = 0;
    EXPECT_FALSE(drawn(round).withheld);
}

TEST(Holdout, needs_a_horizon_however_short) {
    SmallRound round = served(1);
    round.forecast.horizon = microseconds(1);
    EXPECT_TRUE(drawn(round).withheld);
    round.forecast.horizon = {};
    EXPECT_FALSE(drawn(round).withheld);
}

TEST(Holdout, the_referee_asks_the_guard_first_and_blocks_nobody_by_it) {
    SmallRound round = served(1);
    const Proposal queue{Role::admission, Admission{AdmissionWish::queue}, WholeCluster{}, 0.9, {},
                         "9 pods wait"};
    const Proposal balloon{Role::efficiency, MemoryBalloon{}, node_id(1), 0.5, {}, "demand 0.4"};
    const auto judge = [&] {
        const guard::Facts facts(round.input, round.forecast, round.memory, round.policy);
        return Referee(round.policy).judge(facts, round.forecast, {kMigrate, queue, balloon});
    };
    Verdict verdict = judge();
    ASSERT_EQ(verdict.judged.size(), 3U);
    EXPECT_EQ(std::get<Refused>(verdict.judged[0].fate).rule, "hold-out");
    for (const Judged& each : verdict.judged) {
        EXPECT_EQ(each.probability, 1) << "whoever is not drawn is certain";
    }
    ASSERT_EQ(verdict.accepted.size(), 1U);
    EXPECT_EQ(verdict.accepted[0].role, Role::admission);
    round.memory.ledger.cool_downs.push_back(
        {node_id(1), ActionKind::migrate, round.input.now + minutes(3)});
    verdict = judge();
    EXPECT_EQ(std::get<Refused>(verdict.judged[0].fate).rule, "cool-down");
}

}  // namespace
}  // namespace parley::arbitration
