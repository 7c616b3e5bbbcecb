#include "sim/world/scheduler.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

using model::Cause;
using model::CauseSet;

/// One node of 4 CPU, 8 GiB; a pod of 1 CPU, 1 GiB asks for a place.
struct Case {
    const char* name;
    std::function<void(State&)> change;
    CauseSet expected;
    bool impossible = false;  ///< No node could ever hold it.
};

const Case kCases[] = {
    {"fits", [](State&) {}, {}},
    {"cpu_just_fits", [](State& s) { s.nodes[0].cpu_requested_m = 3'000; }, {}},
    {"cpu_does_not", [](State& s) { s.nodes[0].cpu_requested_m = 3'001; },
     CauseSet{}.with(Cause::cpu)},
    {"memory_just_fits", [](State& s) { s.nodes[0].memory_requested = 7'168 * kMib; }, {}},
    {"memory_does_not", [](State& s) { s.nodes[0].memory_requested = 7'168 * kMib + 1; },
     CauseSet{}.with(Cause::memory)},
    {"neither",
     [](State& s) {
         s.nodes[0].cpu_requested_m = 4'000;
         s.nodes[0].memory_requested = 8'192 * kMib;
     },
     CauseSet{}.with(Cause::cpu).with(Cause::memory)},
    {"pods", [](State& s) { s.nodes[0].pods_max = 0; }, CauseSet{}.with(Cause::pods), true},
    {"as_large_as_the_node",
     [](State& s) { s.nodes[0].cpu_m = 1'000, s.nodes[0].cpu_requested_m = 1; },
     CauseSet{}.with(Cause::cpu)},
    {"larger_than_the_node", [](State& s) { s.nodes[0].cpu_m = 999; }, CauseSet{}.with(Cause::cpu),
     true},
    {"more_memory_than_the_node", [](State& s) { s.nodes[0].memory = 1'024 * kMib - 1; },
     CauseSet{}.with(Cause::memory), true},
    {"quarantine", [](State& s) { s.nodes[0].taint = model::Taint::no_schedule; },
     CauseSet{}.with(Cause::taint)},
    {"avoided_is_no_obstacle",
     [](State& s) { s.nodes[0].taint = model::Taint::prefer_no_schedule; },
     {}},
    {"unready", [](State& s) { s.nodes[0].ready = model::Readiness::unknown; },
     CauseSet{}.with(Cause::taint)},
    {"asleep", [](State& s) { s.nodes[0].power = model::Power::sleep; },
     CauseSet{}.with(Cause::taint)},
    {"control_plane", [](State& s) { s.nodes[0].worker = false; }, CauseSet{}.with(Cause::taint)},
    {"pool_matches",
     [](State& s) { s.works[0].selector_key = "pool", s.works[0].selector_value = "general"; },
     {}},
    {"pool_does_not",
     [](State& s) { s.works[0].selector_key = "pool", s.works[0].selector_value = "gpu"; },
     CauseSet{}.with(Cause::selector), true},
    {"unknown_label",
     [](State& s) { s.works[0].selector_key = "disk", s.works[0].selector_value = "ssd"; },
     CauseSet{}.with(Cause::selector), true},
};

TEST(Scheduler, says_why_a_node_turns_a_pod_away) {
    for (const Case& c : kCases) {
        Scenario scenario = bare_nodes(1);
        WorkloadSpec w = reserving("a", 0, 1'000);
        w.pod.memory_request_mib = 1'024;
        scenario.workloads.push_back(w);
        State s = state_of(scenario);
        const Index p = create_pod(s, 0);
        c.change(s);
        EXPECT_EQ(turned_away(s, s.pods[p], s.nodes[0]).bits, c.expected.bits) << c.name;
        EXPECT_EQ(choose_node(s, p) == 0, c.expected.empty()) << c.name;
        const CauseSet all = c.impossible ? c.expected.with(Cause::impossible) : c.expected;
        EXPECT_EQ(obstacles(s, p).causes.bits, all.bits) << c.name;
    }
}

TEST(Scheduler, counts_nodes_by_cause_and_forgets_those_the_selector_leaves_out) {
    Scenario scenario = bare_nodes(4);
    scenario.workloads.push_back(reserving("a", 0, 1'000));
    State s = state_of(scenario);
    const Index p = create_pod(s, 0);
    s.works[0].selector_key = "zone";
    s.works[0].selector_value = "zone-a";
    for (NodeState& node : s.nodes) node.cpu_requested_m = 4'000;
    s.nodes[0].taint = model::Taint::no_schedule;
    const Obstacles found = obstacles(s, p);
    EXPECT_EQ(found.causes.bits, CauseSet{}.with(Cause::taint).with(Cause::cpu).bits);
    EXPECT_EQ(found.nodes[static_cast<std::size_t>(Cause::selector)], 2);
    EXPECT_EQ(found.nodes[static_cast<std::size_t>(Cause::taint)], 1);
    EXPECT_EQ(found.nodes[static_cast<std::size_t>(Cause::cpu)], 1);
}

TEST(Scheduler, prefers_room_spreads_by_zone_and_avoids_what_is_to_be_avoided) {
    Scenario scenario = bare_nodes(4);
    scenario.workloads.push_back(reserving("a", 0, 100));
    State s = state_of(scenario);
    s.nodes[0].cpu_requested_m = s.nodes[1].cpu_requested_m = s.nodes[2].cpu_requested_m = 2'000;
    EXPECT_EQ(choose_node(s, create_pod(s, 0)), 3U);
    s.nodes[3].taint = model::Taint::prefer_no_schedule;
    EXPECT_NE(choose_node(s, create_pod(s, 0)), 3U);
    for (Index n = 0; n < 3; ++n) s.nodes[n].cpu_requested_m = 4'000;
    EXPECT_EQ(choose_node(s, create_pod(s, 0)), 3U);
}

TEST(Scheduler, keeps_a_hard_zone_skew) {
    Scenario scenario = bare_nodes(4);
    WorkloadSpec w = reserving("a", 5, 1'000);
    w.zone_skew_max = 1;
    scenario.workloads.push_back(w);
    State s = state_of(scenario);
    EXPECT_EQ(s.works[0].in_zone[0] + s.works[0].in_zone[1], 5);
    EXPECT_LE(std::abs(s.works[0].in_zone[0] - s.works[0].in_zone[1]), 1);
    // With zone-b full, a seventh pod may not go to zone-a.
    s.nodes[1].cpu_requested_m = s.nodes[3].cpu_requested_m = 4'000;
    s.works[0].in_zone = {3, 2};
    const Index p = create_pod(s, 0);
    EXPECT_EQ(choose_node(s, p), kNone);
    EXPECT_TRUE(obstacles(s, p).causes.has(Cause::affinity));
}

TEST(Scheduler, places_by_priority_then_age) {
    Scenario scenario = bare_nodes(1);
    scenario.workloads.push_back(reserving("low", 0, 3'000));
    WorkloadSpec high = reserving("high", 0, 3'000);
    high.priority = 10;
    scenario.workloads.push_back(high);
    State s = state_of(scenario);
    const Index first = create_pod(s, 0);
    const Index second = create_pod(s, 1);
    schedule_pass(s);
    EXPECT_EQ(s.pods[first].stage, Stage::waiting);
    EXPECT_TRUE(s.pods[first].causes.has(Cause::cpu));
    EXPECT_EQ(s.pods[second].stage, Stage::starting);
}

TEST(Scheduler, the_seed_breaks_ties_and_nothing_else) {
    Scenario scenario = bare_nodes(9);
    scenario.workloads.push_back(reserving("a", 1, 100));
    std::map<Index, int> chosen;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const State a = state_of(scenario, seed);
        const State b = state_of(scenario, seed);
        EXPECT_EQ(a.pods[0].node, b.pods[0].node);
        ++chosen[a.pods[0].node];
    }
    EXPECT_GT(chosen.size(), 5U);
}

TEST(Scheduler, waiting_pods_are_placed_once_there_is_room) {
    Scenario scenario = bare_nodes(1);
    scenario.workloads.push_back(reserving("a", 1, 3'000));
    scenario.workloads.push_back(reserving("b", 1, 3'000));
    World world = world_of(scenario);
    Watched seen;
    world.advance(at_s(10));
    seen.look(world);
    EXPECT_EQ(seen.ready("a") + seen.ready("b"), 1);
    const std::string there = seen.ready("a") == 1 ? "a" : "b";
    ASSERT_TRUE(world.apply(model::SetReplicas{deployment(there), 0}, {}));
    world.advance(at_s(60));
    seen.look(world);
    EXPECT_EQ(seen.ready(there == "a" ? "b" : "a"), 1);
}

}  // namespace
}  // namespace parley::sim
