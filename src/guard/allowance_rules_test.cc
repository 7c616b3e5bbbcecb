#include "guard/allowance_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

TEST(AllowanceRules, obey_the_breaker) {
    const auto trip = [](SmallRound& r) {
        r.memory.ledger.breaker = {.tripped = true,
                                   .since = r.before(minutes(3)),
                                   .calm = true,
                                   .because = "4 of 12 nodes are bad, more than 20%"};
    };
    const auto break_three = [](SmallRound& r) {
        for (const int i : {1, 2, 3}) r.break_node(i);
    };
    const std::string tripped =
        "breaker: the breaker has been tripped for 3m00s: 4 of 12 nodes are bad, more than 20%";
    check({
        {"migrate", Migrate{}, trip, tripped},
        {"replicate", Replicate{}, trip, tripped},
        {"sleep", kSleep, trip, tripped},
        {"scale_down", Scale{{4, 3}}, trip, tripped, kWeb},
        {"scale_up", Scale{{4, 5}}, trip, "yes", kWeb},
        {"scale_to_the_same", Scale{{4, 4}}, trip, "yes", kWeb},
        {"throttle", Throttle{}, trip, "yes"},
        {"queue", kQueue, trip, "yes", WholeCluster{}},
        {"bad_target_is_left_out", Migrate{}, break_three, "yes"},
        {"good_target_is_not", kSleep, break_three,
         "breaker: the breaker forbids it: 3 of 12 nodes are bad, more than 20%", node_id(4)},
        {"nor_is_a_workload", Scale{{4, 3}}, break_three,
         "breaker: the breaker forbids it: 3 of 12 nodes are bad, more than 20%", kWeb},
        {"two_are_few", kSleep,
         [](SmallRound& r) {
             r.break_node(2);
             r.break_node(3);
         },
         "yes", node_id(4)},
    });
}

TEST(AllowanceRules, disrupt_one_at_a_time) {
    const auto open = [](const Action& action, ActionState state) {
        return [=](SmallRound& r) { r.open(action, node_id(5), state); };
    };
    const std::string busy =
        "one-at-a-time: one disruptive action at a time: migrate node-05 is on "
        "its way";
    using enum ActionState;
    check(
        {
            {"while_one_runs", Migrate{}, open(Migrate{}, sent), busy},
            {"while_one_is_blocked", kSleep, open(Migrate{}, blocked), busy},
            {"after_it", Migrate{}, open(Migrate{}, confirmed), "yes"},
            {"while_it_is_undone", Migrate{},
             [](SmallRound& r) { r.open(Migrate{}, node_id(5)).undoing = true; }, "yes"},
            {"gentle_beside", Throttle{}, open(Migrate{}, sent), "yes"},
            {"beside_gentle", Migrate{}, open(Throttle{}, sent), "yes"},
        },
        20);  // So that the allowance does not refuse.
}

TEST(AllowanceRules, keep_two_ready_nodes) {
    // Nothing but the floor would refuse: all others sleep, by us.
    const auto awake = [](int count) {
        return [count](SmallRound& r) {
            for (int i = count + 1; i <= 12; ++i) {
                r.break_node(i);
                r.node(i).power = Power::sleep;
                r.node(i).mark = Mark{};
            }
        };
    };
    check({
        {"three", Migrate{}, awake(3), "yes"},
        {"two", kSleep, awake(2), "ready-floor: other Ready nodes: 1, 2 must stay"},
        {"two_migrate", Migrate{}, awake(2), "ready-floor: other Ready nodes: 1, 2 must stay"},
        {"two_others_and_a_failing_one", Migrate{},
         [&](SmallRound& r) {
             awake(3)(r);
             r.break_node(1);
         },
         "yes"},
        {"two_throttle", Throttle{}, awake(2), "yes"},
    });
}

TEST(AllowanceRules, count_what_sleeps_before_another_is_put_to_sleep) {
    const auto asleep = [](int count) {
        return [count](SmallRound& r) {
            for (int i = 2; i < 2 + count; ++i) {
                r.break_node(i);
                r.node(i).power = Power::sleep;
                r.node(i).mark = Mark{};
            }
        };
    };
    check({{"none", kSleep, asleep(0), "yes"},
           {"two", kSleep, asleep(2), "yes"},
           {"three", kSleep, asleep(3),
            "allowance: nodes disrupted or asleep would be 4 of 30; 3 are allowed"},
           {"three_and_a_risk", Migrate{}, asleep(3), "yes"},
           {"whatever_is_set", kSleep,
            [&](SmallRound& r) {
                asleep(3)(r);
                r.policy.guard.allowance_one_in = 1;
            },
            "allowance: nodes disrupted or asleep would be 4 of 30; 3 are allowed"},
           {"two_and_one_quarantined", kSleep,
            [&](SmallRound& r) {
                asleep(2)(r);
                r.node(9).quarantined = true;
            },
            "allowance: nodes disrupted or asleep would be 4 of 30; 3 are allowed"}},
          30);
    check({{"nine_and_one_asleep", kSleep, asleep(1),
            "allowance: nodes disrupted or asleep would be 2 of 9; 0 are allowed while another "
            "node is not Ready"}},
          9);
}

TEST(AllowanceRules, grant_the_allowance_for_every_size) {
    for (int nodes = 1; nodes <= 21; ++nodes) {
        for (int disrupted = 0; disrupted < nodes; ++disrupted) {
            SCOPED_TRACE(std::to_string(disrupted) + " of " + std::to_string(nodes));
            SmallRound round(nodes);
            for (int i = 0; i < disrupted; ++i) round.node(nodes - i).quarantined = true;
            const std::string said = answer(round, Replicate{}, node_id(1));
            const int allowed = nodes < 3 ? 0 : nodes < 10 ? 1 : nodes / 10;
            if (nodes - 1 < 2) {
                EXPECT_EQ(said.substr(0, said.find(':')), "ready-floor");
            } else {
                const bool yes = disrupted + 1 <= allowed;
                EXPECT_EQ(said.substr(0, said.find(':')), yes ? "yes" : "allowance");
            }
        }
    }
}

TEST(AllowanceRules, refuse_beyond_the_allowance) {
    const auto break_two = [](SmallRound& r) { r.break_node(2); };
    check(
        {
            {"nine_all_others_ready", Migrate{}, nothing, "yes"},
            {"nine_one_other_is_not", Migrate{}, break_two,
             "allowance: nodes disrupted would be 1 of 9; 0 are allowed while another node is not "
             "Ready"},
            {"nine_target_may_be_not_ready", Migrate{}, [](SmallRound& r) { r.break_node(1); },
             "yes"},
            {"nine_gentle", Throttle{}, break_two, "yes"},
        },
        9);
    check(
        {
            {"ten_one_other_is_not", Migrate{}, break_two, "yes"},
            {"ten_one_is_quarantined", Migrate{},
             [](SmallRound& r) { r.node(3).quarantined = true; },
             "allowance: nodes disrupted would be 2 of 10; 1 is allowed"},
            {"ten_one_is_asleep", Migrate{},
             [](SmallRound& r) {
                 r.node(3).power = Power::sleep;
                 r.node(3).ready = Readiness::no;
                 r.node(3).mark = Mark{};
             },
             "yes"},
            {"ten_one_is_asleep_and_one_quarantined", Migrate{},
             [](SmallRound& r) {
                 r.node(3).power = Power::sleep;
                 r.node(3).ready = Readiness::no;
                 r.node(3).mark = Mark{};
                 r.node(4).quarantined = true;
             },
             "allowance: nodes disrupted would be 2 of 9; 1 is allowed"},
        },
        10);
    check({{"two_nodes", Migrate{}, nothing, "ready-floor: other Ready nodes: 1, 2 must stay"}}, 2);
    // A target that is disrupted already counts once.
    check({{"target_holds_a_confirmed_drain", Migrate{},
            [](SmallRound& r) { r.open(Migrate{}, node_id(1), ActionState::confirmed); }, "yes"}},
          10);
}

}  // namespace
}  // namespace parley::guard
