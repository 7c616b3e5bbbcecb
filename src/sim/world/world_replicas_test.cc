#include "sim/world/world_replicas.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

State with(std::int32_t replicas, std::int32_t budget_min = -1, std::int32_t budget_max = -1) {
    Scenario s = bare_nodes(4);
    WorkloadSpec w = reserving("web", replicas, 500);
    w.budget_min_available = budget_min;
    w.budget_max_unavailable = budget_max;
    s.workloads.push_back(w);
    return state_of(s);
}

struct Case {
    const char* name;
    std::function<void(PodState& gone, PodState& kept)> differ;
};

// Each says why the first of two pods is deleted; earlier ones outweigh later ones.
const Case kCases[] = {
    {"not_placed", [](PodState& a, PodState& b) { a.node = kNone, b.shown_ready = false; }},
    {"not_ready", [](PodState& a, PodState& b) { a.shown_ready = false, b.deletion_cost = -100; }},
    {"lower_cost", [](PodState& a, PodState& b) { a.deletion_cost = -1, b.restarts = 9; }},
    {"more_restarts", [](PodState& a, PodState& b) { a.restarts = 1, a.serial = 1, b.serial = 2; }},
    {"younger", [](PodState& a, PodState& b) { a.serial = 2, b.serial = 1; }},
};

TEST(Replicas, are_deleted_in_kubernetes_order) {
    for (const Case& c : kCases) {
        State s = with(2);
        c.differ(s.pods[0], s.pods[1]);
        EXPECT_TRUE(deleted_before(s, 0, 1)) << c.name;
        EXPECT_FALSE(deleted_before(s, 1, 0)) << c.name;
    }
}

TEST(Replicas, who_shares_a_node_with_more_of_its_kind_goes_first) {
    State s = with(5);  // On four nodes: one has two.
    Index crowded = kNone;
    for (Index p = 0; p < 5; ++p) {
        for (Index q = 0; q < 5; ++q) {
            if (p != q && s.pods[p].node == s.pods[q].node) crowded = p;
        }
    }
    ASSERT_NE(crowded, kNone);
    const Index n = s.pods[crowded].node;
    set_wanted(s, 0, 4);
    int left = 0;
    for (const Index p : s.works[0].pods) {
        left += s.pods[p].node == n && s.pods[p].stage == Stage::serving ? 1 : 0;
    }
    EXPECT_EQ(left, 1);
}

TEST(Replicas, a_negative_cost_sends_the_pods_of_a_risky_node_when_scaling_back) {
    Scenario scenario = bare_nodes(4);
    scenario.workloads.push_back(reserving("web", 4, 500));
    World world = world_of(scenario);
    Watched seen;
    seen.look(world);
    const auto risky = seen.of("web").at(0);
    const model::NodeId node = seen.nodes.at(key(risky.node)).id;
    ASSERT_TRUE(world.apply(model::SetTaint{node, model::Taint::no_schedule}, {}));
    ASSERT_TRUE(world.apply(model::SetReplicas{deployment("web"), 5}, {}));
    world.advance(at_s(60));
    seen.look(world);
    ASSERT_EQ(seen.ready("web"), 5);
    ASSERT_TRUE(world.apply(model::SetDeletionCost{risky.row.uid, "x", -100}, {}));
    ASSERT_TRUE(world.apply(model::SetReplicas{deployment("web"), 4}, {}));
    world.advance(at_s(120));
    seen.look(world);
    EXPECT_EQ(seen.ready("web"), 4);
    EXPECT_FALSE(seen.pods.contains(key(risky.row.uid)));
}

struct Budget {
    const char* name;
    std::int32_t min, max, unready, allowed;
};

// Four replicas.
const Budget kBudgets[] = {
    {"none", -1, -1, 0, 4},          {"min_3", 3, -1, 0, 1},
    {"min_3_one_down", 3, -1, 1, 0}, {"min_4", 4, -1, 0, 0},
    {"max_1", -1, 1, 0, 1},          {"max_1_one_down", -1, 1, 1, 0},
    {"max_2_one_down", -1, 2, 1, 1}, {"max_1_two_down", -1, 1, 2, 0},
    {"the_stricter", 2, 1, 0, 1},
};

TEST(Replicas, budgets_allow_what_they_say) {
    for (const Budget& b : kBudgets) {
        State s = with(4, b.min, b.max);
        for (Index p = 0; p < static_cast<Index>(b.unready); ++p) s.pods[p].shown_ready = false;
        EXPECT_EQ(disruptions_allowed(s, 0), b.allowed) << b.name;
    }
}

TEST(Replicas, a_daemon_set_has_one_pod_on_every_node) {
    Scenario s = bare_nodes(5);
    s.workloads = {system_daemons()[0]};
    World world = world_of(s);
    Watched seen;
    seen.look(world);
    EXPECT_EQ(seen.pods.size(), 5U);
    ASSERT_TRUE(world.apply(model::EvictPod{seen.of("kube-proxy").at(2).row.uid, "x"}, {}));
    world.advance(at_s(60));
    seen.look(world);
    EXPECT_EQ(seen.ready("kube-proxy"), 5);
}

TEST(Replicas, a_set_replaces_a_pod_only_after_it_is_gone_and_keeps_its_number) {
    Scenario scenario = bare_nodes(4);
    WorkloadSpec set = reserving("db", 3, 500);
    set.kind = model::WorkloadKind::stateful_set;
    scenario.workloads.push_back(set);
    World world = world_of(scenario);
    Watched seen;
    seen.look(world);
    cluster::PodChange first;
    for (const auto& pod : seen.of("db")) {
        if (pod.row.name.text() == "db-1") first = pod;
    }
    ASSERT_TRUE(world.apply(model::EvictPod{first.row.uid, "db-1"}, {}));
    seen.look(world);
    EXPECT_EQ(seen.of("db").size(), 3U);
    world.advance(at_s(60));
    seen.look(world);
    EXPECT_EQ(seen.ready("db"), 3);
    int found = 0;
    for (const auto& pod : seen.of("db")) {
        found += pod.row.name.text() == "db-1" && pod.row.uid != first.row.uid ? 1 : 0;
    }
    EXPECT_EQ(found, 1);
}

TEST(Replicas, deleting_a_workload_takes_its_pods_with_it) {
    State s = with(3);
    delete_workload(s, 0);
    EXPECT_FALSE(s.works[0].exists);
    EXPECT_TRUE(s.works[0].pods.empty());
    for (const NodeState& node : s.nodes) EXPECT_TRUE(node.pods.empty());
}

}  // namespace
}  // namespace parley::sim
