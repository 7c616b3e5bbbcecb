#include "layers/explanation/answers/history.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using Texts = std::vector<std::string>;

struct Told3 {
    History history;
    Round round;
    Past past{model::EvidenceRules{}};

    explicit Told3(History::About about = History::About::node, std::string name = "node-07")
        : history(about, std::move(name)) {
        round.risk(7).risk = 0.01;
        round.decide_nothing("calm", "calm");
    }
    void next() {
        round.move_to(round.input.round + 1, round.input.now + seconds(3));
        past.take(round.input);
        round.decision.forecast = round.forecast;
        history.take({round.input, round.decision, {}, {}, {}}, round.policy, past);
    }
    Texts texts() const {
        Texts out;
        for (const WhyMoment& moment : history.moments()) out.push_back(moment.text);
        return out;
    }
};

TEST(History, of_a_node_tells_only_changes) {
    Told3 told;
    told.next();
    told.next();
    told.round.risk(7).risk = 0.86;
    told.round.risk(7).spoke.add(model::Signal::lease_slow);
    told.next();
    told.round.decide_contested();
    told.next();
    told.round.decide_nothing("calm", "calm");
    told.round.node(7).quarantined = true;
    told.next();
    EXPECT_EQ(told.texts(),
              (Texts{"Ready, risk 0.01 (acts above 0.25)",
                     "Ready, risk 0.86 (acts above 0.25): lease 2s old (alone 0.10)",
                     "A safety wanted replicate: accepted",
                     "Ready, quarantined by us, risk 0.86 (acts above 0.25): lease 2s old (alone "
                     "0.10)"}));
    EXPECT_EQ(told.history.moments()[2].round, 146U);
    EXPECT_EQ(told.history.acted(), 146U);
    EXPECT_EQ(
        told.history.summary(),
        "node-07: highest risk 0.86 in round 145, over its own limit in 3 of 5 rounds; 1 "
        "action; in round 147 Ready, quarantined by us, risk 0.86 (acts above 0.25): lease 2s "
        "old (alone 0.10).");
}

TEST(History, of_a_node_tells_that_somebody_took_our_mark_away) {
    Told3 told;
    told.next();
    told.round.decision.disagreements.push_back(
        {model::DisagreementKind::mark_foreign, kit::node_id(7), "our mark on node-07 is missing"});
    told.next();
    told.next();
    EXPECT_EQ(told.texts(), (Texts{"Ready, risk 0.01 (acts above 0.25)",
                                   "our mark on node-07 is missing; suspect layer 5, execution"}));
}

TEST(History, a_refusal_that_only_ages_is_told_once) {
    Told3 told;
    for (int i = 0; i < 3; ++i) {
        told.round.forget();
        told.round.judge(kit::replicate(), model::Refused{"cool-down", std::to_string(60 - i)});
        told.next();
    }
    EXPECT_EQ(told.texts(), (Texts{"Ready, risk 0.01 (acts above 0.25)",
                                   "A safety wanted replicate: refused: cool-down, 60"}));
}

TEST(History, of_a_workload) {
    Told3 told(History::About::workload, "shop/web");
    told.next();
    told.round.workload(told.round.web).ready = 3;
    told.round.workload(told.round.web).pending = 1;
    told.next();
    told.round.decide_contested();
    told.round.decision.first_steps[0].action.round = told.round.input.round + 1;
    told.next();
    EXPECT_EQ(told.texts(), (Texts{"4 of 4 ready", "3 of 4 ready, 1 pending",
                                   "replicate node-07 plans shop/web to 7"}));
    EXPECT_EQ(told.history.summary(),
              "shop/web: 1 action touched it; in round 145 3 of 4 ready, 1 pending.");
}

TEST(History, evictions_of_a_workload_that_were_planned_and_never_sent) {
    Told3 told(History::About::workload, "shop/web");
    model::OpenAction action = told.round.open_action();
    action.action = model::Migrate{};
    action.round = told.round.input.round + 1;
    const Slot mine = told.round.run(told.round.web, 7);
    const model::Uid pod = told.round.pod(mine).uid;
    action.plan = {action.plan[0],
                   {model::EvictPod{pod, "web-1"}, {}, false},
                   {model::EvictPod{{99, 99}, "cart-1"}, {}, false}};
    told.round.decision.first_steps = {{action, model::Read{}}};
    told.next();
    EXPECT_EQ(told.texts().back(), "migrate node-07 plans evict web-1");
    told.round.decision.first_steps.clear();
    action.undoing = true;
    action.ended = model::ActionState::expired;
    action.note = "its time ran out";
    told.round.decision.ended = {action};
    told.next();
    EXPECT_EQ(told.texts().back(), "migrate node-07 of round " + std::to_string(action.round) +
                                       " is over; never sent: evict web-1 (its time ran out)");
}

TEST(History, pods_of_a_workload_are_resized_one_by_one_and_told_together) {
    Told3 told(History::About::workload, "shop/web");
    model::OpenAction action = told.round.open_action();
    action.action = model::Throttle{};
    action.round = told.round.input.round + 1;
    const model::Uid pod = told.round.pod(told.round.run(told.round.web, 7)).uid;
    const auto resize = [](model::Uid whose, const char* name) {
        return model::ResizePod{
            whose, Name::of("shop"), name, {{.container = Name::of("app"), .cpu_limit_m = 850}}};
    };
    action.plan = {
        action.plan[0], {resize(pod, "web-1"), {}, false}, {resize({99, 99}, "cart-1"), {}, false}};
    told.round.decision.first_steps = {{action, model::Read{}}};
    told.next();
    EXPECT_EQ(told.texts().back(), "throttle node-07 plans resize web-1 to 850m CPU limit");
}

TEST(History, a_name_that_never_was_gets_the_nearest) {
    Told3 told(History::About::node, "node-70");
    told.next();
    EXPECT_FALSE(told.history.seen());
    EXPECT_EQ(told.history.unknown(),
              "this run has no node called \"node-70\"; did you mean node-10?");
    Told3 far(History::About::workload, "warehouse/crane");
    far.next();
    EXPECT_EQ(far.history.unknown(),
              "this run has no workload called \"warehouse/crane\"; it has 1 workload, such as "
              "shop/web");
    Told3 part(History::About::workload, "web");
    part.next();
    EXPECT_EQ(part.history.unknown(),
              "this run has no workload called \"web\"; did you mean shop/web?");
}

TEST(History, of_a_node_that_took_the_place_of_another) {
    Told3 told(History::About::node, "node-99");
    told.next();
    EXPECT_FALSE(told.history.seen());
    told.round.node(7).id = {Name::of("node-99")};
    told.next();
    EXPECT_TRUE(told.history.seen());
    EXPECT_EQ(told.texts().size(), 1U);
    told.round.node(7).id = {Name::of("node-98")};
    told.next();
    EXPECT_EQ(told.texts().back(), "node-99 is gone");
}

TEST(History, keeps_the_first_and_the_newest_moments) {
    Told3 told;
    for (int i = 0; i < 100; ++i) {
        told.round.node(7).ready = i % 2 == 0 ? model::Readiness::yes : model::Readiness::no;
        told.next();
    }
    const auto moments = told.history.moments();
    EXPECT_EQ(moments.size(), kFirstMoments + kLastMoments);
    EXPECT_EQ(told.history.left_out(), 40U);
    EXPECT_EQ(moments.front().round, 143U);
    EXPECT_EQ(moments.back().round, 242U);
}

// A node that flaps has news in every round, which must not displace its actions.
TEST(History, signs_that_come_and_go_do_not_hide_an_action) {
    Told3 told;
    for (int i = 0; i < 100; ++i) {
        told.round.node(7).ready = i % 2 == 0 ? model::Readiness::yes : model::Readiness::no;
        if (i == 15) told.round.decide_contested();
        if (i == 16) told.round.decide_nothing("calm", "calm");
        told.next();
    }
    const auto moments = told.history.moments();
    EXPECT_EQ(moments.size(), kFirstMoments + kLastMoments);
    EXPECT_EQ(told.history.left_out(), 41U);
    EXPECT_EQ(moments[kFirstMoments].text, "A safety wanted replicate: accepted");
    EXPECT_EQ(moments[kFirstMoments].round, 158U);
    EXPECT_EQ(moments.back().round, 242U);
}

TEST(History, where_only_actions_are_left_the_oldest_go) {
    Told3 told;
    told.round.decide_contested();
    for (int i = 0; i < 100; ++i) told.next();
    const auto moments = told.history.moments();
    EXPECT_EQ(moments.size(), kFirstMoments + kLastMoments);
    EXPECT_EQ(moments[kFirstMoments - 1].text, moments[kFirstMoments].text);
    EXPECT_EQ(moments.back().round, 242U);
    EXPECT_EQ(moments[kFirstMoments].round, 193U);
}

}  // namespace
}  // namespace parley::explanation
