#include "guard/scale_rules.h"

#include "guard/rules_kit_test.h"

#include <limits>

namespace parley::guard {
namespace {

using namespace kit;

auto wants(std::int32_t replicas) {
    return [=](SmallRound& r) { r.workload(r.web).wanted = replicas; };
}

/// Adds another workload with this many replicas, so that a share of all is no small number.
Slot add_many(SmallRound& r, int replicas) {
    return r.add_workload(workload_id("shop", "many"), replicas);
}

Scale resized(Extent cpu_m, Extent memory) { return {{4, 4}, {{Name::of("app"), cpu_m, memory}}}; }

TEST(ScaleRules, bound_replicas_by_what_people_set_or_two) {
    const std::string two = "scale-amount: replicas of shop/web would be 1; at least 2 must stay";
    check({
        {"from_elsewhere", Scale{{3, 5}}, nothing,
         "scale-amount: shop/web has 4 replicas, not 3 as the proposal says", kWeb},
        {"two_stay", Scale{{4, 2}}, [](SmallRound& r) { add_many(r, 4); }, "yes", kWeb},
        {"one_does_not_stay", Scale{{4, 1}}, nothing, two, kWeb},
        {"two_keep_two", Scale{{2, 1}}, wants(2), two, kWeb},
        {"one_may_stay_one", Scale{{1, 1}}, wants(1), "yes", kWeb},
        {"none_is_too_few", Scale{{1, 0}}, wants(1),
         "scale-amount: replicas of shop/web would be 0; at least 1 must stay", kWeb},
        {"a_floor_of_one_was_set", Scale{{2, 1, 1, 6}}, wants(2), "yes", kWeb},
        {"below_the_floor", Scale{{4, 3, 4, 6}}, nothing,
         "scale-amount: replicas of shop/web would be 3; at least 4 must stay", kWeb},
        {"at_the_ceiling", Scale{{4, 6, 2, 6}}, nothing, "yes", kWeb},
        {"above_the_ceiling", Scale{{4, 7, 2, 6}}, nothing,
         "scale-amount: replicas of shop/web would be 7; at most 6 are allowed", kWeb},
    });
}

TEST(ScaleRules, bound_replicas_by_what_no_ceiling_passes) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
    const auto few = [](std::int64_t to) {
        return "scale-amount: replicas of shop/web would be " + std::to_string(to) +
               "; at least 2 must stay";
    };
    const auto grows = [](std::int64_t from, std::int64_t to, std::int64_t most) {
        return "scale-amount: replicas of shop/web would grow from " + std::to_string(from) +
               " to " + std::to_string(to) + " at once; at most " + std::to_string(most) +
               " are allowed";
    };
    const std::int64_t one_when_cut = (std::int64_t{1} << 32) + 1;  // As 32 bits.
    check({
        {"a_hundred_more", Scale{{4, 104}}, nothing, "yes", kWeb},
        {"more_than_a_hundred_more", Scale{{4, 105}}, nothing, grows(4, 105, 104), kWeb},
        {"from_none", Scale{{0, 100}}, wants(0), "yes", kWeb},
        {"too_many_from_none", Scale{{0, 101}}, wants(0), grows(0, 101, 100), kWeb},
        {"four_times", Scale{{50, 200}}, wants(50), "yes", kWeb},
        {"more_than_four_times", Scale{{50, 201}}, wants(50), grows(50, 201, 200), kWeb},
        {"as_many_as_may_be", Scale{{40'000, 100'000}}, wants(40'000), "yes", kWeb},
        {"more_than_may_be", Scale{{40'000, 100'001}}, wants(40'000),
         "scale-amount: replicas of shop/web would be 100001; at most 100000 are allowed", kWeb},
        {"beyond_32_bits", Scale{{4, one_when_cut}}, nothing, grows(4, one_when_cut, 104), kWeb},
        {"beyond_everything", Scale{{4, kMax}}, nothing, grows(4, kMax, 104), kWeb},
        {"less_than_none", Scale{{4, -1}}, nothing, few(-1), kWeb},
        {"less_than_everything", Scale{{4, kMin}}, nothing, few(kMin), kWeb},
        {"less_than_none_with_a_floor_below", Scale{{4, -1, -5}}, nothing, few(-1), kWeb},
        {"from_elsewhere_to_too_many", Scale{{3, 500}}, nothing,
         "scale-amount: shop/web has 4 replicas, not 3 as the proposal says", kWeb},
        {"from_less_than_none", Scale{{-4, 5}}, nothing,
         "scale-amount: shop/web has 4 replicas, not -4 as the proposal says", kWeb},
        {"from_what_is_four_when_cut", Scale{{one_when_cut + 3, 5}}, nothing,
         "scale-amount: shop/web has 4 replicas, not 4294967300 as the proposal says", kWeb},
    });
    EXPECT_EQ(replicas_taken(Scale{{kMax, kMin}}), kMax) << "counted before anything is refused";
    EXPECT_EQ(replicas_taken(Scale{{kMin, kMax}}), 0);
    EXPECT_EQ(replicas_taken(Scale{{kMin, 5}}), 0);
    EXPECT_EQ(replicas_taken(Scale{{kMin, kMin}}), 0);
}

TEST(ScaleRules, bound_sizes_by_what_people_set_or_one) {
    const Extent same{1 << 20, 1 << 20};
    const Extent cpu{250, 250};
    check({
        {"within", resized({250, 500, 100, 500}, same), nothing, "yes", kWeb},
        {"cpu_above", resized({250, 501, 100, 500}, same), nothing,
         "scale-size: millicores of shop/web/app would be 501; at most 500 are allowed", kWeb},
        {"cpu_below", resized({250, 99, 100, 500}, same), nothing,
         "scale-size: millicores of shop/web/app would be 99; at least 100 must stay", kWeb},
        {"cpu_least", resized({250, 1}, same), nothing, "yes", kWeb},
        {"cpu_none", resized({250, 0}, same), nothing,
         "scale-size: millicores of shop/web/app would be 0; at least 1 must stay", kWeb},
        {"cpu_less_than_none", resized({250, -1, -2}, same), nothing,
         "scale-size: millicores of shop/web/app would be -1; at least 1 must stay", kWeb},
        {"memory_above", resized(cpu, {1 << 20, 9, 1, 8}), nothing,
         "scale-size: bytes of memory of shop/web/app would be 9; at most 8 are allowed", kWeb},
        {"memory_below", resized(cpu, {1 << 20, 1, 2, 9}), nothing,
         "scale-size: bytes of memory of shop/web/app would be 1; at least 2 must stay", kWeb},
        {"memory_none", resized(cpu, {1 << 20, 0}), nothing,
         "scale-size: bytes of memory of shop/web/app would be 0; at least 1 must stay", kWeb},
    });
}

TEST(ScaleRules, ask_whether_sizes_are_what_the_pods_ask_for) {
    const auto have = [](std::vector<ContainerSpec> specs) {
        return [=](SmallRound& r) { r.shape(r.web, {specs}); };
    };
    const auto one_has = [](ContainerSpec spec, std::function<void(PodRow&)> also = {}) {
        return [=](SmallRound& r) {
            r.pod(2).shape = r.input.snapshot.shapes.insert({{spec}});
            if (also) also(r.pod(2));
        };
    };
    const auto without = [](const char* name, bool cpu) {
        ContainerSpec spec = container(name);
        (cpu ? spec.cpu_request_m : spec.memory_request).reset();
        return spec;
    };
    ContainerSpec init = container("app");
    init.kind = ContainerKind::init;
    ContainerSpec sidecar = container("app");
    sidecar.kind = ContainerKind::sidecar;
    ContainerSpec more = container("app");
    more.cpu_request_m = 300;
    ContainerSpec less = container("app");
    less.cpu_request_m = 200;
    const Scale same = resized({250, 500}, {1 << 20, 1 << 21});
    const Scale more_cpu{{4, 4}, {{Name::of("app"), Extent{250, 500}, std::nullopt}}};
    const Scale more_memory{{4, 4}, {{Name::of("app"), std::nullopt, Extent{1 << 20, 1 << 21}}}};
    const auto says = [](const std::string& is, const std::string& said) {
        return "scale-size: shop/web/app asks for " + is + ", not " + said +
               " as the proposal says";
    };
    const std::string no_cpu = "scale-size: no pod is known to ask for millicores in shop/web/app";
    const std::string no_memory =
        "scale-size: no pod is known to ask for bytes of memory in shop/web/app";
    check({
        {"as_they_ask", same, nothing, "yes", kWeb},
        {"a_sidecar", same, have({container("side"), sidecar}), "yes", kWeb},
        {"less_cpu_than_said", resized({251, 500}, {1 << 20, 1 << 20}), nothing,
         says("250 millicores", "251"), kWeb},
        {"more_cpu_than_said_and_kept", resized({249, 249}, {1 << 20, 1 << 20}), nothing,
         says("250 millicores", "249"), kWeb},
        {"other_memory_than_said", resized({250, 250}, {1, 9}), nothing,
         says("1048576 bytes of memory", "1"), kWeb},
        {"of_another_container", same, have({container("other")}), no_cpu, kWeb},
        {"of_an_init_container", same, have({init}), no_cpu, kWeb},
        {"no_cpu_is_named", same, have({without("app", true)}), no_cpu, kWeb},
        {"no_memory_is_named", same, have({without("app", false)}), no_memory, kWeb},
        {"memory_alone", more_memory, have({without("app", true)}), "yes", kWeb},
        {"cpu_alone", more_cpu, have({without("app", false)}), "yes", kWeb},
        {"nothing_is_known", same, have({}), no_cpu, kWeb},
        {"one_asks_for_more", same, one_has(more), says("300 millicores", "250"), kWeb},
        {"one_asks_for_less", same, one_has(less), "yes", kWeb},
        {"one_names_none", same, one_has(without("app", true)), "yes", kWeb},
        {"that_one_is_leaving", same, one_has(more, [](PodRow& p) { p.terminating = true; }), "yes",
         kWeb},
        {"that_one_has_failed", same, one_has(more, [](PodRow& p) { p.phase = PodPhase::failed; }),
         "yes", kWeb},
        {"that_one_has_ended", same,
         one_has(more, [](PodRow& p) { p.phase = PodPhase::succeeded; }), "yes", kWeb},
        {"that_one_is_not_bound", same, one_has(more, [](PodRow& p) { p.node = kNoSlot; }), "yes",
         kWeb},
        {"that_one_is_of_another", same, one_has(more, [](PodRow& p) { p.workload = 99; }), "yes",
         kWeb},
        {"replicas_alone", Scale{{4, 5}}, have({}), "yes", kWeb},
    });
}

TEST(ScaleRules, let_no_pod_become_what_no_node_could_hold) {
    constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t kNode = std::int64_t{32} << 30;
    const auto beside = [](ContainerKind kind, std::int64_t cpu_m, std::int64_t memory) {
        return [=](SmallRound& r) {
            ContainerSpec other = container("other");
            other.kind = kind;
            other.cpu_request_m = cpu_m;
            other.memory_request = memory;
            r.shape(r.web, {{container("app"), other}});
        };
    };
    const auto none = [](std::int64_t cpu_m, std::int64_t memory) {
        return "scale-size: a pod of shop/web would ask for " + std::to_string(cpu_m) +
               " millicores and " + std::to_string(memory) + " bytes of memory, which no node has";
    };
    /// One node has much CPU, another one much memory, and none both.
    const auto unlike = [](SmallRound& r) {
        r.node(1).cpu_allocatable_m = 20'000;
        r.node(2).memory_allocatable = 2 * kNode;
    };
    const auto beside_one_that_names_none = [](SmallRound& r) {
        r.shape(r.web, {{ContainerSpec{.name = Name::of("other")}, container("app")}});
    };
    const auto one_names_none = [](SmallRound& r) {
        r.pod(2).shape = r.input.snapshot.shapes.insert({{ContainerSpec{.name = Name::of("app")}}});
    };
    using enum ContainerKind;
    const Extent cpu{250, 250};
    const Extent memory{1 << 20, 1 << 20};
    const std::int64_t enormous = std::int64_t{1} << 60;
    check({
        {"as_large_as_a_node", resized({250, 10'000}, {1 << 20, kNode}), nothing, "yes", kWeb},
        {"more_cpu", resized({250, 10'001}, memory), nothing, none(10'001, 1 << 20), kWeb},
        {"more_memory", resized(cpu, {1 << 20, kNode + 1}), nothing, none(250, kNode + 1), kWeb},
        {"all_the_cpu", resized({250, kMax}, memory), nothing, none(enormous, 1 << 20), kWeb},
        {"all_of_both", resized({250, kMax}, {1 << 20, kMax}), beside(main, kMax, kMax),
         none(enormous, enormous), kWeb},
        {"one_node_is_larger", resized({250, 20'000}, memory), unlike, "yes", kWeb},
        {"another_has_more_memory", resized(cpu, {1 << 20, 2 * kNode}), unlike, "yes", kWeb},
        {"none_has_both", resized({250, 20'000}, {1 << 20, 2 * kNode}), unlike,
         none(20'000, 2 * kNode), kWeb},
        {"beside_another", resized({250, 9'000}, memory), beside(main, 1'000, 1), "yes", kWeb},
        {"too_much_beside_another", resized({250, 9'001}, memory), beside(main, 1'000, 1),
         none(10'001, (1 << 20) + 1), kWeb},
        {"too_much_beside_a_sidecar", resized({250, 9'001}, memory), beside(sidecar, 1'000, 1),
         none(10'001, (1 << 20) + 1), kWeb},
        {"an_init_container_has_ended", resized({250, 9'001}, memory), beside(init, 1'000, 1),
         "yes", kWeb},
        {"another_gives_nothing_back", resized({250, 10'001}, memory), beside(main, -1, -1),
         none(10'001, 1 << 20), kWeb},
        {"beside_one_that_names_none", resized({250, 10'000}, {1 << 20, kNode}),
         beside_one_that_names_none, "yes", kWeb},
        {"a_pod_that_names_nothing", resized({250, 10'001}, memory), one_names_none,
         none(10'001, 1 << 20), kWeb},
        {"no_node", resized({250, 500}, memory), [](SmallRound& r) { r.input.snapshot.nodes = {}; },
         none(500, 1 << 20), kWeb},
    });
}

TEST(ScaleRules, wait_for_the_scaling_that_is_on_its_way) {
    const auto scaling = [](ActionState state, const Target& target) {
        return [=](SmallRound& r) {
            r.memory.scaling.push_back({.id = {1, 1}, .target = target, .state = state});
        };
    };
    const std::string busy = "scale-open: an earlier scaling of shop/web is still on its way";
    check({
        {"sent", Scale{{4, 5}}, scaling(ActionState::sent, kWeb), busy, kWeb},
        {"unknown", Scale{{4, 5}}, scaling(ActionState::unknown, kWeb), busy, kWeb},
        {"done", Scale{{4, 5}}, scaling(ActionState::confirmed, kWeb), "yes", kWeb},
        {"another", Scale{{4, 5}}, scaling(ActionState::sent, workload_id("shop", "api")), "yes",
         kWeb},
        {"a_node", Migrate{}, scaling(ActionState::sent, kWeb), "yes"},
    });
}

TEST(ScaleRules, cool_down_by_workload_and_not_by_the_ledger) {
    const auto scaled = [](Duration ago, std::uint64_t of = 0) {
        return [=](SmallRound& r) {
            Uid uid = r.workload(r.web).uid;
            uid.low += of;
            r.memory.derived.workloads.put(r.web, {.uid = uid, .scaled = r.input.now - ago});
        };
    };
    const auto gently = [](SmallRound& r) {
        r.memory.ledger.cool_downs.push_back({kWeb, ActionKind::scale, r.input.now + hours(1)});
    };
    check({
        {"just_now", Scale{{4, 5}}, scaled(seconds(14)),
         "scale-cool-down: shop/web was scaled 14s ago; 15s must lie between two", kWeb},
        {"long_enough_ago", Scale{{4, 5}}, scaled(seconds(15)), "yes", kWeb},
        {"another_of_the_name", Scale{{4, 5}}, scaled(seconds(1), 1), "yes", kWeb},
        {"never", Scale{{4, 5}}, nothing, "yes", kWeb},
        {"cool_downs_of_others_do_not_count", Scale{{4, 5}}, gently, "yes", kWeb},
    });
}

TEST(ScaleRules, scale_down_a_share_of_all_within_a_window) {
    // With the 4 of shop/web 100 replicas are wanted, of which a quarter may go.
    const auto taken = [](std::int64_t replicas, Duration ago) {
        return [=](SmallRound& r) {
            std::int64_t wanted = 0;
            r.input.snapshot.workloads.for_each(
                [&](Slot, const WorkloadRow& row) { wanted += row.wanted; });
            add_many(r, static_cast<int>(100 - wanted - replicas));
            r.memory.ledger.scaled_down.push_back({r.input.now - ago, replicas});
        };
    };
    const auto no = [](int would, int all, int allowed) {
        return "scale-down: replicas scaled down within 5m would be " + std::to_string(would) +
               " of " + std::to_string(all) + "; " + std::to_string(allowed) + " are allowed";
    };
    check({
        {"first", Scale{{4, 2}}, taken(0, seconds(1)), "yes", kWeb},
        {"up_to_the_share", Scale{{4, 2}}, taken(23, seconds(1)), "yes", kWeb},
        {"beyond", Scale{{4, 2}}, taken(24, seconds(1)), no(26, 100, 25), kWeb},
        {"up_is_free", Scale{{4, 9}}, taken(24, seconds(1)), "yes", kWeb},
        {"just_within_the_window", Scale{{4, 2}}, taken(24, seconds(299)), no(26, 100, 25), kWeb},
        {"before_the_window", Scale{{4, 2}}, taken(24, seconds(300)), "yes", kWeb},
        {"resizing_takes_none", resized({250, 100}, {1 << 20, 8}), taken(25, seconds(1)), "yes",
         kWeb},
    });
}

TEST(ScaleRules, one_replica_may_always_go_and_two_may_not) {
    const auto alone = [](int replicas) {
        return [=](SmallRound& r) { r.workload(r.web).wanted = replicas; };
    };
    check({
        {"one_of_three", Scale{{3, 2}}, alone(3), "yes", kWeb},
        {"two_of_five", Scale{{5, 3}}, alone(5),
         "scale-down: replicas scaled down within 5m would be 2 of 5; 1 are allowed", kWeb},
        {"two_of_eight", Scale{{8, 6}}, alone(8), "yes", kWeb},
    });
}

TEST(Beside, asks_only_who_takes_replicas_away_where_another_has_done_so) {
    SmallRound round;
    round.memory.ledger.scaled_down.push_back({round.input.now, 30});  // More than allowed.
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    const Proposal down{.role = Role::scaling, .action = Scale{{4, 3}}, .target = kWeb};
    const Proposal up{.role = Role::efficiency, .action = Scale{{4, 5}}, .target = kWeb};
    Beside beside(facts);
    beside.accept(up);
    EXPECT_FALSE(beside.ask(down)) << "that it is too much alone says the rule";
    beside.accept(down);
    EXPECT_FALSE(beside.ask(up));
    EXPECT_FALSE(beside.ask({.action = Throttle{}, .target = node_id(1)}));
    beside.accept({.role = Role::admission, .action = Scale{{4, 3}}, .target = kWeb});
    ASSERT_TRUE(beside.ask(down));
    EXPECT_EQ(beside.ask(down)->by, Role::scaling) << "the first";
}

TEST(Beside, counts_what_the_round_scales_down_already) {
    SmallRound round;
    add_many(round, 100 - static_cast<int>([&] {
                        std::int64_t wanted = 0;
                        round.input.snapshot.workloads.for_each(
                            [&](Slot, const WorkloadRow& row) { wanted += row.wanted; });
                        return wanted;
                    }()));
    const Facts facts(round.input, round.forecast, round.memory, round.policy);
    Beside beside(facts);
    const Proposal many{.action = Scale{{40, 16}}, .target = workload_id("shop", "many")};
    const Proposal two{.action = Scale{{4, 2}}, .target = kWeb};
    const Proposal one{.action = Scale{{4, 3}}, .target = kWeb};
    EXPECT_FALSE(beside.ask(many));
    beside.accept(many);
    EXPECT_FALSE(beside.ask(one));
    const auto refused = beside.ask(two);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->rule, "scale-down");
    EXPECT_EQ(refused->because,
              "replicas scaled down within 5m would be 26 of 100; 25 are allowed");
}

}  // namespace
}  // namespace parley::guard
