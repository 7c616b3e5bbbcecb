#include "sim/world/faults.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::sim {
namespace {

TEST(Faults, severity_grows_from_nothing_to_one_over_the_lead) {
    const Episode e{.active = true, .begin = 1000, .lead = 10'000, .gamma = 2.0};
    EXPECT_EQ(severity_at(e, 1000), 0.0);
    EXPECT_NEAR(severity_at(e, 6000), 0.25, 1e-12);
    EXPECT_EQ(severity_at(e, 11'000), 1.0);
    EXPECT_EQ(severity_at(e, 99'000), 1.0);
}

TEST(Faults, episodes_are_drawn_as_the_rules_say) {
    const FaultRules rules;
    int fails = 0;
    int below_median = 0;
    double log_squares = 0.0;
    constexpr int kDraws = 4000;
    for (int i = 0; i < kDraws; ++i) {
        const EpisodePlan plan = draw_episode(rules, 7, 99, static_cast<std::uint32_t>(i));
        fails += plan.fails ? 1 : 0;
        below_median += plan.lead < ms_of(rules.lead) ? 1 : 0;
        const double off = std::log(static_cast<double>(plan.lead) / 1.2e6);
        log_squares += off * off;
        EXPECT_GE(plan.gamma, 0.5);
        EXPECT_LT(plan.gamma, 2.0);
    }
    EXPECT_NEAR(fails / double{kDraws}, 0.3, 0.03);
    EXPECT_NEAR(below_median / double{kDraws}, 0.5, 0.03);
    EXPECT_NEAR(std::sqrt(log_squares / kDraws), 0.8, 0.03);
}

Scenario faulty(double failures) {
    Scenario s = bare_nodes(40);
    s.faults.failures = failures;
    s.faults.repair = minutes(5);
    return s;
}

TEST(Faults, nodes_fail_as_often_as_the_rate_says_and_half_of_them_suddenly) {
    int failures = 0;
    int sudden = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        World world = world_of(faulty(0.1), seed);
        world.stop_reporting();
        world.advance(at_s(50 * 3600));
        for (const NodeFailure& f : world.truth().failures) {
            ++failures;
            sudden += f.cause == FaultCause::sudden ? 1 : 0;
        }
    }
    // 5 x 40 nodes x 50 hours x 0.1; while a node is down or degrading it fails less.
    EXPECT_NEAR(failures, 1000.0, 130.0);
    EXPECT_NEAR(sudden / static_cast<double>(failures), 0.5, 0.06);
}

TEST(Faults, rates_of_zero_mean_never) {
    World world = world_of(faulty(0.0));
    world.advance(at_s(50 * 3600));
    EXPECT_TRUE(world.truth().failures.empty());
}

TEST(Faults, truth_knows_when_a_node_would_fail) {
    World world = world_of(faulty(0.3), 3);
    world.advance(at_s(15));
    std::map<std::string, TimePoint> expected;
    for (const NodeTruth& node : world.truth().nodes) {
        if (node.would_fail_at && !node.harmless) expected[node.id.text()] = *node.would_fail_at;
    }
    world.advance(at_s(3600));
    int checked = 0;
    for (const NodeFailure& f : world.truth().failures) {
        if (f.cause != FaultCause::sudden || !expected.contains(f.node.text())) continue;
        // Its first failure, unless it degraded before and new thresholds were drawn.
        const double off = std::fabs(in_seconds(f.at - expected[f.node.text()]));
        checked += off < 1.0 ? 1 : 0;
    }
    EXPECT_GE(checked, 2);
}

TEST(Faults, truth_knows_of_the_shock_of_a_rack) {
    Scenario s = bare_nodes(18);
    s.faults.rack_shocks = 0.5;
    World world = world_of(s, 3);
    world.advance(at_s(15));
    std::map<std::string, TimePoint> expected;
    for (const NodeTruth& node : world.truth().nodes)
        if (node.would_fail_at) expected[node.id.text()] = *node.would_fail_at;
    ASSERT_EQ(expected.size(), 18U);
    world.advance(at_s(3600));
    ASSERT_FALSE(world.truth().failures.empty());
    for (const NodeFailure& f : world.truth().failures) {
        EXPECT_EQ(f.cause, FaultCause::rack);
        if (!expected.contains(f.node.text())) continue;
        EXPECT_EQ(f.at, expected[f.node.text()]);
        expected.erase(f.node.text());  // It may fail again later.
    }
}

TEST(Faults, load_raises_the_hazard_only_above_nine_tenths) {
    Scenario s = bare_nodes(20);
    s.faults.failures = 0.05;
    s.faults.sudden_share = 1.0;
    s.faults.load_slope = 30.0;
    // Burns all cores of every node.
    WorkloadSpec burner = reserving("burner", 20, 3'000);
    burner.idle_cpu_m = 4'000;
    Scenario busy = s;
    busy.workloads.push_back(burner);
    std::size_t idle_failures = 0;
    std::size_t busy_failures = 0;
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        World a = world_of(s, seed);
        World b = world_of(busy, seed);
        a.advance(at_s(10 * 3600));
        b.advance(at_s(10 * 3600));
        idle_failures += a.truth().failures.size();
        busy_failures += b.truth().failures.size();
    }
    EXPECT_GT(busy_failures, 2 * idle_failures);
}

TEST(Faults, gray_spells_nuisances_and_rack_shocks_happen_at_their_rates) {
    Scenario s = bare_nodes(20);
    s.faults.gray = 0.5;
    s.faults.nuisances = 1.0;
    s.faults.rack_shocks = 0.2;
    s.faults.repair = minutes(5);
    World world = world_of(s);
    int gray = 0;
    int harmless = 0;
    int samples = 0;
    for (std::int64_t t = 0; t < 20 * 3600; t += 60) {
        world.advance(at_s(t));
        for (const NodeTruth& node : world.truth().nodes) {
            gray += node.speed < 0.95 ? 1 : 0;
            harmless += node.harmless ? 1 : 0;
            ++samples;
            EXPECT_GE(node.speed, 0.3);
        }
    }
    // 32.5 min of every 2 h 32 min; about 15 min of every 75.
    EXPECT_NEAR(gray / static_cast<double>(samples), 0.21, 0.06);
    EXPECT_NEAR(harmless / static_cast<double>(samples), 0.21, 0.06);
    EXPECT_GE(world.truth().failures.size(), 30U);
}

}  // namespace
}  // namespace parley::sim
