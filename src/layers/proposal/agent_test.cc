#include "layers/proposal/agent.h"

#include "fake/small_round.h"
#include "layers/proposal/propose.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::proposal {
namespace {

using fake::SmallRound;

/// "migrate:node-03", "queue": what is asked about.
Question asked(const std::string& text) {
    using enum model::AdmissionWish;
    static const std::map<std::string, model::Action> kActions = {
        {"throttle", model::Throttle{}},
        {"replicate", model::Replicate{}},
        {"migrate", model::Migrate{}},
        {"sleep", model::PowerState{model::PowerWish::sleep}},
        {"on", model::PowerState{model::PowerWish::on}},
        {"off", model::PowerState{model::PowerWish::off}},
        {"dvfs", model::Dvfs{}},
        {"memory_balloon", model::MemoryBalloon{}},
        {"queue", model::Admission{queue, {}}},
        {"deprioritize", model::Admission{deprioritize, {}}},
        {"admit", model::Admission{admit, {}}},
        {"resource_cap", model::ResourceCap{}},
        {"scale", model::Scale{}}};
    const auto colon = text.find(':');
    Question out{.action = kActions.at(text.substr(0, colon))};
    if (colon != text.npos) out.target = model::NodeId{Name::of(text.substr(colon + 1))};
    return out;
}

struct Round : SmallRound {
    Round() {
        risk(3).risk = 0.21;
        risk(3).loss = 30;
        risk(3).remedies[0] = {model::ActionKind::throttle, 0.2, 0.9, 1.0, 0.2};
        risk(3).remedies[1] = {model::ActionKind::replicate, 0.7, 0.8, 14.0, 0.92};
        risk(3).remedies[2] = {model::ActionKind::migrate, 0.95, 0.7, 14.0, 0.47};
        risk(3).demand = 0.61;
    }
    Sight sight() const { return {input, forecast, policy}; }
    std::optional<Distance> distance(const char* action) const {
        const Question question = asked(action);
        return agent_for(question.action)->distance(question, sight());
    }
    std::string sentence(const char* action) const {
        const auto found = distance(action);
        return found ? found->sentence : "unknown";
    }
    double gap(const char* action) const { return distance(action)->gap; }
    std::vector<std::string> hindered(const char* action) const {
        const Question question = asked(action);
        return what_hinders(*agent_for(question.action), question, sight());
    }
    /// "stakes.margin: x 3, usually x 1.1".
    std::vector<std::string> set(const char* action) const {
        const Question question = asked(action);
        std::vector<std::string> out;
        for (const SetAgainst& each : agent_for(question.action)->settings(question, sight())) {
            out.push_back(each.setting + ": " + each.is + ", usually " + each.usual);
        }
        return out;
    }
};

using Texts = std::vector<std::string>;

TEST(AskedAgent, safety_weighs_waiting_against_acting) {
    Round round;
    EXPECT_EQ(round.sentence("migrate:node-03"),
              "For node-03: 6.3 pod-minutes (risk 0.21 x 30.0) against 14.0. It would have from "
              "risk 0.47.");
    EXPECT_NEAR(round.gap("migrate:node-03"), 0.26, 1e-9);
    round.risk(3).remedies[2].limit = 1.2;
    EXPECT_EQ(
        round.sentence("migrate:node-03"),
        "For node-03: 6.3 pod-minutes (risk 0.21 x 30.0) against 14.0. It would not have paid "
        "at any risk.");
    round.risk(3).remedies[2].efficacy = 0;
    EXPECT_EQ(round.sentence("migrate:node-03"),
              "For node-03: migrate could have helped nothing that runs there.");
    round.risk(3).risk = std::nullopt;
    EXPECT_EQ(round.sentence("migrate:node-03"), "unknown");
    EXPECT_EQ(round.sentence("migrate:node-99"), "unknown");
}

TEST(AskedAgent, another_remedy_that_gains_more_is_named) {
    Round round;
    round.risk(3).risk = 0.9;
    EXPECT_EQ(round.hindered("throttle:node-03"), Texts{});  // It gains most: 3.8 against 2.6.
    EXPECT_EQ(round.hindered("migrate:node-03"),
              Texts{"It would have paid by 2.6 pod-minutes, but throttle by 3.8."});
    round.risk(3).remedies[2].cost = 5;
    EXPECT_EQ(round.hindered("throttle:node-03"),
              Texts{"It would have paid by 3.8 pod-minutes, but migrate by 12.5."});
}

TEST(AskedAgent, efficiency_is_about_demand_and_what_can_be_done) {
    Round round;
    EXPECT_EQ(round.sentence("memory_balloon:node-03"),
              "For node-03: demand 0.61, acts below 0.45.");
    EXPECT_EQ(round.sentence("dvfs:node-03"),
              "No demand is low enough for it: the policy sets its bound to 0.");
    EXPECT_GT(round.gap("dvfs:node-03"), 1);
    round.policy.efficiency.dvfs_below = 0.30;
    EXPECT_EQ(round.sentence("dvfs:node-03"), "For node-03: demand 0.61, acts below 0.30.");
    EXPECT_EQ(round.sentence("sleep:node-03"), "For node-03: demand 0.61, acts below 0.12.");
    EXPECT_EQ(round.sentence("on:node-03"), "unknown");
    round.node(3).can_power = false;
    round.node(3).cpu_used_m = round.SmallRound::gap<std::int64_t>(model::Gap::not_reported);
    EXPECT_EQ(round.hindered("sleep:node-03"), (Texts{"There was no fresh sample of what it uses.",
                                                      "No provider can switch node-03."}));
}

TEST(AskedAgent, a_node_out_of_service_does_not_hinder_efficiency_elsewhere_by_its_low_demand) {
    Round round;
    round.risk(8).demand = 0.01;
    round.node(8).quarantined = true;
    EXPECT_EQ(round.hindered("memory_balloon:node-03"), Texts{});
    EXPECT_EQ(round.hindered("memory_balloon:node-08"), Texts{"node-08 was under our quarantine."});
}

TEST(AskedAgent, efficiency_puts_no_node_to_sleep_while_pods_are_short_of_room) {
    Round round;
    EXPECT_EQ(round.hindered("sleep:node-03"), Texts{});
    round.input.snapshot.pending.push_back(
        {round.web, model::CauseSet{}.with(model::Cause::cpu), 1, round.input.now});
    EXPECT_EQ(round.hindered("sleep:node-03"),
              Texts{"Pods were short of room: no node is put to sleep then."});
    EXPECT_EQ(round.hindered("memory_balloon:node-03"), Texts{});
}

TEST(AskedAgent, efficiency_wakes_what_sleeps_and_never_switches_off) {
    Round round;
    const auto against_waking = [&] {
        const Question question = asked("on:node-03");
        return agent_for(question.action)->hindrances(question, round.sight());
    };
    EXPECT_EQ(against_waking(), (Texts{"node-03 did not sleep.", "No pod was short of room."}));
    round.node(3).power = model::Power::sleep;
    round.node(3).ready = model::Readiness::no;
    round.input.snapshot.pending.push_back(
        {round.web, model::CauseSet{}.with(model::Cause::cpu), 1, round.input.now});
    EXPECT_EQ(against_waking(), Texts{}) << "who sleeps is not Ready";
    round.node(3).can_power = false;
    EXPECT_EQ(against_waking(), Texts{"No provider can switch node-03."});
    round.policy.profile = model::Profile::prototype;
    EXPECT_EQ(against_waking(), Texts{"It wakes no node in this profile."});
    EXPECT_EQ(round.sentence("off:node-03"), "unknown");
    EXPECT_EQ(round.hindered("off:node-04"), Texts{"It lets nodes sleep, and switches none off."});
}

TEST(AskedAgent, admission_counts_pods_that_wait_for_room) {
    Round round;
    round.input.snapshot.pending.push_back(
        {round.web, model::CauseSet{}.with(model::Cause::cpu), 7, round.input.now});
    EXPECT_EQ(round.sentence("queue"), "There were 7 pods short of CPU in shop; it acts from 8.");
    EXPECT_EQ(round.gap("queue"), 1);
    EXPECT_EQ(round.gap("deprioritize"), 73);
    EXPECT_EQ(round.gap("resource_cap"), 113);
    round.api().condition = model::SourceCondition::failed;
    EXPECT_EQ(round.sentence("queue"), "unknown");
}

TEST(AskedAgent, the_prototype_has_constants) {
    Round round;
    round.policy.profile = model::Profile::prototype;
    EXPECT_EQ(round.sentence("migrate:node-03"), "For node-03: risk 0.21, acts from 0.70.");
    EXPECT_EQ(round.sentence("replicate:node-03"), "For node-03: risk 0.21, acts from 0.83.");
    EXPECT_EQ(round.sentence("dvfs:node-03"), "For node-03: demand 0.61, acts below 0.30.");
    round.input.snapshot.queue = {std::int64_t{5}, round.from({}, model::Source::api)};
    EXPECT_EQ(round.sentence("queue"), "There were 5 pending pods; it acts from 8.");
}

TEST(AskedAgent, a_node_that_is_lost_set_aside_or_gone) {
    Round round;
    const double ready = round.gap("migrate:node-03");
    round.risk(3).spoke.add(model::Signal::lease_lost);
    EXPECT_GT(round.gap("migrate:node-03"), ready + 1) << "still Ready, and out of reach";
    EXPECT_EQ(round.hindered("migrate:node-03"), Texts{"node-03 was lost already."});
    round.risk(3).spoke = {};
    round.break_node(3);
    EXPECT_GT(round.gap("migrate:node-03"), ready + 1);
    EXPECT_EQ(round.hindered("migrate:node-03"), Texts{"node-03 was lost already."});
    round.node(3).cordoned = true;
    round.risk(3).risk = std::nullopt;
    EXPECT_EQ(
        round.hindered("migrate:node-03"),
        (Texts{"node-03 was set aside on purpose.",
               "Its risk was unknown: api is 3s old (limit 15s).", "node-03 was lost already."}));
    EXPECT_EQ(round.hindered("migrate:node-99"), Texts{"node-99 was not in the cluster then."});
}

TEST(AskedAgent, each_agent_says_when_it_proposes) {
    const model::Policy policy;
    const auto rule = [&](const char* action) {
        const Question question = asked(action);
        return agent_for(question.action)->rule(question, policy);
    };
    EXPECT_EQ(rule("migrate:n"),
              "Agent A safety proposes migrate when waiting costs more than acting, in 2 of 3 "
              "rounds.");
    EXPECT_EQ(rule("sleep:n"),
              "Agent B efficiency proposes power_state:sleep for a node with demand below 0.12; "
              "the lowest goes first.");
    EXPECT_EQ(rule("off:n"), "Agent B efficiency never proposes power_state:off.");
    EXPECT_EQ(rule("dvfs:n"), "Agent B efficiency never proposes dvfs: its bound of demand is 0.");
    EXPECT_EQ(rule("on:n"), "Agent B efficiency wakes a node when pods are short of room.");
    EXPECT_EQ(rule("queue"),
              "Agent C admission proposes admission:queue from 8 pods that wait for room.");
    EXPECT_EQ(rule("admit"),
              "Agent C admission lifts an order when less than half of its bound waits.");
    EXPECT_EQ(rule("scale:a/b"), "Agent D scaling is not in this build.");
}

TEST(AskedAgent, the_prototype_names_its_constants_whatever_is_set) {
    model::Policy policy;
    policy.profile = model::Profile::prototype;
    policy.admission.queue_from = 30;
    const auto rule = [&](const char* action) {
        const Question question = asked(action);
        return agent_for(question.action)->rule(question, policy);
    };
    EXPECT_EQ(rule("migrate:n"),
              "Agent A safety proposes for the node of highest risk: throttle from 0.50, migrate "
              "from 0.70, replicate from 0.83.");
    EXPECT_EQ(rule("queue"),
              "Agent C admission proposes admission:queue from 8 pods that wait for room.");
}

TEST(AskedAgent, a_setting_is_named_where_its_default_would_have_let_it_act) {
    Round round;
    round.risk(3).risk = 0.9;
    EXPECT_EQ(round.set("migrate:node-03"), Texts{});
    round.policy.stakes.margin = 3;
    EXPECT_EQ(round.set("migrate:node-03"), Texts{"stakes.margin: x 3, usually x 1.1"});
    round.policy.stakes.rounds_over = 3;
    EXPECT_EQ(round.set("throttle:node-03"), Texts{"stakes.rounds_over: 3, usually 2"});
    round.risk(3).demand = 0.11;
    round.policy.efficiency.sleep_below = 0.10;
    EXPECT_EQ(round.set("sleep:node-03"), Texts{"efficiency.sleep_below: 0.1, usually 0.12"});
    round.risk(3).demand = 0.13;
    EXPECT_EQ(round.set("sleep:node-03"), Texts{});
    round.policy.admission.queue_from = 30;
    round.input.snapshot.pending.push_back(
        {round.web, model::CauseSet{}.with(model::Cause::cpu), 8, round.input.now});
    EXPECT_EQ(round.set("queue"), Texts{"admission.queue_from: 30, usually 8"});
    round.input.snapshot.pending.back().count = 7;
    EXPECT_EQ(round.set("queue"), Texts{});
}

}  // namespace
}  // namespace parley::proposal
