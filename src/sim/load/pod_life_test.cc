#include "sim/load/pod_life.h"

#include "base/math.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

const PodNature kNature{.startup_core_s = 3.0,
                        .image_bytes = 100e6,
                        .probe_period_s = 2.0,
                        .warmup_peak = 3.0,
                        .warmup_s = 60.0,
                        .memory_base_bytes = 1000.0,
                        .memory_per_request_bytes = 10.0,
                        .memory_leak_bytes_per_s = 2.0,
                        .memory_sigma = 0.1};

TEST(PodLife, start_up_is_bind_pull_work_and_probe) {
    const StartPlace place{.bind_s = 0.5, .bandwidth_bytes_per_s = 50e6, .cpu_cores = 0.5};
    EXPECT_DOUBLE_EQ(startup_s(kNature, place), 0.5 + 2.0 + 6.0 + 2.0);
    EXPECT_DOUBLE_EQ(startup_s(kNature, {.bind_s = 0.5, .image_cached = true, .cpu_cores = 0.5}),
                     0.5 + 6.0 + 2.0);
    // It has one thread: more cores do not help.
    EXPECT_DOUBLE_EQ(startup_s(kNature, {.image_cached = true, .cpu_cores = 4.0}), 3.0 + 2.0);
}

TEST(PodLife, a_fresh_pod_costs_more_and_warms_up) {
    EXPECT_DOUBLE_EQ(warmup_factor(kNature, 0.0), 3.0);
    EXPECT_DOUBLE_EQ(warmup_factor(kNature, 60.0), 1.0 + 2.0 * math::exp(-1.0));
    EXPECT_EQ(warmup_factor(kNature, 1e6), 1.0);
}

TEST(PodLife, memory_grows_with_requests_and_age) {
    EXPECT_DOUBLE_EQ(memory_bytes(kNature, 0.0, 0.0, 0.0), 1000.0);
    EXPECT_DOUBLE_EQ(memory_bytes(kNature, 7.0, 100.0, 0.0), 1270.0);
    EXPECT_DOUBLE_EQ(memory_bytes(kNature, 0.0, 0.0, 1.0), 1000.0 * math::exp(0.1));
}

TEST(PodLife, memory_pressure_starts_at_80_percent_of_the_limit) {
    EXPECT_EQ(memory_pressure_factor(2.0, 0.0), 1.0);
    EXPECT_EQ(memory_pressure_factor(2.0, 0.8), 1.0);
    EXPECT_GT(memory_pressure_factor(2.0, 0.801), 1.0);
    EXPECT_DOUBLE_EQ(memory_pressure_factor(2.0, 0.9), 2.0);
    EXPECT_DOUBLE_EQ(memory_pressure_factor(2.0, 1.0), 3.0);
}

TEST(PodLife, only_more_than_the_limit_is_out_of_memory) {
    EXPECT_FALSE(out_of_memory(100.0, 100.0));
    EXPECT_TRUE(out_of_memory(100.1, 100.0));
    EXPECT_FALSE(out_of_memory(1e12, 0.0));
}

TEST(PodLife, restarts_pause_longer_and_longer_until_forgiven) {
    const double pauses[] = {10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0};
    for (int i = 0; i < 7; ++i) EXPECT_EQ(restart_pause_s(i + 1), pauses[i]);
    EXPECT_EQ(restart_pause_s(1'000'000), 300.0);
    EXPECT_EQ(kills_in_a_row(0, 5.0), 1);
    EXPECT_EQ(kills_in_a_row(3, 599.999), 4);
    EXPECT_EQ(kills_in_a_row(3, 600.0), 1);
}

TEST(PodLife, a_resize_takes_one_to_five_seconds) {
    EXPECT_EQ(resize_s(0.0), 1.0);
    EXPECT_EQ(resize_s(0.5), 3.0);
}

}  // namespace
}  // namespace parley::sim
