#include "guard/pace_rules.h"

#include "fake/small_round.h"
#include "guard/guard.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::guard {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;
using fake::workload_id;

std::string answer(const SmallRound& round, const Action& action, const Target& target) {
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    const Answer answer = ask(facts, {.action = action, .target = target});
    if (!answer.refused) return "yes";
    return answer.refused->rule + ": " + answer.refused->because;
}

struct Case {
    const char* name;
    Action action;
    std::function<void(SmallRound&)> spoil;
    std::string expected;
    Target target = node_id(1);
};

void check(const std::vector<Case>& cases, int nodes = 12) {
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        SmallRound round(nodes);
        c.spoil(round);
        EXPECT_EQ(answer(round, c.action, c.target), c.expected);
    }
}

const Action kSleep = PowerState{PowerWish::sleep};
const Action kWake = PowerState{PowerWish::on};
const Action kQueue = Admission{AdmissionWish::queue};
const Target kWeb = workload_id("shop", "web");

void nothing(SmallRound&) {}

TEST(PaceRules, leave_nodes_of_others_alone) {
    const auto maintained = [](SmallRound& r) { r.node(1).maintenance = true; };
    const auto cordoned = [](SmallRound& r) { r.node(1).cordoned = true; };
    const auto control = [](SmallRound& r) { r.node(1).role = NodeRole::control_plane; };
    const std::string theirs = "maintenance: node-01 is under maintenance by someone else";
    const std::string plane = "control-plane: node-01 belongs to the control plane";
    check({
        {"maintained_migrate", Migrate{}, maintained, theirs},
        {"maintained_throttle", Throttle{}, maintained, theirs},
        {"cordoned_dvfs", Dvfs{}, cordoned, theirs},
        {"maintained_elsewhere", Migrate{}, [](SmallRound& r) { r.node(2).maintenance = true; },
         "yes"},
        {"control_replicate", Replicate{}, control, plane},
        {"control_sleep", kSleep, control, plane},
        {"control_balloon", MemoryBalloon{}, control, plane},
        {"cap_is_not_done_to_the_node", ResourceCap{}, control, "yes"},
    });
}

TEST(PaceRules, do_nothing_twice) {
    const auto quarantined = [](SmallRound& r) { r.node(1).quarantined = true; };
    const auto asleep = [](SmallRound& r) {
        r.node(1).power = Power::sleep;
        r.node(1).mark = Mark{};
    };
    const auto clock = [](std::int64_t ppm) {
        return [ppm](SmallRound& r) { r.node(1).clock_ppm = ppm; };
    };
    check({
        {"quarantined_migrate", Migrate{}, quarantined, "already: node-01 is already quarantined"},
        {"quarantined_sleep", kSleep, quarantined, "already: node-01 is already quarantined"},
        {"quarantined_throttle", Throttle{}, quarantined, "yes"},
        {"throttled", Throttle{}, [](SmallRound& r) { r.node(1).avoided = true; },
         "already: node-01 is already throttled"},
        {"throttled_migrate", Migrate{}, [](SmallRound& r) { r.node(1).avoided = true; }, "yes"},
        {"on", kWake, nothing, "already: node-01 is already on"},
        {"wake", kWake, asleep, "yes"},
        {"asleep", kSleep, asleep, "already: node-01 is already sleep"},
        {"clock_is_there", Dvfs{650'000}, clock(650'000),
         "already: the clock of node-01 is already at 65%"},
        {"clock_is_below", Dvfs{650'000}, clock(649'999),
         "already: the clock of node-01 is already at 64%"},
        {"clock_is_above", Dvfs{650'000}, clock(650'001), "yes"},
        {"slow_node_may_be_put_to_sleep", kSleep, clock(500'000), "yes"},
    });
}

TEST(PaceRules, leave_replicas_to_their_owner) {
    const auto owned = [](ScaleOwner owner) {
        return [owner](SmallRound& r) { r.workload(r.web).scale_owner = owner; };
    };
    check({
        {"hpa", Scale{4, 5}, owned(ScaleOwner::hpa),
         "scale-owner: the replicas of shop/web are set by an HPA", kWeb},
        {"other", Scale{4, 5}, owned(ScaleOwner::other),
         "scale-owner: the replicas of shop/web are set by someone else", kWeb},
        {"nobody", Scale{4, 5}, owned(ScaleOwner::nobody), "yes", kWeb},
    });
}

TEST(PaceRules, saving_may_use_half_of_the_ledger) {
    const auto standing = [](int count) {
        return [=](SmallRound& r) {
            for (int i = 0; i < count; ++i) {
                r.open(MemoryBalloon{}, node_id(2), ActionState::confirmed);
            }
        };
    };
    const std::string half = "ledger-room: actions whose effect stands: 32 of 32 allowed";
    const std::string all = "ledger-room: actions whose effect stands: 64 of 64 allowed";
    check({
        {"balloon_below_half", MemoryBalloon{}, standing(31), "yes"},
        {"balloon_at_half", MemoryBalloon{}, standing(32), half},
        {"dvfs_at_half", Dvfs{}, standing(32), half},
        {"sleep_at_half", kSleep, standing(32), half},
        {"fewer_at_half", Scale{4, 3}, standing(32), half, kWeb},
        {"more_at_half", Scale{4, 5}, standing(32), "yes", kWeb},
        {"migrate_at_half", Migrate{}, standing(63), "yes"},
        {"migrate_when_full", Migrate{}, standing(64), all},
        {"queue_when_full", kQueue, standing(64), all, WholeCluster{}},
    });
}

TEST(PaceRules, wait_for_the_open_action_on_the_same_target) {
    const auto open = [](const Action& action, Target target, ActionState state) {
        return [=](SmallRound& r) { r.open(action, target, state); };
    };
    const std::string busy = "open-action: throttle of round 90 is still on its way for node-01";
    using enum ActionState;
    check({
        {"sent", Throttle{}, open(Throttle{}, node_id(1), sent), busy},
        {"planned", Migrate{}, open(Throttle{}, node_id(1), planned), busy},
        {"unknown", kSleep, open(Throttle{}, node_id(1), unknown), busy},
        {"held", Dvfs{}, open(Throttle{}, node_id(1), held), busy},
        {"confirmed", Migrate{}, open(Throttle{}, node_id(1), confirmed), "yes"},
        {"failed", Migrate{}, open(Throttle{}, node_id(1), failed), "yes"},
        {"elsewhere", Migrate{}, open(Throttle{}, node_id(2), sent), "yes"},
        {"undoing_counts", Migrate{},
         [](SmallRound& r) { r.open(Migrate{}, node_id(1)).undoing = true; },
         "open-action: migrate of round 90 is still on its way for node-01"},
        {"order", kQueue, open(kQueue, WholeCluster{}, sent),
         "open-action: admission:queue of round 90 is still on its way for cluster",
         WholeCluster{}},
    });
}

TEST(PaceRules, cool_down_by_target_and_kind) {
    const auto cool = [](ActionKind kind, Duration left, Target target = node_id(1)) {
        return [=](SmallRound& r) {
            r.memory.ledger.cool_downs.push_back({target, kind, r.input.now + left});
        };
    };
    using enum ActionKind;
    check({
        {"same_kind", Throttle{}, cool(throttle, minutes(4)),
         "cool-down: node-01 cools down for another 4m00s"},
        {"just_over", Throttle{}, cool(throttle, seconds(0)), "yes"},
        {"just_not_over", Throttle{}, cool(throttle, microseconds(1)),
         "cool-down: node-01 cools down for another 0.0s"},
        {"other_target", Throttle{}, cool(throttle, minutes(4), node_id(2)), "yes"},
        {"gentle_kinds_are_apart", Dvfs{}, cool(throttle, minutes(4)), "yes"},
        {"gentle_after_disruptive", Throttle{}, cool(migrate, minutes(4)), "yes"},
        {"disruptive_after_gentle", Migrate{}, cool(throttle, minutes(4)), "yes"},
        {"migrate_after_replicate", Migrate{}, cool(replicate, minutes(29)),
         "cool-down: node-01 cools down for another 29m00s"},
        {"replicate_after_migrate", Replicate{}, cool(migrate, minutes(29)),
         "cool-down: node-01 cools down for another 29m00s"},
        {"replicate_after_power", Replicate{}, cool(power_state, minutes(29)),
         "cool-down: node-01 cools down for another 29m00s"},
        {"sleep_after_migrate", kSleep, cool(migrate, minutes(29)),
         "cool-down: node-01 cools down for another 29m00s"},
        {"wake_after_migrate", kWake,
         [&](SmallRound& r) {
             cool(migrate, minutes(29))(r);
             r.node(1).power = Power::sleep;
         },
         "yes"},
        {"longest_counts", Throttle{},
         [&](SmallRound& r) {
             cool(throttle, minutes(4))(r);
             cool(throttle, minutes(3))(r);
         },
         "cool-down: node-01 cools down for another 4m00s"},
        {"order", kQueue, cool(admission, minutes(2), WholeCluster{}),
         "cool-down: cluster cools down for another 2m00s", WholeCluster{}},
    });
}

/// Disruptive actions on other nodes, begun `age` ago.
TEST(PaceRules, leave_time_between_two_power_downs) {
    const auto slept = [](Duration ago) {
        return [ago](SmallRound& r) {
            r.memory.ledger.spent.push_back({r.before(ago), ActionKind::power_state, node_id(5)});
        };
    };
    check({
        {"just_after", kSleep, slept(minutes(10) - seconds(1)),
         "power-pace: the last power-down was 9m59s ago; 10m00s must lie between two"},
        {"long_after", kSleep, slept(minutes(10)), "yes"},
        {"safety_need_not_wait", Migrate{}, slept(seconds(1)), "yes"},
    });
}

std::function<void(SmallRound&)> spent(int count, Duration age, int on = 5) {
    return [=](SmallRound& r) {
        for (int i = 0; i < count; ++i) {
            r.memory.ledger.spent.push_back({r.before(age), ActionKind::migrate, node_id(on)});
        }
    };
}

TEST(PaceRules, limit_the_rate) {
    const std::string six = "rate: disruptive actions begun in the last hour: 6 of 6 allowed";
    const std::string two = "drains-per-day: drains of node-01 in a day: 2 of 2 allowed";
    check({
        {"five_in_an_hour", Migrate{}, spent(5, minutes(10)), "yes"},
        {"six_in_an_hour", Migrate{}, spent(6, minutes(10)), six},
        {"two_sleep", kSleep, spent(2, minutes(10)), "yes"},
        {"three_sleep", kSleep, spent(3, minutes(10)),
         "rate: disruptive actions begun in the last hour: 3 of 3 allowed"},
        {"six_throttle", Throttle{}, spent(6, minutes(10)), "yes"},
        {"six_an_hour_ago", Migrate{}, spent(6, hours(1)), "yes"},
        {"six_just_within", Migrate{}, spent(6, hours(1) - microseconds(1)), six},
        {"one_today", Migrate{}, spent(1, hours(20), 1), "yes"},
        {"two_today", Migrate{}, spent(2, hours(20), 1), two},
        {"two_elsewhere", Migrate{}, spent(2, hours(20), 2), "yes"},
        {"two_yesterday", Migrate{}, spent(2, hours(24), 1), "yes"},
        {"two_just_today", Migrate{}, spent(2, hours(24) - microseconds(1), 1), two},
    });
}

TEST(PaceRules, act_on_risk_only_when_it_lasts) {
    const auto over = [](std::uint8_t bits) {
        return [bits](SmallRound& r) { r.fold(1).over = bits; };
    };
    const auto said = [](int n) {
        return "hysteresis: rounds over its own risk limit: " + std::to_string(n) +
               " of the last 3, 2 needed";
    };
    check({
        {"never", Migrate{}, over(0), said(0)},
        {"once", Migrate{}, over(0b001), said(1)},
        {"long_ago", Migrate{}, over(0b11111001), said(1)},
        {"twice", Migrate{}, over(0b101), "yes"},
        {"thrice", Replicate{}, over(0b111), "yes"},
        {"throttle", Throttle{}, over(0b100), said(1)},
        {"saving_is_no_matter_of_risk", kSleep, over(0), "yes"},
        {"new_node_of_the_same_name", Migrate{}, [](SmallRound& r) { r.node(1).uid = Uid{9, 9}; },
         said(0)},
        {"two_of_three_of_eight_rounds", Migrate{},
         [](SmallRound& r) {
             r.policy.stakes.rounds_of = 99;
             r.fold(1).over = 0b11111;
         },
         "hysteresis: rounds over its own risk limit: 5 of the last 8, 6 needed"},
        {"eight_rounds_at_most", Migrate{},
         [](SmallRound& r) {
             r.policy.stakes.rounds_of = 99;
             r.fold(1).over = 0b10111110;
         },
         "yes"},
        {"two_rounds_whatever_is_set", Migrate{},
         [](SmallRound& r) {
             r.policy.stakes.rounds_of = 3;
             r.policy.stakes.rounds_over = 0;
             r.fold(1).over = 0b001;
         },
         said(1)},
    });
}

TEST(PaceRules, put_to_sleep_only_what_has_long_been_idle) {
    const auto idle = [](std::uint8_t bits) {
        return [bits](SmallRound& r) { r.fold(1).idle = bits; };
    };
    const auto said = [](int n) {
        return "hysteresis: rounds with so little use: " + std::to_string(n) +
               " of the last 3, 2 needed";
    };
    const auto forecast = [](std::uint8_t bits) {
        return [bits](SmallRound& r) {
            r.fold(1).idle = bits;
            r.forecast.demand.model = "demand-1";
        };
    };
    check({
        {"one_sample", kSleep, idle(0b1), said(0)},
        {"three_samples_are_one_round", kSleep, idle(0b111), said(1)},
        {"four_samples_are_two", kSleep, idle(0b1111), "yes"},
        {"one_of_them_was_high", kSleep, idle(0b1101), said(0)},
        {"two_rounds_of_three", kSleep, idle(0b11110), "yes"},
        {"too_long_ago", kSleep, idle(0b11111000), said(0)},
        {"a_forecast_s_upper_end_once", kSleep, forecast(0b001), said(1)},
        {"a_forecast_s_upper_end_twice", kSleep, forecast(0b101), "yes"},
        {"new_node_of_the_same_name", kSleep, [](SmallRound& r) { r.node(1).uid = Uid{9, 9}; },
         said(0)},
        {"waking_needs_no_reason", kWake,
         [](SmallRound& r) {
             r.fold(1).idle = 0;
             r.node(1).power = Power::sleep;
         },
         "yes"},
        {"gentle_kinds_do_not_wait", Dvfs{650'000}, idle(0), "yes"},
        {"two_rounds_whatever_is_set", kSleep,
         [](SmallRound& r) {
             r.policy.efficiency.rounds_idle = 0;
             r.fold(1).idle = 0b111;
         },
         said(1)},
    });
}

TEST(PaceRules, obey_the_breaker) {
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
        {"scale_down", Scale{4, 3}, trip, tripped, kWeb},
        {"scale_up", Scale{4, 5}, trip, "yes", kWeb},
        {"scale_to_the_same", Scale{4, 4}, trip, "yes", kWeb},
        {"throttle", Throttle{}, trip, "yes"},
        {"queue", kQueue, trip, "yes", WholeCluster{}},
        {"bad_target_is_left_out", Migrate{}, break_three, "yes"},
        {"good_target_is_not", kSleep, break_three,
         "breaker: the breaker forbids it: 3 of 12 nodes are bad, more than 20%", node_id(4)},
        {"nor_is_a_workload", Scale{4, 3}, break_three,
         "breaker: the breaker forbids it: 3 of 12 nodes are bad, more than 20%", kWeb},
        {"two_are_few", kSleep,
         [](SmallRound& r) {
             r.break_node(2);
             r.break_node(3);
         },
         "yes", node_id(4)},
    });
}

TEST(PaceRules, disrupt_one_at_a_time) {
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

TEST(PaceRules, keep_two_ready_nodes) {
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

TEST(PaceRules, count_what_sleeps_before_another_is_put_to_sleep) {
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

TEST(PaceRules, grant_the_allowance_for_every_size) {
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

TEST(PaceRules, refuse_beyond_the_allowance) {
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

TEST(PaceRules, say_how_much_room_is_left) {
    const auto closest = [](int nodes, const Action& action, const auto& spoil) {
        SmallRound round(nodes);
        spoil(round);
        const Facts facts(round.input, round.forecast, round.memory, round.policy);
        return ask(facts, {.action = action, .target = node_id(1)}).report.closest;
    };
    EXPECT_EQ(closest(12, Migrate{}, nothing), "nodes disrupted: 1 of 1 allowed");
    EXPECT_EQ(closest(12, Throttle{}, nothing),
              "rounds over its own risk limit: 2 of the last 3, 2 needed");
    EXPECT_EQ(closest(12, Throttle{}, [](SmallRound& r) { r.fold(1).over = 0b111; }),
              "rounds over its own risk limit: 3 of the last 3, 2 needed");
    EXPECT_EQ(closest(40, kSleep, spent(2, minutes(1))),
              "disruptive actions begun in the last hour: 3 of 3 allowed");
    const std::string samples = "other nodes with samples: 39 of 39; 90% is needed";
    EXPECT_EQ(closest(40, kSleep, spent(1, minutes(1))), samples);
    EXPECT_EQ(closest(40, kSleep, nothing), samples);
    EXPECT_EQ(closest(40, kSleep, spent(1, hours(2), 1)),
              "drains of node-01 in a day: 2 of 2 allowed");
    EXPECT_EQ(closest(3, kSleep, nothing), "nodes disrupted: 1 of 1 allowed");
}

}  // namespace
}  // namespace parley::guard
