#include "sim/world/exercise_phases.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

/// 0.55 cpu + 0.35 memory, by requests, as the prototype's formula has it.
double requested(const model::NodeRow& node) {
    return 0.55 * static_cast<double>(node.cpu_requested_m) /
               static_cast<double>(node.cpu_allocatable_m) +
           0.35 * static_cast<double>(node.memory_requested) /
               static_cast<double>(node.memory_allocatable);
}

struct Case {
    const char* phase;
    const char* intent;
    double requested;
    std::size_t waiting;
};

const Case kCases[] = {
    {"idle-power-save", "AgentB:power_state:sleep", 0.0076, 0},
    {"light-dvfs", "AgentB:dvfs", 0.1396, 0},
    {"moderate-memory", "AgentB:memory_balloon", 0.3814, 0},
    {"safety-throttle", "AgentA:throttle", 0.5244, 0},
    {"safety-migrate", "AgentA:migrate", 0.7324, 0},
    {"safety-replicate", "AgentA:replicate", 0.8309, 0},
    {"admission-queue", "AgentC:admission:queue", 0.0076, 12},
    {"admission-deprioritize", "AgentC:admission:deprioritize", 0.0076, 90},
    {"admission-cap", "AgentC:resource_cap", 0.0076, 130},
};

TEST(Exercise, each_phase_reaches_what_it_means_by_its_sixth_round) {
    Scenario scenario = *builtin_scenario("exercise");
    scenario.exercise->form = exercise::Form::selector;
    World world = world_of(scenario);
    Watched seen;
    for (std::int64_t round = 0; round < 54; ++round) {
        world.advance(at_s(3 * (round + 1)));  // The first round is one interval in.
        seen.look(world);
        ASSERT_TRUE(seen.batch.stimulus);
        const Case& c = kCases[round / 6];
        EXPECT_EQ(seen.batch.stimulus->phase.view(), c.phase) << round;
        if (round % 6 != 5) continue;
        EXPECT_EQ(seen.batch.stimulus->intent, c.intent);
        EXPECT_NEAR(requested(seen.node("node-01")), c.requested, 5e-5) << c.phase;
        std::size_t waiting = 0;
        for (const auto& [uid, pod] : seen.pods) {
            waiting += pod.row.phase == model::PodPhase::pending ? 1 : 0;
            if (pod.row.phase == model::PodPhase::pending) {
                EXPECT_TRUE(pod.row.pending.has(model::Cause::selector));
                EXPECT_FALSE(pod.row.pending.shortage());
            } else {
                EXPECT_TRUE(pod.row.ready) << c.phase;
            }
        }
        EXPECT_EQ(waiting, c.waiting) << c.phase;
    }
}

TEST(Exercise, in_the_other_form_pods_are_short_of_cpu) {
    World world = builtin_world("exercise");
    Watched seen;
    world.advance(at_s(6 * 18 + 15));
    seen.look(world);
    int short_of_cpu = 0;
    int running = 0;
    for (const auto& [uid, pod] : seen.pods) {
        short_of_cpu += pod.row.pending.has(model::Cause::cpu) ? 1 : 0;
        running += pod.row.ready ? 1 : 0;
    }
    EXPECT_EQ(short_of_cpu, 9);  // Of twelve, three of 30 % fit.
    EXPECT_EQ(running, 4);
    EXPECT_FALSE(seen.work("admission-queue")->deliberate);
}

TEST(Exercise, a_phase_deletes_what_the_one_before_left) {
    World world = builtin_world("exercise");
    Watched seen;
    world.advance(at_s(30));
    seen.look(world);
    EXPECT_NE(seen.work("light-dvfs"), nullptr);
    world.advance(at_s(37));
    seen.look(world);
    EXPECT_EQ(seen.work("light-dvfs"), nullptr);
    EXPECT_NE(seen.work("moderate-memory"), nullptr);
    EXPECT_EQ(seen.batch.stimulus->before, 100);
    world.advance(at_s(40));
    seen.look(world);
    EXPECT_EQ(seen.ready("moderate-memory"), 1);
}

}  // namespace
}  // namespace parley::sim
