#include "sim/scenario/mixed_scenario.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::sim {
namespace {

TEST(MixedScenario, every_seed_is_valid_and_another) {
    std::set<std::pair<std::int64_t, std::int32_t>> sizes;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Scenario s = mixed_scenario(seed);
        const auto valid = validate(s);
        ASSERT_TRUE(valid) << seed << ": " << valid.error().text();
        EXPECT_EQ(s, mixed_scenario(seed));
        EXPECT_GE(s.nodes[0].count, 12);
        EXPECT_LE(s.nodes[0].count, 36);
        sizes.insert({s.nodes[0].cpu_m, s.nodes[0].count});
    }
    EXPECT_GT(sizes.size(), 50U);
}

TEST(MixedScenario, nodes_fail_with_and_without_signs_and_signs_are_often_harmless) {
    int failures = 0;
    int sudden = 0;
    int harmless = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        World world = builtin_world("mixed", seed);
        for (std::int64_t t = 0; t <= 6 * 3600; t += 300) {
            world.advance(at_s(t));
            for (const NodeTruth& node : world.truth().nodes) harmless += node.harmless ? 1 : 0;
        }
        for (const NodeFailure& f : world.truth().failures) {
            ++failures;
            sudden += f.cause == FaultCause::sudden ? 1 : 0;
        }
    }
    EXPECT_GT(failures, 20);
    EXPECT_GT(sudden, failures / 5);
    EXPECT_LT(sudden, failures * 4 / 5);
    EXPECT_GT(harmless, 20);
}

}  // namespace
}  // namespace parley::sim
