#include "sim/scenario/scenario_parts.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

TEST(ScenarioParts, a_shop_is_valid_and_everything_in_it_is_placed) {
    World world = world_of(shop("x", "y"));
    Watched seen;
    seen.look(world);
    EXPECT_EQ(seen.nodes.size(), 12U);
    EXPECT_EQ(seen.pods.size(), 43U);
    for (const auto& [uid, pod] : seen.pods) EXPECT_TRUE(pod.row.ready);
}

TEST(ScenarioParts, pods_of_any_node_of_a_shop_fit_elsewhere_with_a_tenth_to_spare) {
    const State s = state_of(shop("x", "y"));
    for (const NodeState& node : s.nodes) {
        std::int64_t cpu_free = 0;
        std::int64_t memory_free = 0;
        for (const NodeState& other : s.nodes) {
            if (other.id == node.id) continue;
            cpu_free += other.cpu_m * 9 / 10 - other.cpu_requested_m;
            memory_free += other.memory / 10 * 9 - other.memory_requested;
        }
        EXPECT_GT(cpu_free, node.cpu_requested_m) << node.id.text();
        EXPECT_GT(memory_free, node.memory_requested) << node.id.text();
    }
}

TEST(ScenarioParts, replicas_are_spread_over_zones) {
    const State s = state_of(shop("x", "y"));
    for (const WorkState& work : s.works) {
        if (work.id.name.view() != "web" && work.id.name.view() != "db") continue;
        EXPECT_EQ(work.in_zone[0], work.in_zone[1]) << work.id.text();
        EXPECT_EQ(work.in_zone[1], work.in_zone[2]) << work.id.text();
    }
}

}  // namespace
}  // namespace parley::sim
