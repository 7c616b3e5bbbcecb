#include "guard/hard_limits.h"

#include "base/number.h"
#include "fake/small_round.h"
#include "guard/guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace parley::guard {
namespace {

using namespace model;
using fake::node_id;
using fake::SmallRound;

/// Calls f with the number that a path of a policy names, times in seconds; says whether it is one.
template <class F>
bool visit(Policy& policy, std::string_view path, F&& f) {
    bool found = false;
    for_each_member(policy, [&](std::string_view group_name, auto& group) {
        using Group = std::remove_cvref_t<decltype(group)>;
        if constexpr (DescribedStruct<Group> && !TimeLike<Group>) {
            for_each_member(group, [&](std::string_view name, auto& member) {
                using Member = std::remove_cvref_t<decltype(member)>;
                const std::string here =
                    "policy." + std::string(group_name) + "." + std::string(name);
                if (here != path) return;
                if constexpr (TimeLike<Member>) {
                    double value = in_seconds(member);
                    f(value);
                    member.us = static_cast<std::int64_t>(value * 1e6);
                    found = true;
                } else if constexpr (std::is_arithmetic_v<Member>) {
                    auto value = static_cast<double>(member);
                    f(value);
                    member = static_cast<Member>(value);
                    found = true;
                }
            });
        }
    });
    return found;
}

double value_of(Policy policy, std::string_view path) {
    double out = std::numeric_limits<double>::quiet_NaN();
    visit(policy, path, [&](double& value) { out = value; });
    return out;
}

/// The limits are written a second time here, so that loosening one takes two deliberate changes.
TEST(HardLimits, are_these) {
    const std::vector<std::string> expected = {
        "guard.api_age_max 0 to 60",
        "guard.metrics_age_max 0 to 120",
        "guard.coverage_disrupt 0.8 to 1",
        "guard.clock_jump_max 0 to 60",
        "guard.warmup_rounds 3 to 1e+06",
        "guard.allowance_one_in 10 to 1e+06",
        "guard.disruptions_per_hour_max 0 to 30",
        "guard.drains_per_node_day_max 0 to 4",
        "guard.power_down_apart 300 to 86400",
        "guard.cool_down 300 to 86400",
        "guard.headroom 0.05 to 1",
        "guard.pending_abort 1 to 600",
        "guard.cool_down_scale 5 to 86400",
        "guard.scale_down_share 0 to 0.5",
        "guard.scale_down_window 60 to 86400",
        "guard.breaker_bad_min 1 to 2",
        "guard.breaker_share 0 to 0.2",
        "guard.breaker_group_min 1 to 5",
        "guard.breaker_rise_min 1 to 2",
        "guard.breaker_rise 0 to 0.1",
        "guard.breaker_quiet 600 to 86400",
        "evidence.lease_lost_after 0 to 60",
        "evidence.base 1e-06 to 1",
        "evidence.restarts_workloads_min 2 to 8",
        "evidence.restarts_workloads_few 2 to 8",
        "stakes.margin 1 to 1e+06",
        "stakes.rounds_over 2 to 8",
        "stakes.rounds_of 1 to 8",
        "efficiency.rounds_idle 2 to 6",
        "efficiency.rounds_of 1 to 6",
        "efficiency.sleep_below 0 to 0.5",
    };
    const auto held = [](std::string_view path, double far_out) {
        Policy policy;
        // At least two of three: with one round that is one.
        policy.stakes.rounds_of = policy.efficiency.rounds_of = 1;
        visit(policy, path, [&](double& value) { value = far_out; });
        return print_double(value_of(bounded(policy), path));
    };
    std::vector<std::string> found;
    for (const HardLimit& limit : kHardLimits) {
        found.push_back(std::string(limit.path.substr(sizeof("policy.") - 1)) + " " +
                        held(limit.path, -1e9) + " to " + held(limit.path, 1e9));
    }
    EXPECT_EQ(found, expected);
}

TEST(HardLimits, name_settings_that_are_there_and_each_once) {
    std::set<std::string_view> seen;
    for (const HardLimit& limit : kHardLimits) {
        SCOPED_TRACE(limit.path);
        Policy policy;
        EXPECT_TRUE(visit(policy, limit.path, [](double&) {}));
        EXPECT_TRUE(seen.insert(limit.path).second);
        EXPECT_LT(limit.least, limit.most);
    }
}

TEST(HardLimits, leave_the_defaults_as_they_are) {
    EXPECT_EQ(bounded(Policy{}), Policy{});
    EXPECT_EQ(beyond_together(Policy{}), "");
}

TEST(HardLimits, hold_on_both_sides) {
    for (const HardLimit& limit : kHardLimits) {
        if (limit.path.find("rounds_") != std::string_view::npos &&
            limit.path != "policy.guard.warmup_rounds") {
            continue;  // These depend on each other, and are tried below.
        }
        SCOPED_TRACE(limit.path);
        for (const double wild : {limit.least - 1, limit.most + 1, limit.least, limit.most}) {
            Policy policy;
            visit(policy, limit.path, [&](double& value) { value = wild; });
            EXPECT_DOUBLE_EQ(value_of(bounded(policy), limit.path),
                             std::clamp(wild, limit.least, limit.most));
        }
    }
}

TEST(HardLimits, take_what_is_no_number_for_the_tighter_end) {
    Policy policy;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    policy.guard.coverage_disrupt = policy.guard.breaker_share = policy.guard.headroom = nan;
    policy = bounded(policy);
    EXPECT_EQ(policy.guard.coverage_disrupt, 1);
    EXPECT_EQ(policy.guard.breaker_share, 0);
    EXPECT_EQ(policy.guard.headroom, 1);
}

TEST(HardLimits, ask_for_two_rounds_of_three) {
    struct Rounds {
        int over, of, held;
        const char* said;
    };
    const Rounds all[] = {
        {2, 3, 2, ""},
        {1, 3, 2, "1 of 3"},
        {1, 1, 2, ""},  // Two of one: never, which is
                        // tighter still.
        {2, 4, 3, "2 of 4"},
        {3, 4, 3, ""},
        {5, 8, 6, "5 of 8"},
        {6, 8, 6, ""},
        {8, 8, 8, ""},
    };
    for (const Rounds& rounds : all) {
        SCOPED_TRACE(std::to_string(rounds.over) + " of " + std::to_string(rounds.of));
        Policy policy;
        policy.stakes.rounds_over = rounds.over;
        policy.stakes.rounds_of = rounds.of;
        EXPECT_EQ(bounded(policy).stakes.rounds_over, rounds.held);
        const std::string said = beyond_together(policy);
        EXPECT_EQ(said.empty(), std::string_view(rounds.said).empty()) << said;
        EXPECT_NE(said.find(rounds.said), std::string::npos) << said;
    }
    Policy policy;
    policy.efficiency.rounds_of = 6;
    EXPECT_EQ(bounded(policy).efficiency.rounds_idle, 4);
    EXPECT_EQ(beyond_together(policy),
              "policy.efficiency.rounds_idle is 2 of 6 rounds, but what disrupts must hold in at "
              "least two of three: write 4 or more");
}

/// The loosest policy that can be written down.
Policy reckless() {
    Policy policy;
    policy.allow = SmallRound().policy.allow;
    policy.evidence.base = 0;
    policy.evidence.lease_lost_after = hours(24);
    policy.stakes.margin = 0;
    policy.stakes.rounds_over = 0;
    policy.efficiency.rounds_idle = 0;
    policy.efficiency.sleep_below = 1;
    GuardRules& rules = policy.guard;
    rules.api_age_max = rules.metrics_age_max = rules.clock_jump_max = hours(24);
    rules.coverage_disrupt = rules.coverage_act = rules.headroom = 0;
    rules.warmup_rounds = 0;
    rules.cool_down = rules.power_down_apart = rules.breaker_quiet = {};
    rules.disruptions_per_hour_max = rules.drains_per_node_day_max = 1'000'000;
    rules.breaker_bad_min = rules.breaker_group_min = rules.breaker_rise_min = 1'000'000;
    rules.breaker_share = rules.breaker_rise = 1;
    rules.allowance_one_in = 1;
    return policy;
}

struct Case {
    const char* name;
    const char* rule;
    std::function<void(SmallRound&)> spoil;
};

TEST(HardLimits, the_guard_holds_them_whatever_policy_it_is_given) {
    const Case cases[] = {
        {"api", "api-age", [](SmallRound& r) { r.api().last_success = r.before(seconds(61)); }},
        {"clock", "clock", [](SmallRound& r) { r.memory.derived.jumped = true; }},
        {"warm_up", "warm-up", [](SmallRound& r) { r.memory.derived.rounds = 3; }},
        {"no_samples", "coverage",
         [](SmallRound& r) {
             for (int i = 2; i <= 12; ++i) {
                 r.node(i).cpu_used_m = r.reading<std::int64_t>(1, seconds(121));
             }
         }},
        {"samples_of_three_quarters", "coverage",
         [](SmallRound& r) {
             for (int i = 10; i <= 12; ++i) {
                 r.node(i).cpu_used_m = r.gap<std::int64_t>(Gap::implausible);
             }
         }},
        {"one_round", "hysteresis", [](SmallRound& r) { r.fold(1).over = 0b1; }},
        {"breaker", "breaker",
         [](SmallRound& r) {
             for (int i = 2; i <= 4; ++i) r.break_node(i);
         }},
        {"allowance", "allowance", [](SmallRound& r) { r.node(3).quarantined = true; }},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        SmallRound round;
        round.policy = reckless();
        const Proposal wish{.action = Migrate{}, .target = node_id(1)};
        const auto asked = [&] {
            const Facts facts(round.input, round.forecast, round.memory, round.policy);
            return ask(facts, wish).refused;
        };
        EXPECT_FALSE(asked()) << asked()->because;
        each.spoil(round);
        ASSERT_TRUE(asked());
        EXPECT_EQ(asked()->rule, each.rule);
    }
}

TEST(HardLimits, the_breaker_trips_whatever_policy_it_is_given) {
    SmallRound round;
    round.policy = reckless();
    for (int i = 1; i <= 4; ++i) round.break_node(i);
    round.memory.derived.bad_nodes = 4;
    EXPECT_TRUE(next_breaker(round.input, round.forecast, round.memory, round.policy).tripped);
}

}  // namespace
}  // namespace parley::guard
