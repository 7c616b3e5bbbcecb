#include "guard/pace_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

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
        {"scaling_takes_no_room", Scale{{4, 3}}, standing(64), "yes", kWeb},
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

TEST(PaceRules, leave_what_others_contested_alone_whatever_is_wanted) {
    const auto rests = [](Target target, Duration left) {
        return [=](SmallRound& r) {
            r.memory.ledger.cool_downs.push_back({target, ActionKind::noop, r.input.now + left});
        };
    };
    const std::string node =
        "rest: node-01 rests for another 28m00s: somebody else changed it while we did";
    const std::string web =
        "rest: shop/web rests for another 28m00s: somebody else changed it while we did";
    const Duration left = minutes(28);
    check({
        {"migrate", Migrate{}, rests(node_id(1), left), node},
        {"throttle", Throttle{}, rests(node_id(1), left), node},
        {"dvfs", Dvfs{}, rests(node_id(1), left), node},
        {"sleep", kSleep, rests(node_id(1), left), node},
        {"another_node", Migrate{}, rests(node_id(2), left), "yes"},
        {"it_is_over", Migrate{}, rests(node_id(1), seconds(0)), "yes"},
        {"scaling_keeps_to_it_too", Scale{{4, 5}}, rests(kWeb, left), web, kWeb},
        {"its_replicas", Replicate{}, rests(kWeb, left), web},
        {"its_sizes", Throttle{}, rests(kWeb, left), web},
        {"its_memory", MemoryBalloon{}, rests(kWeb, left), web},
        {"its_pods_may_still_be_moved", Migrate{}, rests(kWeb, left), "yes"},
        {"it_is_not_on_this_node", Throttle{}, rests(workload_id("shop", "api"), left), "yes"},
        {"the_longest_counts", Migrate{},
         [&](SmallRound& r) {
             rests(node_id(1), minutes(3))(r);
             rests(node_id(1), left)(r);
         },
         node},
    });
}

TEST(PaceRules, ask_about_a_rest_only_where_one_may_matter) {
    const auto asked = [](Target rests, Duration left, const Action& action) {
        SmallRound round;
        round.memory.ledger.cool_downs.push_back({rests, ActionKind::noop, round.input.now + left});
        const Facts facts(round.input, round.forecast, round.memory, round.policy);
        return ask(facts, {.action = action, .target = node_id(1)}).report.asked;
    };
    const Target other = workload_id("shop", "api");
    const auto without = asked(node_id(2), minutes(1), Throttle{});
    EXPECT_EQ(asked(other, minutes(1), Throttle{}), without + 1) << "it may be on this node";
    EXPECT_EQ(asked(other, seconds(0), Throttle{}), without) << "it is over";
    EXPECT_EQ(asked(other, minutes(1), Migrate{}), asked(node_id(2), minutes(1), Migrate{}))
        << "moving pods changes no workload";
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
        {"a_model_that_is_named_adds_no_samples", kSleep, forecast(0b111), said(1)},
        {"nor_does_it_ask_for_more", kSleep, forecast(0b1111), "yes"},
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
