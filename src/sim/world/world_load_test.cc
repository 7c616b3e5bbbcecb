#include "sim/world/world_load.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::sim {
namespace {

Scenario one_service(double rate, std::int32_t replicas, std::int32_t nodes = 4) {
    Scenario s = bare_nodes(nodes);
    WorkloadSpec w = served("test", "web", replicas, rate);
    w.service->rate = {.base = rate};
    s.workloads.push_back(w);
    return s;
}

double total(const State& s) {
    const Flow& f = s.works[0].flow;
    return f.done_total + f.lost_total + f.queued - f.offered_total;
}

TEST(WorldLoad, offered_is_done_and_lost_and_queued) {
    // Overload, a failure, scaling and recovery on the way.
    Scenario scenario = one_service(150.0, 3);
    scenario.workloads[0].service->rate = {
        .kind = SeriesKind::points,
        .points = {{seconds(0), 40.0}, {seconds(200), 400.0}, {seconds(600), 20.0}}};
    scenario.script.push_back(
        {.kind = ScriptedKind::fail, .at = seconds(300), .target = "node-01"});
    World world = world_of(scenario);
    for (std::int64_t t = 7; t < 1500; t += 7) {
        world.advance(at_s(t));
        if (t == 420) {
            ASSERT_TRUE(world.apply(model::SetReplicas{deployment("web"), 6}, {}));
        }
        const auto c = *world.work_counters(deployment("web"));
        const double queued = world.truth().workloads[0].queued;
        EXPECT_GE(c.offered - c.done - c.lost, -3);
        EXPECT_LE(static_cast<double>(c.offered - c.done - c.lost) / 1000.0, 1000.1);
        EXPECT_GE(queued, 0.0);
    }
    const auto c = *world.work_counters(deployment("web"));
    EXPECT_GT(c.lost, 0);
    EXPECT_NEAR(static_cast<double>(c.offered), static_cast<double>(c.done + c.lost), 5.0);
}

TEST(WorldLoad, conservation_holds_to_rounding_in_the_state_itself) {
    State s = state_of(one_service(300.0, 2));
    for (int step = 0; step < 200; ++step) {
        step_load(s);
        const Ms next = s.next_step;
        s.now = next - 4'000;
        if (step % 5 == 0) touch(s, 0);
        settle_touched(s);
        s.now = next;
        const double scale = std::max(1.0, s.works[0].flow.offered_total);
        EXPECT_LT(std::fabs(total(s)) / scale, 1e-9) << step;
    }
}

TEST(WorldLoad, counters_never_fall_and_reading_them_changes_nothing) {
    World read = builtin_world("failing-node", 11);
    World quiet = read;
    model::WorkCounters before;
    model::NodeCounters node_before;
    for (std::int64_t t = 1; t < 1500; ++t) {
        read.advance(at_s(t));
        const auto c = *read.work_counters(deployment("web", "shop"));
        EXPECT_GE(c.offered, before.offered);
        EXPECT_GE(c.done, before.done);
        EXPECT_GE(c.lost, before.lost);
        EXPECT_GE(c.violating, before.violating);
        EXPECT_GE(c.service_ms, before.service_ms);
        EXPECT_GE(c.reserved_core_ms, before.reserved_core_ms);
        before = c;
        const auto n = *read.node_counters(node_id("node-02"));
        EXPECT_GE(n.energy_mj, node_before.energy_mj);
        EXPECT_GE(n.on_ms, node_before.on_ms);
        node_before = n;
    }
    quiet.advance(at_s(1499));
    EXPECT_EQ(read.fingerprint(), quiet.fingerprint());
    EXPECT_EQ(before, *quiet.work_counters(deployment("web", "shop")));
}

TEST(WorldLoad, reserved_and_service_time_are_exact) {
    World world = world_of(one_service(10.0, 3));
    world.advance(at_s(1000));
    const auto c = *world.work_counters(deployment("web"));
    EXPECT_EQ(c.service_ms, 3'000'000);
    EXPECT_EQ(c.reserved_core_ms, 3 * 500 * 1'000'000 / 1000);
    EXPECT_EQ(c.reserved_mib_ms, std::int64_t{3} * 512 * 1'000'000);
}

TEST(WorldLoad, nodes_use_what_their_pods_use_and_no_more) {
    World world = world_of(one_service(120.0, 4));
    world.advance(at_s(61));
    Watched seen;
    seen.look(world);
    double on_nodes = 0.0;
    for (const auto& sample : seen.batch.nodes) {
        if (sample.cpu_m && sample.source == model::Source::metrics) {
            on_nodes += *sample.cpu_m / 1000.0 - 0.06;
        }
    }
    double of_pods = 0.0;
    for (const auto& sample : seen.batch.workloads) {
        if (sample.cpu_m && sample.source == model::Source::metrics) {
            of_pods += static_cast<double>(sample.cpu_m->sum) / 1000.0;
        }
    }
    EXPECT_NEAR(on_nodes, of_pods, 0.15 * of_pods);
    EXPECT_NEAR(of_pods, 120.0 * 0.02, 0.5);
}

TEST(WorldLoad, a_lower_clock_means_higher_utilisation_and_less_power) {
    World normal = world_of(one_service(80.0, 4));
    World slow = normal;
    for (const char* name : {"node-01", "node-02", "node-03", "node-04"}) {
        ASSERT_TRUE(slow.apply(model::SetClock{node_id(name), 650'000}, {}));
    }
    normal.advance(at_s(300));
    slow.advance(at_s(300));
    EXPECT_GT(slow.truth().workloads[0].utilisation, 1.3 * normal.truth().workloads[0].utilisation);
    EXPECT_GT(slow.truth().workloads[0].latency_p95_s, normal.truth().workloads[0].latency_p95_s);
    EXPECT_NEAR(static_cast<double>(slow.work_counters(deployment("web"))->done),
                static_cast<double>(normal.work_counters(deployment("web"))->done), 1000.0);
    std::int64_t energy_normal = 0;
    std::int64_t energy_slow = 0;
    for (const char* name : {"node-01", "node-02", "node-03", "node-04"}) {
        energy_normal += normal.node_counters(node_id(name))->energy_mj;
        energy_slow += slow.node_counters(node_id(name))->energy_mj;
    }
    EXPECT_LT(energy_slow, energy_normal);
}

TEST(WorldLoad, an_idle_node_draws_eighty_watts_and_its_memory) {
    World world = world_of(bare_nodes(1));
    world.advance(at_s(100));
    const double watts =
        static_cast<double>(world.node_counters(node_id("node-01"))->energy_mj) / 1e5;
    EXPECT_NEAR(watts, 80.0 + 120.0 * 0.06 / 4.0 + 60.0 * 400.0 / 8192.0, 0.01);
}

TEST(WorldLoad, a_crowded_node_shares_its_cores_by_request) {
    Scenario s = bare_nodes(1);
    WorkloadSpec big = reserving("big", 1, 2'000);
    big.idle_cpu_m = 4'000;
    s.workloads.push_back(big);
    WorkloadSpec web = served("test", "web", 1, 60.0);
    web.pod.cpu_limit_m = 4'000;
    web.service->rate = {.base = 100.0};
    web.service->parallelism = 4.0;
    s.workloads.push_back(web);
    World crowded = world_of(s);
    s.workloads[0].idle_cpu_m = 10;
    World alone = world_of(s);
    crowded.advance(at_s(200));
    alone.advance(at_s(200));
    EXPECT_EQ(alone.work_counters(deployment("web"))->lost, 0);
    EXPECT_GT(crowded.work_counters(deployment("web"))->lost, 0);
}

TEST(WorldLoad, who_leaks_over_its_limit_is_killed_and_starts_again) {
    Scenario s = one_service(10.0, 2);
    s.workloads[0].pod.leak_mib_hour = 3'600.0;
    s.workloads[0].pod.memory_limit_mib = 1'024;
    World world = world_of(s);
    Watched seen;
    seen.look(world);
    for (std::int64_t t = 0; t < 3600; t += 30) {
        world.advance(at_s(t));
        seen.look(world);
    }
    EXPECT_GE(seen.restarts, 4);
    EXPECT_EQ(world.work_counters(deployment("web"))->disruptions, seen.restarts);
}

TEST(WorldLoad, arrivals_have_the_rate_of_their_series) {
    World world = world_of(one_service(50.0, 4));
    world.advance(at_s(3600));
    const auto c = *world.work_counters(deployment("web"));
    EXPECT_NEAR(static_cast<double>(c.offered) / 1000.0, 50.0 * 3600.0, 4.0 * std::sqrt(180'000.0));
}

}  // namespace
}  // namespace parley::sim
