#include "sim/world/world_pods.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

State with_pods(std::int32_t replicas) {
    Scenario s = bare_nodes(3);
    s.workloads.push_back(reserving("web", replicas, 500));
    State state = state_of(s);
    state.now = 1'000'000;
    return state;
}

/// Recomputes every sum over pods.
void expect_sums(const State& s) {
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const NodeState& node = s.nodes[n];
        std::int64_t cpu = 0;
        std::int64_t memory = 0;
        Index active = 0;
        for (Index i = 0; i < node.pods.size(); ++i) {
            const PodState& pod = s.pods[node.pods[i]];
            EXPECT_EQ(pod.node, n);
            EXPECT_EQ(pod.in_node, i);
            EXPECT_EQ(node.works[i], pod.work);
            EXPECT_EQ(i < node.active, serves(pod));
            cpu += pod.cpu_request_m;
            memory += pod.memory_request;
            active += serves(pod) ? 1 : 0;
        }
        EXPECT_EQ(node.cpu_requested_m, cpu);
        EXPECT_EQ(node.memory_requested, memory);
        EXPECT_EQ(node.active, active);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        const WorkState& work = s.works[w];
        std::int32_t serving = 0, counted = 0, bound = 0;
        std::int64_t reserved = 0;
        for (Index i = 0; i < work.pods.size(); ++i) {
            const PodState& pod = s.pods[work.pods[i]];
            EXPECT_EQ(pod.in_work, i);
            serving += serves(pod) ? 1 : 0;
            counted += pod.counted ? 1 : 0;
            bound += pod.node != kNone ? 1 : 0;
            reserved += pod.node != kNone ? pod.cpu_request_m : 0;
        }
        EXPECT_EQ(work.serving, serving);
        EXPECT_EQ(work.short_pods, counted);
        EXPECT_EQ(work.reserved_m, reserved);
        std::int32_t zones = 0;
        for (const std::int32_t in_zone : work.in_zone) zones += in_zone;
        EXPECT_EQ(zones, bound);
    }
}

TEST(WorldPods, sums_stay_right_through_a_life) {
    State s = with_pods(4);
    expect_sums(s);
    kill_container(s, 1);
    expect_sums(s);
    EXPECT_EQ(s.pods[1].stage, Stage::crashed);
    EXPECT_EQ(s.pods[1].restarts, 1);
    pod_event(s, 1);
    EXPECT_EQ(s.pods[1].stage, Stage::starting);
    expect_sums(s);
    pod_event(s, 1);
    EXPECT_EQ(s.pods[1].stage, Stage::serving);
    terminate_pod(s, 2, true);
    EXPECT_EQ(s.pods[2].stage, Stage::terminating);
    expect_sums(s);
    pod_event(s, 2);
    EXPECT_EQ(s.pods[2].stage, Stage::free);
    expect_sums(s);
    set_reachable(s, 0, false);
    expect_sums(s);
    remove_pod(s, 0);
    expect_sums(s);
    const Index again = create_pod(s, 0);
    EXPECT_LE(again, 6U);
    expect_sums(s);
}

TEST(WorldPods, sums_stay_right_through_an_eventful_hour) {
    for (const char* name : {"failing-node", "rack-down", "batch-queue", "mixed"}) {
        const auto scenario = std::make_shared<const Scenario>(*builtin_scenario(name, 5));
        World world(scenario, 5);
        world.advance(at_s(3600));
        // The state is internal; its reports must agree with each other.
        Watched seen;
        seen.look(world);
        for (const auto& [uid, node] : seen.nodes) {
            std::int64_t cpu = 0;
            for (const auto& [pod_uid, pod] : seen.pods) {
                if (pod.node == node.uid) cpu += pod.row.cpu_request_m;
            }
            EXPECT_EQ(cpu, node.cpu_requested_m) << name << " " << node.id.text();
            EXPECT_LE(node.cpu_requested_m, node.cpu_allocatable_m);
        }
    }
}

TEST(WorldPods, kills_in_a_row_pause_longer_and_longer) {
    State s = with_pods(1);
    std::vector<Ms> pauses;
    for (int i = 0; i < 7; ++i) {
        kill_container(s, 0);
        while (s.queue.top().kind() != EventKind::pod ||
               s.queue.top().generation != s.pods[0].generation) {
            s.queue.pop();
        }
        pauses.push_back(s.queue.top().at - s.now);
        s.now = s.queue.pop().at;
        pod_event(s, 0);
        pod_event(s, 0);
    }
    EXPECT_EQ(pauses, (std::vector<Ms>{10'000, 20'000, 40'000, 80'000, 160'000, 300'000, 300'000}));
    EXPECT_EQ(s.pods[0].restarts, 7);
    EXPECT_EQ(s.works[0].disruptions, 7);
}

TEST(WorldPods, a_slot_given_again_has_another_uid) {
    State s = with_pods(1);
    const model::Uid before = s.pods[0].uid;
    remove_pod(s, 0);
    EXPECT_EQ(find_pod(s, before), kNone);
    const Index p = s.works[0].pods[0];
    EXPECT_EQ(p, 0U);
    EXPECT_NE(s.pods[0].uid, before);
    EXPECT_EQ(find_pod(s, s.pods[0].uid), 0U);
}

TEST(WorldPods, names_are_a_stem_and_a_short_tail_and_sets_are_numbered) {
    Scenario scenario = bare_nodes(3);
    scenario.workloads.push_back(reserving("web", 1, 100));
    WorkloadSpec set = reserving("db", 3, 100);
    set.kind = model::WorkloadKind::stateful_set;
    scenario.workloads.push_back(set);
    World world = world_of(scenario);
    Watched seen;
    seen.look(world);
    const std::string web = seen.of("web").at(0).row.name.text();
    EXPECT_EQ(web.substr(0, 4), "web-");
    EXPECT_EQ(web.size(), 4 + 6 + 1 + 5U);
    std::set<std::string> names;
    for (const auto& pod : seen.of("db")) names.insert(pod.row.name.text());
    EXPECT_EQ(names, (std::set<std::string>{"db-0", "db-1", "db-2"}));
}

TEST(WorldPods, the_second_start_on_a_node_needs_no_pull) {
    Scenario scenario = bare_nodes(1);
    WorkloadSpec w = reserving("web", 1, 100);
    w.pod.image_mb = 12'500.0;  // Ten seconds.
    scenario.workloads.push_back(w);
    scenario.workloads.push_back(reserving("other", 0, 100));
    scenario.workloads[1].pod.image_mb = 12'500.0;
    World world = world_of(scenario);
    Watched seen;
    ASSERT_TRUE(world.apply(model::SetReplicas{deployment("web"), 2}, {}));
    ASSERT_TRUE(world.apply(model::SetReplicas{deployment("other"), 1}, {}));
    world.advance(at_s(9));
    seen.look(world);
    EXPECT_EQ(seen.ready("web"), 2);
    EXPECT_EQ(seen.ready("other"), 0);
    world.advance(at_s(25));
    seen.look(world);
    EXPECT_EQ(seen.ready("other"), 1);
}

}  // namespace
}  // namespace parley::sim
