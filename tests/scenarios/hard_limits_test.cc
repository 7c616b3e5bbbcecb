// The guard's hard limits hold for any policy: ten reckless policies, twenty worlds each. Settings
// would refuse such policies; these bypass the settings.

#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

namespace parley::scenarios {
namespace {

using model::Policy;

void no_pace(Policy& policy) {
    policy.guard.cool_down = policy.guard.cool_down_gentle = {};
    policy.guard.power_down_apart = {};
    policy.guard.disruptions_per_hour_max = policy.guard.drains_per_node_day_max = 1'000'000;
}
void no_breaker(Policy& policy) {
    policy.guard.breaker_bad_min = policy.guard.breaker_rise_min = 1'000'000;
    policy.guard.breaker_group_min = 1'000'000;
    policy.guard.breaker_share = policy.guard.breaker_rise = 1;
    policy.guard.breaker_quiet = {};
}
void no_allowance(Policy& policy) { policy.guard.allowance_one_in = 1; }
void any_data(Policy& policy) {
    policy.guard.api_age_max = policy.guard.metrics_age_max = hours(24);
    policy.guard.clock_jump_max = hours(24);
    policy.guard.coverage_disrupt = policy.guard.coverage_act = 0;
    policy.guard.warmup_rounds = 0;
}
void at_once(Policy& policy) {
    policy.stakes.rounds_over = policy.efficiency.rounds_idle = 0;
    policy.stakes.margin = 0;
}
void all_sleep(Policy& policy) {
    policy.efficiency.sleep_below = 1;
    policy.guard.headroom = 0;
}
void no_base(Policy& policy) { policy.evidence.base = 0; }
void every_sign(Policy& policy) {
    policy.evidence.lease_slow_after = {};
    policy.evidence.lease_slow = policy.evidence.pressure = policy.evidence.restarts = 1;
    policy.evidence.restarts_min = policy.evidence.restarts_pods_min = 1;
    policy.evidence.restarts_workloads_min = policy.evidence.restarts_workloads_few = 0;
}

struct Reckless {
    const char* name;
    std::vector<void (*)(Policy&)> parts;
};

const Reckless kReckless[] = {
    {"no_pace", {no_pace, all_sleep}},
    {"no_breaker", {no_breaker, at_once}},
    {"no_allowance", {no_allowance, no_pace, all_sleep}},
    {"any_data", {any_data, at_once}},
    {"any_data_and_no_pace", {any_data, no_pace, no_allowance}},
    {"at_once", {at_once, no_pace}},
    {"all_sleep", {all_sleep, no_pace, no_allowance, no_base}},
    {"no_base", {no_base, at_once, no_breaker}},
    {"every_sign", {every_sign, at_once, no_breaker, no_pace}},
    {"everything",
     {no_pace, no_breaker, no_allowance, any_data, at_once, all_sleep, no_base, every_sign}},
};

class HardLimits : public ::testing::TestWithParam<Reckless> {
protected:
    static void change(Policy& policy) {
        for (const auto part : GetParam().parts) part(policy);
    }
};

/// Thirty nodes that can be switched, most of them idle, and two that fail.
void large(sim::Scenario& scenario) {
    scenario.nodes[0].count = 30;
    scenario.nodes[0].can_power = true;
    scenario.faults.failures = 0.4;
    scenario.faults.nuisances = 1;
    scenario.faults.crash_loops = 1;
}

void check_round(const Published& round) {
    int nodes = 0;
    int asleep = 0;
    int quarantined = 0;
    int bad = 0;
    round.input.snapshot.nodes.for_each([&](Slot, const model::NodeRow& row) {
        ++nodes;
        const bool down = row.power == model::Power::sleep || row.power == model::Power::off;
        if (down) ++asleep;
        if (!down && row.quarantined) ++quarantined;
        if (!down && row.ready != model::Readiness::yes && row.power == model::Power::on) ++bad;
    });
    const int allowed = nodes / 10;
    EXPECT_LE(asleep, allowed);
    EXPECT_LE(quarantined, allowed);
    if (!disrupted_in(round)) return;
    EXPECT_LE((bad - 1) * 5, nodes) << "more than 20 % are bad beside the target";
    EXPECT_GT(round.memory.derived.rounds, 3U);
    for (const model::Proposal& each : round.decision.verdict.accepted) {
        const auto* id = std::get_if<model::NodeId>(&each.target);
        if (id == nullptr || !model::disruptive(each.action)) continue;
        round.input.snapshot.nodes.for_each([&](Slot, const model::NodeRow& row) {
            if (row.id != *id) return;
            EXPECT_EQ(row.role, model::NodeRole::worker);
            EXPECT_LE(row.cpu_used_m.age(round.input.now), seconds(120));
        });
    }
}

TEST_P(HardLimits, hold_in_twenty_worlds) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (const auto& round : run({.scenario = "calm",
                                      .seed = seed,
                                      .rounds = 300,
                                      .change = change,
                                      .adapt = large,
                                      .lean = true})) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", round " +
                         std::to_string(round->input.round));
            check_round(*round);
            if (HasFailure()) return;
        }
    }
}

TEST_P(HardLimits, hold_while_sources_fail) {
    for (const char* scenario : {"blind", "stale", "lying"}) {
        for (const std::uint64_t seed : {1U, 7U, 31U}) {
            for (const auto& round : run({.scenario = scenario,
                                          .seed = seed,
                                          .rounds = 300,
                                          .change = change,
                                          .lean = true})) {
                // After a minute all measurements are wrong, and they may be used for two more.
                if (round->input.now < TimePoint{} + minutes(3)) continue;
                ASSERT_FALSE(disrupted_in(*round))
                    << scenario << ", seed " << seed << ", round " << round->input.round;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Policies, HardLimits, ::testing::ValuesIn(kReckless),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace parley::scenarios
