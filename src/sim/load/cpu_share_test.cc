#include "sim/load/cpu_share.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::sim {
namespace {

TEST(NodePhi, slows_down_only_beyond_half_use_by_others) {
    EXPECT_EQ(node_phi(0.7, 2.0, 0.5, 0.0), 0.7);
    EXPECT_EQ(node_phi(0.7, 2.0, 0.0, 0.0), 0.7);
    EXPECT_DOUBLE_EQ(node_phi(1.0, 2.0, 0.75, 0.0), math::exp(-0.5));
    EXPECT_DOUBLE_EQ(node_phi(1.0, 0.0, 1.0, 2.0), math::exp(-0.1));
}

struct Case {
    const char* name;
    double cores;
    std::vector<CpuWant> wants;
    std::vector<double> shares;
};
const Case kCases[] = {
    {"empty", 4.0, {}, {}},
    {"wants_fit", 4.0, {{3.0, 1.0}, {1.0, 0.1}}, {4.0, 4.0}},
    {"by_request", 4.0, {{4.0, 1.0}, {4.0, 3.0}}, {1.0, 3.0}},
    {"the_content_leave_the_rest", 4.0, {{0.5, 1.0}, {4.0, 1.0}, {4.0, 1.0}}, {1.75, 1.75, 1.75}},
    {"two_passes", 6.0, {{1.0, 1.0}, {2.2, 1.0}, {9.0, 1.0}}, {2.8, 2.8, 2.8}},
    {"no_request_has_little_weight", 1.0, {{1.0, 0.0}, {1.0, 0.998}}, {0.002, 0.998}},
    {"never_more_than_the_node_has", 4.0, {{0.5, 100.0}, {9.0, 1.0}}, {4.0, 3.5}},
    {"no_cores", 0.0, {{1.0, 1.0}}, {0.0}},
};

TEST(WaterFill, shares_the_cores_of_a_node) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        std::vector<double> shares(c.wants.size());
        water_fill(c.cores, c.wants, shares);
        for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_NEAR(shares[i], c.shares[i], 1e-12);
    }
}

TEST(WaterFill, uses_up_the_cores_and_leaves_no_one_short_while_another_has_more_by_weight) {
    for (std::uint64_t run = 0; run < 500; ++run) {
        const auto u = [&](std::uint64_t n) { return draw(9, Stream::jitter, run, n); };
        std::vector<CpuWant> wants(1 + run % 40);
        double wanted = 0.0;
        for (std::size_t i = 0; i < wants.size(); ++i) {
            wants[i] = {random::log_uniform(u(2 * i), 0.01, 4.0),
                        random::log_uniform(u(2 * i + 1), 0.01, 4.0)};
            wanted += wants[i].want_cores;
        }
        const double cores = wanted * random::uniform(u(999), 0.1, 1.2);
        std::vector<double> shares(wants.size());
        water_fill(cores, wants, shares);
        double used = 0.0;
        for (std::size_t i = 0; i < wants.size(); ++i) {
            used += std::min(wants[i].want_cores, shares[i]);
        }
        ASSERT_NEAR(used, std::min(cores, wanted), 1e-9 * wanted) << run;
    }
}

}  // namespace
}  // namespace parley::sim
