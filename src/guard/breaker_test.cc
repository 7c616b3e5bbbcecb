#include "guard/breaker.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::guard {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;

Breaker next(const SmallRound& round) {
    return next_breaker(round.input, round.forecast, round.memory, round.policy);
}

Census census(const SmallRound& round) {
    return take_census(round.input, round.forecast, round.memory, round.policy);
}

/// The first `bad` of `nodes` are NotReady, as they already were in the last round.
SmallRound with_bad(int nodes, int bad) {
    SmallRound round(nodes);
    for (int i = 1; i <= bad; ++i) round.break_node(i);
    round.memory.derived.bad_nodes = bad;
    return round;
}

TEST(Shares, are_whole_millionths_and_cut_percents) {
    EXPECT_EQ(ppm(1), 1'000'000);
    EXPECT_EQ(ppm(16 / 20.0 - 14 / 20.0), 100'000);
    EXPECT_EQ(ppm(0.0000004), 0);
    EXPECT_EQ(ppm(0.0000006), 1);
    EXPECT_EQ(percent(0.3), "30%");
    EXPECT_EQ(percent(0.299999), "29%");
}

struct Size {
    int nodes;
    int latch;  ///< From how many bad nodes the breaker trips, whoever is the target; 0: never.
    int other;  ///< From how many bad nodes besides the target it forbids; 0: never.
    int allowed;
    int allowed_if_one_is_not_ready;
};

// Written out by hand: at least 2 besides the target, and more than a fifth of all.
const Size kSizes[] = {
    {1, 0, 0, 0, 0},  {2, 0, 2, 0, 0},  {3, 3, 2, 1, 0},  {4, 3, 2, 1, 0},  {5, 3, 2, 1, 0},
    {6, 3, 2, 1, 0},  {7, 3, 2, 1, 0},  {8, 3, 2, 1, 0},  {9, 3, 2, 1, 0},  {10, 4, 3, 1, 1},
    {11, 4, 3, 1, 1}, {12, 4, 3, 1, 1}, {13, 4, 3, 1, 1}, {14, 4, 3, 1, 1}, {15, 5, 4, 1, 1},
    {16, 5, 4, 1, 1}, {17, 5, 4, 1, 1}, {18, 5, 4, 1, 1}, {19, 5, 4, 1, 1}, {20, 6, 5, 2, 2},
    {21, 6, 5, 2, 2},
};

TEST(Breaker, trips_at_the_right_number_for_every_size) {
    for (const Size& size : kSizes) {
        for (int bad = 0; bad <= size.nodes; ++bad) {
            SCOPED_TRACE(std::to_string(bad) + " of " + std::to_string(size.nodes));
            const SmallRound round = with_bad(size.nodes, bad);
            EXPECT_EQ(next(round).tripped, size.latch > 0 && bad >= size.latch);
        }
    }
}

TEST(Breaker, leaves_the_target_out_for_every_size) {
    for (const Size& size : kSizes) {
        for (int bad = 0; bad <= size.nodes; ++bad) {
            SCOPED_TRACE(std::to_string(bad) + " of " + std::to_string(size.nodes));
            const SmallRound round = with_bad(size.nodes, bad);
            const auto forbids = [&](Slot target) {
                return !too_many_bad(census(round), round.input.snapshot, target,
                                     round.policy.guard)
                            .empty();
            };
            const auto over = [&](int others) { return size.other > 0 && others >= size.other; };
            EXPECT_EQ(forbids(kNoSlot), over(bad));
            if (bad > 0) {
                EXPECT_EQ(forbids(SmallRound::slot(bad)), over(bad - 1));
            }
            if (bad < size.nodes) {
                EXPECT_EQ(forbids(SmallRound::slot(bad + 1)), over(bad));
            }
        }
    }
}

TEST(Allowance, is_right_for_every_size) {
    for (const Size& size : kSizes) {
        SCOPED_TRACE(size.nodes);
        EXPECT_EQ(allowance(size.nodes, true, {}), size.allowed);
        EXPECT_EQ(allowance(size.nodes, false, {}), size.allowed_if_one_is_not_ready);
    }
    EXPECT_EQ(allowance(0, true, {}), 0);
    EXPECT_EQ(allowance(99, true, {}), 9);
    EXPECT_EQ(allowance(5000, false, {}), 500);
    EXPECT_EQ(allowance(2, true, {.allowance_one_in = 1}), 0);
}

TEST(Breaker, stays_closed_in_the_first_minutes_of_a_run) {
    SmallRound round;
    round.input.now = {minutes(1).us};
    for (int i = 1; i <= 12; ++i) round.node(i).lease = round.lease(seconds(1));
    EXPECT_EQ(next(round), Breaker{});
}

TEST(Breaker, says_why_with_numbers) {
    const SmallRound round = with_bad(12, 4);
    EXPECT_EQ(next(round).because, "4 of 12 nodes are bad, more than 20%");
    EXPECT_EQ(
        too_many_bad(census(round), round.input.snapshot, SmallRound::slot(1), round.policy.guard),
        "3 of 12 nodes besides node-01 are bad, more than 20%");
    EXPECT_EQ(next(round).since, round.input.now);
    EXPECT_FALSE(next(round).calm);
}

TEST(Breaker, knows_what_a_bad_node_is) {
    struct Case {
        const char* name;
        void (*spoil)(SmallRound&);
        int bad;
        int counted = 12;
    };
    const Case cases[] = {
        {"healthy", [](SmallRound&) {}, 0},
        {"not_ready", [](SmallRound& r) { r.node(2).ready = Readiness::no; }, 1},
        {"unknown", [](SmallRound& r) { r.node(2).ready = Readiness::unknown; }, 1},
        {"lease_40s", [](SmallRound& r) { r.node(2).lease = r.lease(seconds(40)); }, 0},
        {"lease_over_40s",
         [](SmallRound& r) { r.node(2).lease = r.lease(seconds(40) + microseconds(1)); }, 1},
        {"lease_missing",
         [](SmallRound& r) { r.node(2).lease = r.gap<TimePoint>(Gap::not_reported); }, 0},
        {"risk_at_its_limit", [](SmallRound& r) { r.risk(2).risk = 0.25; }, 0},
        {"risk_over_its_limit", [](SmallRound& r) { r.risk(2).risk = 0.2500001; }, 1},
        {"risk_unknown", [](SmallRound& r) { r.risk(2).risk.reset(); }, 0},
        {"no_forecast", [](SmallRound& r) { r.forecast.nodes.clear(); }, 0},
        {"twice_bad_counts_once",
         [](SmallRound& r) {
             r.break_node(2);
             r.risk(2).risk = 0.9;
         },
         1},
        {"maintenance",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).maintenance = true;
         },
         0, 11},
        {"cordoned",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).cordoned = true;
         },
         0, 11},
        {"asleep_by_others",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::sleep;
         },
         1},
        {"asleep_with_our_mark",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::sleep;
             r.node(2).mark = Mark{};
         },
         0, 11},
        {"our_mark_but_on",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).mark = Mark{};
         },
         1},
        {"asleep_by_our_action",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::off;
             r.open(PowerState{PowerWish::off}, node_id(2), ActionState::confirmed);
         },
         0, 11},
        {"asleep_by_an_action_of_another_kind",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::off;
             r.open(Throttle{}, node_id(2));
         },
         1},
        {"asleep_by_an_action_elsewhere",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::off;
             r.open(PowerState{PowerWish::off}, node_id(3));
         },
         1},
        {"asleep_after_our_action_failed",
         [](SmallRound& r) {
             r.break_node(2);
             r.node(2).power = Power::off;
             r.open(PowerState{PowerWish::off}, node_id(2), ActionState::failed);
         },
         1},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        SmallRound round;
        c.spoil(round);
        EXPECT_EQ(census(round).bad, c.bad);
        EXPECT_EQ(census(round).counted, c.counted);
    }
}

TEST(Breaker, no_setting_keeps_it_from_seeing_nodes_that_ail) {
    const struct {
        const char* name;
        void (*ail)(SmallRound&, int node);
        int bad;  ///< Where trouble is defined by hand; by default the forecast alone decides.
    } signs[] = {
        {"memory", [](SmallRound& r, int node) { r.node(node).memory_pressure = true; }, 4},
        {"disk", [](SmallRound& r, int node) { r.node(node).disk_pressure = true; }, 4},
        {"lease_over_20s",
         [](SmallRound& r, int node) {
             r.node(node).lease = r.lease(seconds(20) + microseconds(1));
         },
         4},
        {"lease_20s", [](SmallRound& r, int node) { r.node(node).lease = r.lease(seconds(20)); },
         0},
        {"nothing", [](SmallRound&, int) {}, 0},
    };
    for (const auto& sign : signs) {
        SmallRound round(12);
        for (int i = 1; i <= 4; ++i) sign.ail(round, i);
        EXPECT_EQ(census(round).bad, 0) << sign.name;
        round.policy.stakes.margin = 50;
        EXPECT_EQ(census(round).bad, sign.bad) << sign.name;
        round.policy.stakes = {};
        EXPECT_EQ(census(round).bad, 0) << sign.name;
        round.policy.evidence.pressure = 0;
        EXPECT_EQ(census(round).bad, sign.bad) << sign.name;
    }
}

TEST(Breaker, finds_risks_by_slot_whatever_holes_there_are) {
    SmallRound round;
    round.risk(5).risk = round.risk(12).risk = 0.9;
    EXPECT_EQ(census(round).bad_nodes, (std::vector{SmallRound::slot(5), SmallRound::slot(12)}));
    round.forecast.nodes.erase(round.forecast.nodes.begin() + 1);
    EXPECT_EQ(census(round).bad_nodes, (std::vector{SmallRound::slot(5), SmallRound::slot(12)}));
    round.input.snapshot.nodes.erase(SmallRound::slot(5));
    round.input.snapshot.nodes.erase(SmallRound::slot(6));
    EXPECT_EQ(census(round).bad_nodes, std::vector{SmallRound::slot(12)});
}

TEST(Breaker, names_missing_leases_without_counting_them_bad) {
    SmallRound round;
    round.node(2).lease = round.gap<TimePoint>(Gap::not_reported);
    round.node(3).lease = round.gap<TimePoint>(Gap::source_failed);
    EXPECT_EQ(census(round).lease_missing, 2);
    EXPECT_EQ(census(round).bad, 0);
}

/// Twelve nodes, the first `inside` of them in zone or pool "small".
SmallRound grouped(int inside, int bad, Name NodeRow::* group) {
    SmallRound round = with_bad(24, bad);
    for (int i = 1; i <= 24; ++i) round.node(i).*group = Name::of(i <= inside ? "small" : "large");
    return round;
}

TEST(Breaker, looks_at_zones_and_pools_of_five_and_more) {
    // 3 of 24 are few; 2 besides any target are many of a group of five, and of none of four.
    EXPECT_TRUE(next(grouped(5, 3, &NodeRow::zone)).tripped);
    EXPECT_FALSE(next(grouped(5, 2, &NodeRow::zone)).tripped);
    EXPECT_FALSE(next(grouped(4, 3, &NodeRow::zone)).tripped);
    EXPECT_TRUE(next(grouped(5, 3, &NodeRow::pool)).tripped);
    EXPECT_FALSE(next(grouped(4, 3, &NodeRow::pool)).tripped);
    // 2 besides the target are not more than a fifth of ten.
    EXPECT_TRUE(next(grouped(9, 3, &NodeRow::zone)).tripped);
    EXPECT_FALSE(next(grouped(10, 3, &NodeRow::zone)).tripped);
    EXPECT_EQ(next(grouped(5, 3, &NodeRow::zone)).because,
              "3 of 5 nodes of zone small are bad, more than 20%");

    const SmallRound round = grouped(5, 3, &NodeRow::pool);
    EXPECT_EQ(
        too_many_bad(census(round), round.input.snapshot, SmallRound::slot(2), round.policy.guard),
        "2 of 5 nodes of pool small besides node-02 are bad, more than 20%");
}

TEST(Breaker, trips_by_two_groups_of_which_the_target_is_in_one) {
    SmallRound round(24);
    for (int i = 1; i <= 24; ++i) {
        round.node(i).zone = Name::of(i <= 5 ? "a" : i <= 10 ? "b" : "c");
    }
    for (const int i : {1, 2, 6, 7}) round.break_node(i);
    round.memory.derived.bad_nodes = 4;
    EXPECT_TRUE(next(round).tripped);  // 4 of 24 are few, but 2 of 5 are bad in a or in b.
    round.node(7).ready = Readiness::yes;
    EXPECT_FALSE(next(round).tripped);  // Without node-01, no group has two.
}

TEST(Breaker, does_not_confuse_a_zone_with_a_pool_of_the_same_name) {
    SmallRound round = with_bad(24, 3);
    for (int i = 1; i <= 24; ++i) round.node(i).zone = Name::of("large");
    for (const int i : {1, 2, 3, 10, 11}) round.node(i).pool = Name::of("large");
    const Census found = census(round);
    ASSERT_EQ(found.groups.size(), 2U);
    EXPECT_EQ(found.groups[0], (Group{Name::of("large"), true, 24, 3}));
    EXPECT_EQ(found.groups[1], (Group{Name::of("large"), false, 5, 3}));
    EXPECT_EQ(next(round).because, "3 of 5 nodes of pool large are bad, more than 20%");
}

TEST(Breaker, orders_groups_by_name_zones_first) {
    SmallRound round(4);
    const char* const zones[] = {"b", "a", "", "b"};
    for (int i = 1; i <= 4; ++i) {
        round.node(i).zone = Name::of(zones[i - 1]);
        round.node(i).pool = Name::of("0");
    }
    std::string names;
    for (const Group& group : census(round).groups) names += group.name.str() + " ";
    EXPECT_EQ(names, "a b 0 ");
}

struct Rise {
    const char* name;
    int before;
    int before_of;
    int after;
    int after_of;
    bool tripped;
};

TEST(Breaker, trips_when_bad_nodes_rise_fast) {
    const Rise rises[] = {
        {"two_of_twenty_is_ten_points", 0, 20, 2, 20, false},
        {"two_of_nineteen_is_more", 0, 19, 2, 19, true},
        {"one_of_five_is_one_node", 0, 5, 1, 5, false},
        {"two_of_twelve", 0, 12, 2, 12, true},
        {"one_to_two", 1, 12, 2, 12, false},
        {"ten_points_at_a_higher_level", 2, 20, 4, 20, false},
        {"falling", 3, 12, 0, 12, false},
        {"nothing_to_compare_with", 0, 0, 2, 12, false},
        {"nodes_join", 0, 10, 2, 21, false},
        {"good_nodes_leave", 0, 40, 2, 19, true},
    };
    for (const Rise& rise : rises) {
        SCOPED_TRACE(rise.name);
        SmallRound round = with_bad(rise.after_of, rise.after);
        round.memory.derived.bad_nodes = rise.before;
        round.memory.derived.nodes_counted = rise.before_of;
        EXPECT_EQ(next(round).tripped, rise.tripped);
    }
    SmallRound round = with_bad(12, 2);
    round.memory.derived.bad_nodes = 0;
    EXPECT_EQ(next(round).because,
              "bad nodes rose from 0 of 12 to 2 of 12 in one round, by more than 10 points");
    round.policy.guard.breaker_rise = 0.099999;
    EXPECT_TRUE(next(round).because.ends_with("by more than 9 points"));
    round.memory.derived.bad_nodes = 2;
    EXPECT_FALSE(next(round).tripped);
    const SmallRound empty(0);
    EXPECT_FALSE(next(empty).tripped);
}

TEST(Breaker, opens_again_after_ten_quiet_minutes_and_not_before) {
    SmallRound round = with_bad(12, 4);
    const TimePoint start = round.input.now;
    const auto step = [&](Duration since_start) {
        round.input.now = start + since_start;
        for (int i = 1; i <= 12; ++i) round.node(i).lease = round.lease(seconds(1));
        round.memory.ledger.breaker = next(round);
        return round.memory.ledger.breaker.tripped;
    };
    EXPECT_TRUE(step(seconds(0)));
    EXPECT_TRUE(step(minutes(30)));  // As long as it holds.
    EXPECT_EQ(round.memory.ledger.breaker.since, start);
    round.node(1).ready = Readiness::yes;
    EXPECT_TRUE(step(minutes(31)));  // Quiet begins here.
    EXPECT_TRUE(round.memory.ledger.breaker.calm);
    EXPECT_EQ(round.memory.ledger.breaker.because, "4 of 12 nodes are bad, more than 20%");
    EXPECT_TRUE(step(minutes(40)));
    EXPECT_EQ(round.memory.ledger.breaker.quiet, start + minutes(31));
    round.break_node(1);
    round.memory.derived.bad_nodes = 4;
    EXPECT_TRUE(step(minutes(40) + seconds(3)));  // Not quiet any more.
    round.node(1).ready = Readiness::yes;
    EXPECT_TRUE(step(minutes(41)));
    EXPECT_TRUE(step(minutes(51) - microseconds(1)));
    EXPECT_EQ(round.memory.ledger.breaker.since, start);
    EXPECT_FALSE(step(minutes(51)));
    EXPECT_EQ(round.memory.ledger.breaker, Breaker{});
}

TEST(Census, counts_what_is_disrupted_by_us) {
    struct Case {
        const char* name;
        void (*spoil)(SmallRound&);
        int disrupted;
    };
    const Case cases[] = {
        {"nothing", [](SmallRound&) {}, 0},
        {"quarantined", [](SmallRound& r) { r.node(2).quarantined = true; }, 1},
        {"only_avoided", [](SmallRound& r) { r.node(2).avoided = true; }, 0},
        {"foreign_taint", [](SmallRound& r) { r.node(2).foreign_taint = true; }, 0},
        {"draining", [](SmallRound& r) { r.open(Migrate{}, node_id(2)); }, 1},
        {"drained", [](SmallRound& r) { r.open(Migrate{}, node_id(2), ActionState::confirmed); },
         1},
        {"moot", [](SmallRound& r) { r.open(Migrate{}, node_id(2), ActionState::moot); }, 0},
        {"expired", [](SmallRound& r) { r.open(Migrate{}, node_id(2), ActionState::expired); }, 0},
        {"would", [](SmallRound& r) { r.open(Migrate{}, node_id(2), ActionState::would_send); }, 0},
        {"throttled", [](SmallRound& r) { r.open(Throttle{}, node_id(2)); }, 0},
        {"marked_and_asleep",
         [](SmallRound& r) {
             r.node(2).power = Power::sleep;
             r.node(2).mark = Mark{};
             r.node(2).quarantined = true;
         },
         0},
        {"both_count_once",
         [](SmallRound& r) {
             r.node(2).quarantined = true;
             r.open(Migrate{}, node_id(2));
         },
         1},
        {"a_workload_is_no_node",
         [](SmallRound& r) { r.open(Migrate{}, fake::workload_id("shop", "web")); }, 0},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        SmallRound round;
        c.spoil(round);
        EXPECT_EQ(census(round).disrupted, c.disrupted);
        EXPECT_EQ(census(round).nodes, round.node(2).power == Power::on ? 12 : 11)
            << "a node that we put to sleep has left the pool";
    }
}

TEST(Census, counts_samples_of_cpu_and_memory_that_are_fresh) {
    SmallRound round;
    EXPECT_EQ(census(round).sampled, 12);
    round.node(2).cpu_used_m = round.gap<std::int64_t>(Gap::not_reported);
    round.node(3).memory_used = round.gap<std::int64_t>(Gap::not_reported);
    EXPECT_EQ(census(round).sampled, 10);
    round.node(4).cpu_used_m = round.reading<std::int64_t>(1, seconds(60));
    EXPECT_EQ(census(round).sampled, 10);
    round.node(4).cpu_used_m = round.reading<std::int64_t>(1, seconds(61));
    EXPECT_EQ(census(round).sampled, 9);
    EXPECT_EQ(census(round).ready, 12);
    round.break_node(5);
    EXPECT_EQ(census(round).ready, 11);
}

}  // namespace
}  // namespace parley::guard
