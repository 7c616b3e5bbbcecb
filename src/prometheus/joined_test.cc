#include "prometheus/joined.h"

#include "cluster/usage.h"

#include <gtest/gtest.h>

namespace parley::prometheus {
namespace {

TEST(Joined, sums_up_use_by_nearest_rank) {
    const model::Usage usage = cluster::usage_over({5, 1, 4, 2, 3, 6, 7, 8, 9, 10}, 2);
    EXPECT_EQ(usage,
              (model::Usage{.sum = 55, .p50 = 5, .p90 = 9, .max = 10, .count = 10, .missing = 2}));
    EXPECT_EQ(cluster::usage_over({7}, 0),
              (model::Usage{.sum = 7, .p50 = 7, .p90 = 7, .max = 7, .count = 1}));
    EXPECT_EQ(cluster::usage_over({}, 3), (model::Usage{.missing = 3}));
}

TEST(Joined, puts_each_figure_in_its_place) {
    cluster::NodeSample node;
    put(node, Figure::node_cpu, 1);
    put(node, Figure::node_memory, 2);
    put(node, Figure::node_disk, 3);
    put(node, Figure::node_network, 4);
    put(node, Figure::node_power, 5);
    put(node, Figure::requests, 6);
    EXPECT_EQ(node.cpu_m, 1000);
    EXPECT_EQ(node.memory_bytes, 2);
    EXPECT_EQ(node.disk_share, 3);
    EXPECT_EQ(node.net_share, 4);
    EXPECT_EQ(node.power_w, 5);

    cluster::WorkloadSample work;
    put(work, Figure::requests, 1);
    put(work, Figure::latency_p95, 2);
    put(work, Figure::startup_p95, 3);
    put(work, Figure::cpu, 0.25);
    put(work, Figure::memory, 1000);
    put(work, Figure::node_cpu, 9);
    EXPECT_EQ(work.requests_per_s, 1);
    EXPECT_EQ(work.latency_p95_s, 2);
    EXPECT_EQ(work.startup_p95_s, 3);
    EXPECT_EQ(work.cpu_m->sum, 250);
    EXPECT_EQ(work.memory->sum, 1000);
}

TEST(Joined, folds_pods_by_what_the_figure_is) {
    cluster::WorkloadSample work;
    std::vector<double> twenty;
    for (int i = 20; i > 0; --i) twenty.push_back(i);
    put(work, Figure::startup_p95, twenty, 1);
    put(work, Figure::latency_p95, twenty, 1);
    put(work, Figure::requests, twenty, 0);
    put(work, Figure::failing, {1, 2}, 0);
    put(work, Figure::cpu, twenty, 4);
    EXPECT_EQ(work.startup_p95_s, 19);
    EXPECT_EQ(work.latency_p95_s, 20);
    EXPECT_EQ(work.requests_per_s, 210);
    EXPECT_EQ(work.failing_per_s, 3);
    EXPECT_EQ(work.cpu_m->sum, 210'000);
    EXPECT_EQ(work.cpu_m->missing, 4);
    put(work, Figure::memory, {}, 4);
    EXPECT_FALSE(work.memory);
}

TEST(Joined, says_what_people_should_know) {
    Joined joined{.nodes_known = 15};
    joined.covered = {15, 15, 12, 0, 15};
    EXPECT_EQ(joined.remarks(), "disk of 12 of 15 nodes") << "no network at all is a choice";
    joined.covered = {12, 0, 15, 15, 15};
    EXPECT_EQ(joined.remarks(), "cpu of 12 of 15 nodes; memory of 0 of 15 nodes");
    joined.covered = {15, 15, 15, 15, 15};
    EXPECT_EQ(joined.remarks(), "");
    joined.undated = {3, "cpu of a"};
    EXPECT_EQ(joined.remarks(), "3 series have no age, such as cpu of a");
}

}  // namespace
}  // namespace parley::prometheus
