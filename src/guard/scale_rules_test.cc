#include "guard/scale_rules.h"

#include "guard/rules_kit_test.h"

namespace parley::guard {
namespace {

using namespace kit;

auto wants(std::int32_t replicas) {
    return [=](SmallRound& r) { r.workload(r.web).wanted = replicas; };
}

/// So many replicas elsewhere, so that a share of all is no small number.
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

TEST(ScaleRules, bound_sizes_by_what_people_set_or_one) {
    const Extent same{1 << 20, 1 << 20};
    check({
        {"within", resized({250, 500, 100, 500}, same), nothing, "yes", kWeb},
        {"cpu_above", resized({250, 501, 100, 500}, same), nothing,
         "scale-amount: millicores of shop/web/app would be 501; at most 500 are allowed", kWeb},
        {"cpu_below", resized({250, 99, 100, 500}, same), nothing,
         "scale-amount: millicores of shop/web/app would be 99; at least 100 must stay", kWeb},
        {"cpu_none", resized({250, 0}, same), nothing,
         "scale-amount: millicores of shop/web/app would be 0; at least 1 must stay", kWeb},
        {"memory_above", resized({250, 250}, {1, 9, 1, 8}), nothing,
         "scale-amount: bytes of memory of shop/web/app would be 9; at most 8 are allowed", kWeb},
        {"memory_below", resized({250, 250}, {9, 1, 2, 9}), nothing,
         "scale-amount: bytes of memory of shop/web/app would be 1; at least 2 must stay", kWeb},
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
        {"resizing_takes_none", resized({250, 100}, {9, 8}), taken(25, seconds(1)), "yes", kWeb},
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
