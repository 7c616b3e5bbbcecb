#include "sim/world/world_build.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::sim {
namespace {

TEST(WorldBuild, deals_nodes_out_to_zones_and_racks_and_names_them) {
    Scenario scenario;
    scenario.nodes.push_back({.count = 12, .zones = 3, .racks = 2});
    const State s = state_of(scenario);
    EXPECT_EQ(s.nodes[0].id.text(), "node-01");
    EXPECT_EQ(s.nodes[11].id.text(), "node-12");
    EXPECT_EQ(s.zones.size(), 3U);
    EXPECT_EQ(s.racks.size(), 6U);
    EXPECT_EQ(s.nodes[0].zone.view(), "zone-a");
    EXPECT_EQ(s.nodes[1].zone.view(), "zone-b");
    EXPECT_EQ(s.nodes[3].zone.view(), "zone-a");
    EXPECT_EQ(s.nodes[3].rack.view(), "rack-a2");
}

TEST(WorldBuild, everything_is_placed_ready_and_not_newly_so) {
    const State s = state_of(shop("x", ""));
    for (const PodState& pod : s.pods) {
        EXPECT_EQ(pod.stage, Stage::serving);
        EXPECT_LT(pod.ready_at, -1'000'000);
        EXPECT_LT(pod.created, pod.ready_at);
    }
    for (const NodeState& node : s.nodes) EXPECT_LE(node.ready_since, -3'600'000);
}

TEST(WorldBuild, what_does_not_fit_waits_and_says_why) {
    Scenario scenario = bare_nodes(2);
    scenario.workloads.push_back(reserving("big", 3, 3'000));
    const State s = state_of(scenario);
    int waiting = 0;
    for (const PodState& pod : s.pods) {
        if (pod.stage != Stage::waiting) continue;
        ++waiting;
        EXPECT_TRUE(pod.causes.has(model::Cause::cpu));
    }
    EXPECT_EQ(waiting, 1);
}

TEST(WorldBuild, uids_differ_and_pods_are_found_by_them) {
    const State s = state_of(shop("x", ""));
    std::set<UidKey> uids;
    for (const NodeState& node : s.nodes) uids.insert(key(node.uid));
    for (const WorkState& work : s.works) uids.insert(key(work.uid));
    for (Index p = 0; p < s.pods.size(); ++p) {
        uids.insert(key(s.pods[p].uid));
        EXPECT_EQ(find_pod(s, s.pods[p].uid), p);
    }
    EXPECT_EQ(uids.size(), s.nodes.size() + s.works.size() + s.pods.size());
    EXPECT_EQ(find_pod(s, {1, 2}), kNone);
}

TEST(WorldBuild, a_selector_that_no_node_matches_is_deliberate) {
    Scenario scenario = bare_nodes(2);
    WorkloadSpec a = reserving("a", 1, 100);
    a.selector = "pool=general";
    WorkloadSpec b = reserving("b", 1, 100);
    b.selector = "slot=unavailable";
    scenario.workloads = {a, b};
    const State s = state_of(scenario);
    EXPECT_FALSE(s.works[0].deliberate);
    EXPECT_TRUE(s.works[1].deliberate);
}

TEST(WorldBuild, a_workload_takes_the_place_of_one_that_is_gone_under_another_uid) {
    State s = state_of(bare_nodes(1));
    const Index a = add_workload(s, reserving("a", 1, 100));
    const model::Uid before = s.works[a].uid;
    s.works[a].disruptions = 5;
    s.works[a].exists = false;
    const Index b = add_workload(s, reserving("a", 1, 100));
    EXPECT_EQ(a, b);
    EXPECT_NE(s.works[b].uid, before);
    EXPECT_EQ(s.works[b].disruptions, 0);
}

}  // namespace
}  // namespace parley::sim
