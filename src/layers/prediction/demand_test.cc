#include "layers/prediction/demand.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

namespace parley::prediction {
namespace {

using namespace kit;
using model::Signal;

constexpr Duration kLimit = seconds(60);

model::NodeForecast demand_of(const model::NodeRow& row) {
    model::NodeForecast forecast;
    set_demand(row, model::utilisation_of(row, kNow, kLimit), forecast);
    return forecast;
}

TEST(Demand, is_what_is_used_where_that_is_fresh) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_requested_m = 9'000;
    row.memory_requested = 90;
    row.cpu_used_m = read<std::int64_t>(2'000, kLimit);
    row.memory_used = read<std::int64_t>(40, kLimit);
    const model::NodeForecast forecast = demand_of(row);
    ASSERT_TRUE(forecast.demand);
    EXPECT_DOUBLE_EQ(*forecast.demand, 0.55 * 0.2 + 0.35 * 0.4);
    EXPECT_EQ(forecast.missing, model::SignalSet{});
}

TEST(Demand, is_what_was_asked_for_where_use_is_old_and_says_so) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_requested_m = 9'000;
    row.memory_requested = 90;
    row.cpu_used_m = read<std::int64_t>(2'000, kLimit + microseconds(1));
    row.memory_used = read<std::int64_t>(40);
    const model::NodeForecast forecast = demand_of(row);
    ASSERT_TRUE(forecast.demand);
    EXPECT_DOUBLE_EQ(*forecast.demand, 0.55 * 0.9 + 0.35 * 0.4);
    EXPECT_TRUE(forecast.missing.has(Signal::cpu));
    EXPECT_FALSE(forecast.missing.has(Signal::memory));
}

TEST(Demand, is_unknown_without_capacity) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_allocatable_m = 0;
    row.cpu_used_m = read<std::int64_t>(2'000);
    row.memory_used = read<std::int64_t>(40);
    EXPECT_FALSE(demand_of(row).demand);
}

TEST(Demand, use_above_what_is_allocatable_counts_as_full) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_used_m = read<std::int64_t>(12'000);
    row.memory_used = read<std::int64_t>(120);
    EXPECT_DOUBLE_EQ(*demand_of(row).demand, 0.55 + 0.35);
}

TEST(Demand, a_node_that_is_powered_down_has_none_and_misses_nothing) {
    for (const auto power : {model::Power::sleep, model::Power::off, model::Power::booting}) {
        model::NodeRow row = node("node-01", 1);
        row.power = power;
        EXPECT_FALSE(demand_of(row).demand);
        EXPECT_EQ(demand_of(row).missing, model::SignalSet{});
    }
}

TEST(Demand, of_a_workload_persists_and_fills_missing_pods_with_the_mean) {
    model::WorkloadRow row = workload("web", 4);
    EXPECT_FALSE(workload_demand(row, kNow, kLimit));
    row.cpu_used_m = read(model::Usage{.sum = 3'000, .count = 3, .missing = 0});
    EXPECT_DOUBLE_EQ(*workload_demand(row, kNow, kLimit), 3'000);
    row.cpu_used_m = read(model::Usage{.sum = 3'000, .count = 3, .missing = 1});
    EXPECT_DOUBLE_EQ(*workload_demand(row, kNow, kLimit), 4'000);
    row.cpu_used_m = read(model::Usage{.sum = 0, .count = 0, .missing = 4});
    EXPECT_FALSE(workload_demand(row, kNow, kLimit));
    row.cpu_used_m = read(model::Usage{.sum = 3'000, .count = 3}, kLimit + microseconds(1));
    EXPECT_FALSE(workload_demand(row, kNow, kLimit));
    row.cpu_used_m = gap<model::Usage>(model::Gap::implausible);
    EXPECT_FALSE(workload_demand(row, kNow, kLimit));
}

TEST(Demand, lists_every_workload_by_slot) {
    model::RoundInput in = input();
    in.snapshot.workloads.put(2, workload("web", 1));
    in.snapshot.workloads.put(0, workload("cart", 1));
    const auto all = workload_demands(in.snapshot, kNow, kLimit);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].workload, 0U);
    EXPECT_EQ(all[1].workload, 2U);
}

}  // namespace
}  // namespace parley::prediction
