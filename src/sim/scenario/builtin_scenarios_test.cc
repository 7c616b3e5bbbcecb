#include "sim/scenario/builtin_scenarios.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::sim {
namespace {

TEST(BuiltinScenarios, all_of_the_mission_are_there_and_valid) {
    const std::vector<std::string> wanted = {
        "tour",         "calm",      "day",         "flash-crowd",    "failing-node", "bad-release",
        "gray-failure", "rack-down", "batch-queue", "blind",          "stale",        "lying",
        "contradict",   "mixed",     "exercise",    "exercise-random"};
    std::vector<std::string> names;
    for (const BuiltinScenario& s : builtin_scenarios()) {
        names.push_back(s.name);
        EXPECT_FALSE(s.description.empty());
        EXPECT_NE(s.description.find("node"), std::string::npos) << "its size: " << s.name;
        const auto scenario = builtin_scenario(s.name, 3);
        ASSERT_TRUE(scenario);
        EXPECT_EQ(scenario->name, s.name);
        EXPECT_TRUE(validate(*scenario)) << s.name;
    }
    EXPECT_EQ(names, wanted);
    EXPECT_FALSE(builtin_scenario("no-such"));
}

TEST(BuiltinScenarios, each_lives_for_an_hour_and_conserves_requests) {
    for (const BuiltinScenario& s : builtin_scenarios()) {
        World world = builtin_world(s.name, 7);
        Watched seen;
        for (std::int64_t t = 0; t <= 3600; t += 30) {
            world.advance(at_s(t));
            seen.look(world);
        }
        EXPECT_EQ(world.now(), at_s(3600)) << s.name;
        for (const WorkloadTruth& work : world.truth().workloads) {
            const auto c = world.work_counters(work.id);
            if (!c) continue;
            const double queued = static_cast<double>(c->offered - c->done - c->lost) / 1000.0;
            EXPECT_GE(queued, -0.01) << s.name << " " << work.id.text();
            EXPECT_LE(queued, 1001.0) << s.name << " " << work.id.text();
        }
    }
}

TEST(BuiltinScenarios, failing_node_degrades_then_fails_and_the_seed_moves_it) {
    std::set<std::string> nodes;
    std::set<std::int64_t> times;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        World world = builtin_world("failing-node", seed);
        Watched seen;
        bool late = false;
        bool pressure = false;
        for (std::int64_t t = 0; t <= 900; t += 3) {
            world.advance(at_s(t));
            seen.look(world);
            if (!world.truth().failures.empty()) continue;
            for (const auto& [uid, node] : seen.nodes) {
                late = late || in_seconds(world.now() - *node.lease.value()) > 10.5;
                pressure = pressure || node.memory_pressure || node.disk_pressure;
            }
        }
        ASSERT_EQ(world.truth().failures.size(), 1U);
        const NodeFailure& failure = world.truth().failures[0];
        nodes.insert(failure.node.text());
        times.insert(failure.at.us);
        EXPECT_TRUE(late) << seed;
        EXPECT_TRUE(pressure) << seed;
        EXPECT_GE(seen.restarts, 3) << seed;
        EXPECT_EQ(seen.node(failure.node.text()).ready, model::Readiness::unknown);
    }
    EXPECT_GT(nodes.size(), 2U);
    EXPECT_EQ(times.size(), 6U);
}

TEST(BuiltinScenarios, calm_stays_calm) {
    World world = builtin_world("calm");
    Watched seen;
    for (std::int64_t t = 0; t <= 3600; t += 3) {
        world.advance(at_s(t));
        seen.look(world);
        for (const auto& [uid, node] : seen.nodes) {
            EXPECT_EQ(node.ready, model::Readiness::yes);
            EXPECT_LE(in_seconds(world.now() - *node.lease.value()), 10.0);
        }
    }
    EXPECT_EQ(seen.restarts, 0);
    EXPECT_TRUE(world.truth().failures.empty());
}

TEST(BuiltinScenarios, flash_crowd_loses_requests_and_calm_does_not) {
    for (const auto& [name, loses] : {std::pair("calm", false), std::pair("flash-crowd", true)}) {
        World world = builtin_world(name);
        world.advance(at_s(900));
        const auto c = world.work_counters(deployment("web", "shop"));
        ASSERT_TRUE(c);
        EXPECT_EQ(c->lost > c->offered / 100, loses) << name << " " << c->lost;
    }
}

TEST(BuiltinScenarios, batch_queue_leaves_pods_short_of_cpu) {
    World world = builtin_world("batch-queue");
    Watched seen;
    world.advance(at_s(130));
    seen.look(world);
    std::int32_t short_of_cpu = 0;
    for (const auto& [uid, pod] : seen.pods) {
        short_of_cpu += pod.row.pending.has(model::Cause::cpu) ? 1 : 0;
    }
    EXPECT_GE(short_of_cpu, 8);
    ASSERT_TRUE(seen.batch.stimulus);
    EXPECT_EQ(seen.batch.stimulus->moves, model::Quantity::queue);
}

TEST(BuiltinScenarios, gray_failure_slows_one_ready_node) {
    World world = builtin_world("gray-failure");
    world.advance(at_s(300));
    int slow = 0;
    for (const NodeTruth& node : world.truth().nodes) slow += node.speed < 0.5 ? 1 : 0;
    EXPECT_EQ(slow, 1);
    Watched seen;
    seen.look(world);
    for (const auto& [uid, node] : seen.nodes) EXPECT_EQ(node.ready, model::Readiness::yes);
}

TEST(BuiltinScenarios, rack_down_takes_one_rack_and_brings_it_back) {
    World world = builtin_world("rack-down");
    world.advance(at_s(400));
    ASSERT_EQ(world.truth().failures.size(), 3U);
    Watched seen;
    seen.look(world);
    std::set<std::string> racks;
    for (const NodeFailure& f : world.truth().failures) {
        racks.insert(seen.node(f.node.text()).rack.str());
        EXPECT_EQ(seen.node(f.node.text()).ready, model::Readiness::unknown);
    }
    EXPECT_EQ(racks.size(), 1U);
    world.advance(at_s(1800));
    seen.look(world);
    for (const auto& [uid, node] : seen.nodes) EXPECT_EQ(node.ready, model::Readiness::yes);
}

TEST(BuiltinScenarios, a_bad_release_restarts_on_one_node_and_on_all_and_harms_none) {
    World world = builtin_world("bad-release", 7);
    Watched seen;
    for (std::int64_t t = 0; t <= 1200; t += 30) {
        world.advance(at_s(t));
        seen.look(world);
    }
    EXPECT_GE(seen.restarts, 30);
    EXPECT_TRUE(world.truth().failures.empty());
    EXPECT_EQ(seen.nodes.size(), 12U);
    for (const auto& [uid, node] : seen.nodes) EXPECT_EQ(node.ready, model::Readiness::yes);
}

}  // namespace
}  // namespace parley::sim
