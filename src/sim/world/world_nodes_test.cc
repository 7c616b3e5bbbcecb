#include "sim/world/world_nodes.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

using model::Readiness;

/// Six nodes, three replicas and a set of three; node-01 fails at 100 s for 20 min.
Scenario failing() {
    Scenario s = bare_nodes(6);
    s.workloads.push_back(reserving("web", 6, 500));
    WorkloadSpec set = reserving("db", 6, 500);
    set.kind = model::WorkloadKind::stateful_set;
    s.workloads.push_back(set);
    s.script.push_back({.kind = ScriptedKind::fail,
                        .at = seconds(100),
                        .target = "node-01",
                        .repair = minutes(20)});
    return s;
}

std::size_t on_node(const Watched& seen, const std::string& work, const std::string& node) {
    std::size_t count = 0;
    for (const auto& pod : seen.of(work)) count += pod.node == seen.node(node).uid ? 1U : 0U;
    return count;
}

TEST(WorldNodes, leases_are_renewed_every_ten_seconds) {
    NodeState node;
    node.lease_phase = 3'000;
    EXPECT_EQ(lease_of(node, 3'000), 3'000);
    EXPECT_EQ(lease_of(node, 12'999), 3'000);
    EXPECT_EQ(lease_of(node, 13'000), 13'000);
    EXPECT_EQ(lease_of(node, 0), -7'000);
}

TEST(WorldNodes, a_failed_node_is_noticed_after_forty_to_fifty_seconds) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        World world = world_of(failing(), seed);
        Watched seen;
        std::int64_t noticed = 0;
        for (std::int64_t t = 99; t < 170 && noticed == 0; ++t) {
            world.advance(at_s(t));
            seen.look(world);
            if (seen.node("node-01").ready == Readiness::unknown) noticed = t;
        }
        // The last renewal was up to 10 s before the failure.
        EXPECT_GE(noticed, 100 + 30);
        EXPECT_LE(noticed, 100 + 51);
        EXPECT_GE(in_seconds(at_s(noticed) - *seen.node("node-01").lease.value()), 39.9);
    }
}

TEST(WorldNodes, its_pods_are_lost_at_once_shown_later_and_replaced_after_the_toleration) {
    World world = world_of(failing());
    Watched seen;
    seen.look(world);
    const std::size_t web = on_node(seen, "web", "node-01");
    const std::size_t db = on_node(seen, "db", "node-01");
    ASSERT_GT(web, 0U);
    ASSERT_GT(db, 0U);
    world.advance(at_s(101));
    seen.look(world);
    EXPECT_EQ(world.truth().workloads[0].serving, 6 - static_cast<std::int32_t>(web));
    EXPECT_EQ(seen.ready("web"), 6);
    world.advance(at_s(160));
    seen.look(world);
    EXPECT_EQ(seen.ready("web"), 6 - static_cast<std::int32_t>(web));
    EXPECT_EQ(seen.of("web").size(), 6U);
    world.advance(at_s(480));
    seen.look(world);
    EXPECT_EQ(seen.ready("web"), 6) << "replaced elsewhere";
    EXPECT_EQ(seen.of("web").size(), 6 + web) << "the old ones stay, terminating";
    EXPECT_EQ(seen.ready("db"), 6 - static_cast<std::int32_t>(db)) << "a set waits for its number";
    world.advance(at_s(100 + 1260));
    seen.look(world);
    EXPECT_EQ(seen.node("node-01").ready, Readiness::yes);
    EXPECT_EQ(seen.of("web").size(), 6U);
    EXPECT_EQ(seen.ready("db"), 6);
    EXPECT_EQ(world.work_counters(deployment("web"))->disruptions, static_cast<std::int64_t>(web));
}

TEST(WorldNodes, a_node_that_is_back_before_the_toleration_starts_its_pods_again) {
    Scenario s = failing();
    s.script[0].repair = minutes(3);
    World world = world_of(s);
    Watched seen;
    seen.look(world);
    const std::size_t web = on_node(seen, "web", "node-01");
    world.advance(at_s(400));
    seen.look(world);
    EXPECT_EQ(seen.ready("web"), 6);
    EXPECT_EQ(on_node(seen, "web", "node-01"), web);
    EXPECT_EQ(static_cast<std::size_t>(seen.restarts), web + on_node(seen, "db", "node-01"));
}

TEST(WorldNodes, requests_to_a_dead_node_are_lost_until_it_is_noticed) {
    Scenario s = bare_nodes(4);
    WorkloadSpec web = served("test", "web", 4, 40.0);
    web.service->rate = {.base = 40.0};
    s.workloads.push_back(web);
    s.script.push_back({.kind = ScriptedKind::fail, .at = seconds(100), .target = "node-01"});
    World world = world_of(s);
    world.advance(at_s(100));
    const auto before = *world.work_counters(deployment("web"));
    world.advance(at_s(300));
    const auto after = *world.work_counters(deployment("web"));
    // A quarter of 40 per second for 30 to 50 seconds.
    EXPECT_GT(after.lost - before.lost, 250'000);
    EXPECT_LT(after.lost - before.lost, 560'000);
}

TEST(WorldNodes, sleeps_only_when_emptied_and_takes_its_time_to_wake) {
    Scenario s = bare_nodes(3);
    s.workloads.push_back(reserving("web", 1, 500));
    World world = world_of(s);
    Watched seen;
    seen.look(world);
    const auto pod = seen.of("web").at(0);
    std::string busy;
    std::string empty;
    for (const auto& [uid, node] : seen.nodes)
        (node.uid == pod.node ? busy : empty) = node.id.text();
    const auto refused = world.apply(model::SetPower{node_id(busy), model::PowerWish::sleep}, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::denied);
    ASSERT_TRUE(world.apply(model::SetPower{node_id(empty), model::PowerWish::sleep}, {}));
    world.advance(at_s(100));
    seen.look(world);
    EXPECT_EQ(seen.node(empty).power, model::Power::sleep);
    EXPECT_EQ(seen.node(empty).ready, Readiness::no);
    const auto asleep = *world.node_counters(node_id(empty));
    EXPECT_NEAR(static_cast<double>(asleep.energy_mj), 8.0 * 100'000.0, 1.0);
    EXPECT_EQ(asleep.on_ms, 0);
    ASSERT_TRUE(world.apply(model::SetPower{node_id(empty), model::PowerWish::on}, {}));
    world.advance(at_s(219));
    seen.look(world);
    EXPECT_EQ(seen.node(empty).power, model::Power::booting);
    world.advance(at_s(221));
    seen.look(world);
    EXPECT_EQ(seen.node(empty).power, model::Power::on);
    EXPECT_EQ(seen.node(empty).ready, Readiness::yes);
}

TEST(WorldNodes, daemons_sleep_and_wake_with_their_node_and_do_not_count_as_disrupted) {
    Scenario s = bare_nodes(2);
    s.workloads = {system_daemons()[0]};
    World world = world_of(s);
    Watched seen;
    ASSERT_TRUE(world.apply(model::SetPower{node_id("node-02"), model::PowerWish::off}, {}));
    world.advance(at_s(60));
    seen.look(world);
    EXPECT_EQ(seen.ready("kube-proxy"), 1);
    ASSERT_TRUE(world.apply(model::SetPower{node_id("node-02"), model::PowerWish::on}, {}));
    world.advance(at_s(300));
    seen.look(world);
    EXPECT_EQ(seen.ready("kube-proxy"), 2);
    const model::WorkloadId id{Name::of("kube-system"), model::WorkloadKind::daemon_set,
                               Name::of("kube-proxy")};
    EXPECT_EQ(world.work_counters(id)->disruptions, 0);
    EXPECT_EQ(seen.restarts, 0);
}

}  // namespace
}  // namespace parley::sim
