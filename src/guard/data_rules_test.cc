#include "guard/data_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

TEST(DataRules, stop_everything_at_the_kill_switch) {
    const auto press = [](SmallRound& r) { r.input.controls.stop = true; };
    const auto stay = [](SmallRound& r) { r.memory.ledger.stopped = true; };
    const std::string pressed = "stop: the kill switch was pressed";
    const std::string on = "stop: the kill switch is on, and only a person clears it";
    check({
        {"migrate", Migrate{}, press, pressed},
        {"queue", kQueue, press, pressed, WholeCluster{}},
        {"still_on", Throttle{}, stay, on},
        {"pressed_again", Throttle{},
         [&](SmallRound& r) {
             stay(r);
             press(r);
         },
         pressed},
        {"off", Throttle{}, [](SmallRound&) {}, "yes"},
        {"observe", Migrate{},
         [&](SmallRound& r) {
             press(r);
             r.input.controls.mode = Mode::observe;
         },
         pressed},
    });
}

TEST(DataRules, ask_who_leads) {
    check({
        {"other_epoch", kQueue,
         [](SmallRound& r) {
             r.input.controls.epoch = 4;
             r.memory.ledger.epoch = 3;
         },
         "leader: the ledger is of leader epoch 3, ours is 4", WholeCluster{}},
        {"other_version", Migrate{},
         [](SmallRound& r) {
             r.input.controls.ledger_version = 8;
             r.memory.ledger.version = 7;
         },
         "leader: the ledger is at version 8, this decision knows 7"},
        {"other_epoch_and_version", Migrate{},
         [](SmallRound& r) {
             r.input.controls.epoch = 4;
             r.input.controls.ledger_version = 8;
         },
         "leader: the ledger is of leader epoch 0, ours is 4"},
        {"same", Migrate{},
         [](SmallRound& r) {
             r.input.controls.epoch = r.memory.ledger.epoch = 4;
             r.input.controls.ledger_version = r.memory.ledger.version = 8;
         },
         "yes"},
    });
}

TEST(DataRules, know_the_target) {
    check({
        {"node_action_for_a_workload", Migrate{}, nothing,
         "target: a migrate is for a node, not for shop/web", kWeb},
        {"node_action_for_all", kSleep, nothing,
         "target: a power_state:sleep is for a node, not for cluster", WholeCluster{}},
        {"unknown_node", Throttle{}, nothing, "target: node-77 is not in the snapshot",
         node_id(77)},
        {"scale_for_a_node", Scale{{4, 5}}, nothing,
         "target: a scale is for a workload, not for node-01"},
        {"unknown_workload", Scale{{4, 5}}, nothing, "target: shop/cart is not in the snapshot",
         workload_id("shop", "cart")},
        {"known_workload", Scale{{4, 5}}, nothing, "yes", kWeb},
        {"cap_for_any_node", ResourceCap{}, nothing, "yes", node_id(77)},
        {"queue_for_a_namespace", kQueue, nothing, "yes", NamespaceId{Name::of("shop")}},
    });
}

TEST(DataRules, bound_amounts_whatever_an_agent_says) {
    const std::string no = " are asked for; 50% to 100% is allowed";
    check({
        {"clock_low", Dvfs{500'000}, nothing, "yes"},
        {"clock_too_low", Dvfs{499'999}, nothing, "amount: shares of 49% to 49%" + no},
        {"clock_too_high", Dvfs{1'010'000}, nothing, "amount: shares of 101% to 101%" + no},
        {"balloon_low", MemoryBalloon{500'000}, nothing, "yes"},
        {"balloon_all", MemoryBalloon{1'000'000}, nothing, "yes"},
        {"balloon_too_low", MemoryBalloon{-1}, nothing, "amount: shares of 0% to 0%" + no},
        {"balloon_just_too_high", MemoryBalloon{1'000'001}, nothing,
         "amount: shares of 100% to 100%" + no},
        {"cap_cpu_too_low", ResourceCap{100'000, 850'000}, nothing,
         "amount: shares of 10% to 85%" + no},
        {"cap_memory_too_high", ResourceCap{850'000, 2'000'000}, nothing,
         "amount: shares of 85% to 200%" + no},
    });
}

TEST(DataRules, rest_on_fresh_api_data) {
    const auto aged = [](Duration age) {
        return [age](SmallRound& r) { r.api().last_success = r.before(age); };
    };
    const auto state = [](SourceCondition condition, const char* reason) {
        return [condition, reason](SmallRound& r) {
            r.api().condition = condition;
            r.api().reason = reason;
        };
    };
    check({
        {"at_the_limit", Migrate{}, aged(seconds(15)), "yes"},
        {"beyond", Migrate{}, aged(seconds(15) + microseconds(1)),
         "api-age: API data are 15s old; 15s is allowed"},
        {"gentle_ones_too", kQueue, aged(seconds(90)),
         "api-age: API data are 1m30s old; 15s is allowed", WholeCluster{}},
        {"late", Throttle{}, state(SourceCondition::late, ""), "api-age: API data are late"},
        {"failed", Throttle{}, state(SourceCondition::failed, "connection refused"),
         "api-age: API data are failed: connection refused"},
        {"off", kQueue, state(SourceCondition::off, ""), "api-age: API data are off",
         WholeCluster{}},
        {"no_source", kQueue, [](SmallRound& r) { r.input.snapshot.sources.clear(); },
         "api-age: no source shows what the API server says", WholeCluster{}},
        {"only_metrics", kQueue, [](SmallRound& r) { r.api().source = Source::metrics; },
         "api-age: no source shows what the API server says", WholeCluster{}},
    });
}

TEST(DataRules, disrupt_nothing_when_the_clock_jumped_or_the_start_is_near) {
    const auto jump = [](SmallRound& r) { r.memory.derived.jumped = true; };
    const auto rounds = [](std::uint64_t n) {
        return [n](SmallRound& r) { r.memory.derived.rounds = n; };
    };
    const std::string jumped = "clock: the clock jumped by more than 30s in this round";
    check({
        {"jump_migrate", Migrate{}, jump, jumped},
        {"jump_replicate", Replicate{}, jump, jumped},
        {"jump_sleep", kSleep, jump, jumped},
        {"jump_throttle", Throttle{}, jump, "yes"},
        {"jump_wake", PowerState{PowerWish::on},
         [&](SmallRound& r) {
             jump(r);
             r.node(1).power = Power::sleep;
         },
         "yes"},
        {"third_round", Migrate{}, rounds(3),
         "warm-up: this is round 3 since the start; nothing disruptive in the first 3"},
        {"fourth_round", Migrate{}, rounds(4), "yes"},
        {"third_round_throttle", Throttle{}, rounds(3), "yes"},
    });
}

TEST(DataRules, disrupt_nothing_until_all_were_heard_after_our_clock_was_set) {
    // Set 4 s ago; the API spoke `heard` ago, metrics at the same time or not.
    const auto set = [](Duration heard, SourceCondition metrics, Duration sampled) {
        return [=](SmallRound& r) {
            r.memory.derived.stepped = r.before(seconds(4));
            r.api().last_success = r.before(heard);
            r.input.snapshot.sources.push_back({.source = Source::metrics,
                                                .condition = metrics,
                                                .last_success = r.before(sampled),
                                                .limit = seconds(60)});
        };
    };
    using enum SourceCondition;
    const Duration after = seconds(4) - microseconds(1);
    const std::string unheard = "clock: our clock was set 4s ago, and ";
    const std::string last = " spoke last before that";
    check({
        {"heard", Migrate{}, set(after, ok, after), "yes"},
        {"api_not_yet", Migrate{}, set(seconds(4), ok, after), unheard + "api" + last},
        {"metrics_not_yet", Migrate{}, set(after, ok, seconds(4)), unheard + "metrics" + last},
        {"metrics_late", kSleep, set(after, late, seconds(9)), unheard + "metrics" + last},
        {"neither", Replicate{}, set(seconds(9), ok, seconds(9)),
         unheard + "api and metrics" + last},
        {"metrics_off", Migrate{}, set(after, off, seconds(9)), "yes"},
        {"metrics_failed", Migrate{}, set(after, failed, seconds(9)), "yes"},
        {"throttle", Throttle{}, set(seconds(9), ok, seconds(9)), "yes"},
        {"never_set", Migrate{},
         [](SmallRound& r) {
             r.input.snapshot.sources.push_back(
                 {.source = Source::metrics, .condition = ok, .limit = seconds(60)});
         },
         "yes"},
    });
}

TEST(DataRules, rest_on_neither_of_two_sources_that_contradict_each_other) {
    const auto all = [](double ratio) {
        return [ratio](SmallRound& r) {
            r.memory.derived.contradictions = {
                {.rounds = 1, .ratio = ratio, .nodes = 12, .of = 12}};
        };
    };
    const auto one = [](int node, Duration lasts) {
        return [=](SmallRound& r) {
            r.memory.derived.alarms = {{.kind = AlarmKind::sources_contradict,
                                        .about = node_id(node),
                                        .since = r.before(lasts)}};
        };
    };
    const auto loose = [](Duration lasts) {
        return [=](SmallRound& r) {
            r.memory.derived.contradictions = {
                {.rounds = 1, .since = r.before(lasts), .ratio = 2.7, .loose = true}};
        };
    };
    const std::string off =
        "coverage: metrics and prometheus contradict each other: what one says is 2.7 times what "
        "the other does";
    check({
        {"migrate", Migrate{}, all(2.7), off},
        {"the_other_way", Migrate{}, all(1 / 2.7), off},
        {"sleep", kSleep, all(2.7), off},
        {"dvfs", Dvfs{}, all(2.7), off},
        {"throttle", Throttle{}, all(2.7), "yes"},
        {"queue", kQueue, all(2.7), "yes", WholeCluster{}},
        {"some_nodes", Migrate{}, all(1.2),
         "coverage: metrics and prometheus contradict each other about 12 of 12 nodes"},
        {"not_for_long_enough", Migrate{}, loose(seconds(75) - microseconds(1)), "yes"},
        {"long_enough", Migrate{}, loose(seconds(75)), off},
        {"one_node", Migrate{}, one(1, seconds(75)),
         "coverage: metrics and prometheus have contradicted each other about node-01 for 1m15s"},
        {"not_for_long", Migrate{}, one(1, seconds(75) - microseconds(1)), "yes"},
        {"another_node", Migrate{}, one(2, seconds(75)), "yes"},
        {"a_workload", Scale{{4, 5}}, one(1, seconds(75)), "yes", kWeb},
    });
}

TEST(DataRules, need_a_lease_to_disrupt_and_a_ready_node_to_save) {
    const auto no_lease = [](SmallRound& r) {
        r.node(1).lease = r.gap<TimePoint>(Gap::not_reported);
    };
    const auto not_ready = [](SmallRound& r) { r.break_node(1); };
    const std::string blind =
        "lease: the lease of node-01 cannot be read, so that nobody knows whether it is alive";
    const std::string idle = "ready: node-01 is not Ready; that is risk, not idleness";
    check({
        {"lease_migrate", Migrate{}, no_lease, blind},
        {"lease_sleep", kSleep, no_lease, blind},
        {"lease_throttle", Throttle{}, no_lease, "yes"},
        {"old_lease_is_evidence", Replicate{},
         [](SmallRound& r) { r.node(1).lease = r.lease(minutes(3)); }, "yes"},
        {"ready_sleep", kSleep, not_ready, idle},
        {"ready_dvfs", Dvfs{}, not_ready, idle},
        {"ready_balloon", MemoryBalloon{}, not_ready, idle},
        {"ready_unknown", Dvfs{}, [](SmallRound& r) { r.node(1).ready = Readiness::unknown; },
         idle},
        {"ready_migrate", Migrate{}, not_ready, "yes"},
    });
}

TEST(DataRules, save_only_on_fresh_metrics_of_the_target) {
    const auto cpu = [](Duration age) {
        return [age](SmallRound& r) { r.node(1).cpu_used_m = r.reading<std::int64_t>(1, age); };
    };
    const auto memory_gap = [](Gap gap) {
        return [gap](SmallRound& r) { r.node(1).memory_used = r.gap<std::int64_t>(gap); };
    };
    const std::string memory = "metrics-age: memory use of node-01 is missing: ";
    check({
        {"at_the_limit", Dvfs{}, cpu(seconds(60)), "yes"},
        {"beyond", Dvfs{}, cpu(seconds(60) + microseconds(1)),
         "metrics-age: CPU use of node-01 was measured 1m00s ago; 1m is allowed"},
        {"not_reported", Dvfs{}, memory_gap(Gap::not_reported), memory + "not reported"},
        {"failed", MemoryBalloon{}, memory_gap(Gap::source_failed), memory + "source failed"},
        {"too_old", kSleep, memory_gap(Gap::too_old), memory + "too old"},
        {"implausible", Dvfs{}, memory_gap(Gap::implausible), memory + "implausible"},
        {"both_missing", Dvfs{},
         [&](SmallRound& r) {
             memory_gap(Gap::too_old)(r);
             r.node(1).cpu_used_m = r.gap<std::int64_t>(Gap::implausible);
         },
         "metrics-age: CPU use of node-01 is missing: implausible"},
        {"safety_does_not_need_them", Migrate{}, memory_gap(Gap::implausible), "yes"},
        {"nor_does_waking", PowerState{PowerWish::on},
         [&](SmallRound& r) {
             memory_gap(Gap::not_reported)(r);
             r.node(1).power = Power::sleep;
         },
         "yes"},
        {"scale_cpu", Scale{{4, 5}},
         [](SmallRound& r) { r.workload(r.web).cpu_used_m = r.gap<Usage>(Gap::too_old); },
         "metrics-age: CPU use of shop/web is missing: too old", kWeb},
        {"scale_memory", Scale{{4, 5}},
         [](SmallRound& r) { r.workload(r.web).memory_used = r.reading(Usage{}, seconds(61)); },
         "metrics-age: memory use of shop/web was measured 1m01s ago; 1m is allowed", kWeb},
    });
}

/// Takes samples away from the last n nodes of twelve or, with the target, of all.
std::function<void(SmallRound&)> blind(int n) {
    return [n](SmallRound& r) {
        for (int i = 0; i < n; ++i) {
            r.node(12 - i).cpu_used_m = r.gap<std::int64_t>(Gap::source_failed);
        }
    };
}

TEST(DataRules, need_samples_of_most_nodes) {
    check({
        {"ten_of_eleven", Migrate{}, blind(1), "yes"},
        {"nine_of_eleven", Migrate{}, blind(2),
         "coverage: other nodes with samples: 9 of 11; 90% is needed"},
        {"nine_of_ten", Replicate{},
         [](SmallRound& r) {
             blind(1)(r);
             r.node(2).maintenance = true;
         },
         "yes"},
        {"eight_of_nine", kSleep,
         [](SmallRound& r) {
             blind(1)(r);
             r.node(2).maintenance = true;
             r.node(3).cordoned = true;
         },
         "coverage: other nodes with samples: 8 of 9; 90% is needed"},
        {"six_of_eleven", Dvfs{}, blind(5), "yes"},
        {"five_of_eleven", Dvfs{}, blind(6),
         "coverage: other nodes with samples: 5 of 11; 50% is needed"},
        {"five_of_ten", MemoryBalloon{},
         [](SmallRound& r) {
             blind(5)(r);
             r.node(2).maintenance = true;
         },
         "yes"},
        {"scale_counts_all", Scale{{4, 5}}, blind(7),
         "coverage: other nodes with samples: 5 of 12; 50% is needed", kWeb},
        {"a_target_that_does_not_count_is_not_left_out", Dvfs{},
         [](SmallRound& r) {
             blind(6)(r);
             r.node(1).maintenance = true;
         },
         "coverage: other nodes with samples: 5 of 11; 50% is needed"},
        {"throttle_needs_none", Throttle{}, blind(11), "yes"},
        {"queue_needs_none", kQueue, blind(12), "yes", WholeCluster{}},
        {"the_target_does_not_count", Migrate{},
         [](SmallRound& r) {
             blind(1)(r);
             r.node(1).memory_used = r.gap<std::int64_t>(Gap::too_old);
         },
         "yes"},
    });
}

TEST(DataRules, act_only_through_a_named_provider) {
    const auto bare = [](SmallRound& r) { r.node(1).can_power = r.node(1).can_clock = false; };
    const auto clock_only = [](SmallRound& r) { r.node(1).can_power = false; };
    const auto power_only = [](SmallRound& r) { r.node(1).can_clock = false; };
    const std::string power = "capability: nothing here can switch the power of node-01";
    const std::string clock = "capability: nothing here can set the clock of node-01";
    check({
        {"sleep", kSleep, bare, power},
        {"sleep_with_clock", kSleep, clock_only, power},
        {"sleep_with_power", kSleep, power_only, "yes"},
        {"wake", PowerState{PowerWish::on}, bare, power},
        {"dvfs", Dvfs{}, power_only, clock},
        {"dvfs_with_clock", Dvfs{}, clock_only, "yes"},
        {"balloon_needs_none", MemoryBalloon{}, bare, "yes"},
        {"migrate_needs_none", Migrate{}, bare, "yes"},
    });
}

TEST(DataRules, say_how_much_room_is_left) {
    SmallRound round;
    const auto closest = [&](const Action& action, const Target& target) {
        const Facts facts(round.input, round.forecast, round.memory, round.policy);
        return ask(facts, {.action = action, .target = target}).report.closest;
    };
    EXPECT_EQ(closest(kQueue, WholeCluster{}), "age of API data: 3s of 15s");
    round.node(1).cpu_used_m = round.reading<std::int64_t>(1, seconds(57));
    EXPECT_EQ(closest(Dvfs{}, node_id(1)), "age of CPU use of node-01: 57s of 1m");
    round.node(1).memory_used = round.reading<std::int64_t>(1, seconds(57));
    EXPECT_EQ(closest(Dvfs{}, node_id(1)), "age of CPU use of node-01: 57s of 1m");
    round.node(1).memory_used = round.reading<std::int64_t>(1, seconds(58));
    EXPECT_EQ(closest(Dvfs{}, node_id(1)), "age of memory use of node-01: 58s of 1m");
    blind(5)(round);
    round.node(2).maintenance = true;
    EXPECT_EQ(closest(Dvfs{}, node_id(1)), "other nodes with samples: 5 of 10; 50% is needed");
}

}  // namespace
}  // namespace parley::guard
