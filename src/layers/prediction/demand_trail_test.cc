#include "layers/prediction/demand_trail.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

namespace parley::prediction {
namespace {

using namespace kit;
using model::DemandOf;

const model::Policy kPolicy;

/// One node that uses as much CPU as told, and no memory, in rounds 20 s apart.
struct Watched {
    model::DemandMemory memory;
    Closed closed;

    void see(TimePoint at, std::optional<std::int64_t> cpu_m, std::uint64_t uid = 1) {
        model::RoundInput in = input();
        in.now = at;
        model::NodeRow row = node("node-01", uid);
        if (cpu_m) {
            row.cpu_used_m = model::Reading<std::int64_t>(*cpu_m, {at, at});
            row.memory_used = model::Reading<std::int64_t>(0, {at, at});
        }
        in.snapshot.nodes.put(0, row);
        closed = fold_demand(in, kPolicy, memory);
    }
    const model::DemandPast& past() const { return memory.pasts[0].at(0); }
};

constexpr TimePoint at(int minute, int second) {
    return TimePoint{} + minutes(minute) + seconds(second);
}

TEST(DemandTrail, a_minute_is_the_mean_of_what_was_read_in_it) {
    Watched w;
    w.see(at(10, 0), 1'000);
    w.see(at(10, 20), 2'000);
    w.see(at(10, 40), 6'000);
    EXPECT_TRUE(w.closed[0].empty());
    EXPECT_FALSE(minute_mean(w.past(), 0));
    w.see(at(11, 0), 9'000);
    EXPECT_EQ(w.closed[0], std::vector<Slot>{0});
    EXPECT_DOUBLE_EQ(*minute_mean(w.past(), 0), 0.55 * 0.3);
    EXPECT_EQ(w.past().newest, 10);
}

TEST(DemandTrail, minutes_without_a_reading_are_not_known) {
    Watched w;
    w.see(at(10, 0), 1'000);
    w.see(at(11, 0), std::nullopt);
    w.see(at(14, 0), 3'000);
    w.see(at(15, 0), 3'000);
    EXPECT_DOUBLE_EQ(*minute_mean(w.past(), 0), 0.55 * 0.3);  // 14
    EXPECT_FALSE(minute_mean(w.past(), 1));                   // 13: nothing was measured.
    EXPECT_FALSE(minute_mean(w.past(), 3));                   // 11: there was no node.
    EXPECT_DOUBLE_EQ(*minute_mean(w.past(), 4), 0.55 * 0.1);  // 10
    EXPECT_EQ(w.past().known, 2);
    EXPECT_FALSE(minute_mean(w.past(), 64));
}

TEST(DemandTrail, another_uid_begins_anew_and_what_is_gone_leaves_nothing) {
    Watched w;
    for (int m = 0; m < 5; ++m) w.see(at(m, 0), 1'000);
    w.see(at(5, 0), 1'000, 2);
    EXPECT_EQ(w.past().known, 0);
    EXPECT_EQ(w.past().uid.low, 2U);
    model::RoundInput empty = input();
    empty.now = at(6, 0);
    fold_demand(empty, kPolicy, w.memory);
    EXPECT_TRUE(w.memory.pasts[0].empty());
    EXPECT_TRUE(w.memory.fills[0].empty());
}

TEST(DemandTrail, a_clock_that_goes_back_begins_anew) {
    Watched w;
    for (int m = 100; m < 105; ++m) w.see(at(m, 0), 1'000);
    w.see(at(50, 0), 1'000);
    EXPECT_EQ(w.past().known, 0);
    w.see(at(51, 0), 1'000);
    EXPECT_EQ(w.past().newest, 50);
}

TEST(DemandTrail, half_hours_stay_for_a_day) {
    Watched w;
    for (int m = 0; m <= 26 * 60; ++m) w.see(at(m, 0), m < 30 ? 4'000 : 1'000);
    // The newest minute, 25:59, is in half-hour 51: 48 before it is half-hour 3.
    EXPECT_DOUBLE_EQ(*half_hour_mean(w.past(), 48), 0.55 * 0.1);
    EXPECT_NEAR(*half_hour_mean(w.past(), 51), 0.55 * 0.4, 1e-12);
    EXPECT_FALSE(half_hour_mean(w.past(), 53));
    EXPECT_FALSE(half_hour_mean(w.past(), 0));  // Not complete yet.
}

TEST(DemandTrail, the_peak_is_known_only_when_all_its_minutes_are) {
    Watched w;
    for (int m = 0; m < 20; ++m) w.see(at(m, 0), m == 12 ? 5'000 : 1'000);
    // Newest is 18. Made after 9, from 11 on.
    EXPECT_DOUBLE_EQ(*peak_after(w.past(), 9, 1, 5), 0.55 * 0.5);
    EXPECT_DOUBLE_EQ(*peak_after(w.past(), 9, 1, 1), 0.55 * 0.1);
    EXPECT_FALSE(peak_after(w.past(), 14, 1, 5));
    EXPECT_TRUE(peak_after(w.past(), 13, 1, 4));
}

TEST(DemandTrail, use_at_its_limit_is_marked) {
    Watched w;
    for (int m = 0; m < 5; ++m) w.see(at(m, 0), m == 2 ? 10'000 : 1'000);
    bool bounded = false;
    EXPECT_TRUE(peak_after(w.past(), -1, 1, 1, &bounded));
    EXPECT_FALSE(bounded);
    EXPECT_TRUE(peak_after(w.past(), -1, 1, 2, &bounded));
    EXPECT_TRUE(bounded);
}

TEST(ReadDemand, of_workloads) {
    const TimePoint now = kNow;
    model::WorkloadRow row = workload("web", 4);
    row.cpu_limit_m = 1'000;
    EXPECT_FALSE(read_demand(row, DemandOf::cpu, now, seconds(60)).value);
    row.cpu_used_m = read(model::Usage{.sum = 300, .max = 200, .count = 3, .missing = 1});
    EXPECT_DOUBLE_EQ(*read_demand(row, DemandOf::cpu, now, seconds(60)).value, 400);
    EXPECT_FALSE(read_demand(row, DemandOf::cpu, now, seconds(60)).bounded);
    row.cpu_used_m = read(model::Usage{.sum = 3'000, .max = 990, .count = 4});
    EXPECT_TRUE(read_demand(row, DemandOf::cpu, now, seconds(60)).bounded);
    EXPECT_FALSE(read_demand(row, DemandOf::requests, now, seconds(60)).value);
    row.requests_milli = read(std::int64_t{2'500});
    EXPECT_DOUBLE_EQ(*read_demand(row, DemandOf::requests, now, seconds(60)).value, 2.5);
    EXPECT_FALSE(read_demand(row, DemandOf::requests, now + minutes(5), seconds(60)).value);
}

TEST(ReadDemand, a_node_that_is_off_or_not_measured_has_none) {
    model::NodeRow row = node("node-01", 1);
    EXPECT_FALSE(read_demand(row, kNow, seconds(60)).value);
    row.cpu_used_m = read(std::int64_t{5'000});
    EXPECT_FALSE(read_demand(row, kNow, seconds(60)).value);
    row.memory_used = read(std::int64_t{40});
    EXPECT_DOUBLE_EQ(*read_demand(row, kNow, seconds(60)).value, 0.55 * 0.5 + 0.35 * 0.4);
    row.power = model::Power::sleep;
    EXPECT_FALSE(read_demand(row, kNow, seconds(60)).value);
}

}  // namespace
}  // namespace parley::prediction
