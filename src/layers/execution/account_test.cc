#include "layers/execution/account.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::execution {
namespace {

using namespace model;

constexpr std::int64_t kUnit = 1'000'000;  // A pod-minute.

TEST(Account, gives_every_line_to_one_agent) {
    const Prices p;
    const auto work = [&](WorkCounters c) { return price(c, p); };
    EXPECT_EQ(work({.lost = 500'000}), (Cost{Role::safety, kUnit}));  // 500 requests.
    EXPECT_EQ(work({.disruptions = 2}), (Cost{Role::safety, kUnit}));
    EXPECT_EQ(work({.pending_ms = 60'000}), (Cost{Role::admission, kUnit}));  // A pod-minute.
    EXPECT_EQ(work({.rejections = 1}), (Cost{Role::admission, kUnit}));
    EXPECT_EQ(work({.violating = 2'000'000}), (Cost{Role::scaling, kUnit}));
    EXPECT_EQ(work({.reserved_core_ms = 1'200'000}),
              (Cost{Role::scaling, kUnit}));  // A third of 1 h.
    EXPECT_EQ(work({.reserved_mib_ms = 1024 * 12'000'000LL}), (Cost{Role::scaling, kUnit}));
    EXPECT_EQ(work({.offered = 9, .done = 9, .completions = 9, .service_ms = 9}), Cost{});
    EXPECT_EQ(price(NodeCounters{.energy_mj = 600'000'000}, p), (Cost{Role::efficiency, kUnit}));
    EXPECT_EQ(price(NodeCounters{.on_ms = 1'200'000}, p), (Cost{Role::efficiency, kUnit}));
}

TEST(Account, rounds_halves_up) {
    Prices p;
    p.rejection = 0.5e-6;
    EXPECT_EQ(price(WorkCounters{.rejections = 1}, p)[Role::admission], 1);
    p.rejection = 0.49e-6;
    EXPECT_EQ(price(WorkCounters{.rejections = 1}, p)[Role::admission], 0);
}

TEST(Account, parts_of_an_interval_add_up_to_the_whole) {
    const Prices p;
    const WorkCounters whole{.lost = 12'345'677,
                             .violating = 7'777'777,
                             .disruptions = 13,
                             .pending_ms = 98'765'431,
                             .rejections = 3,
                             .reserved_core_ms = 123'456'789,
                             .reserved_mib_ms = 987'654'321'987};
    Cost sum;
    WorkCounters last;
    for (int part = 1; part <= 997; ++part) {
        WorkCounters now;
        const auto upto = [&](std::int64_t total) { return total * part / 997; };
        now.lost = upto(whole.lost);
        now.violating = upto(whole.violating);
        now.disruptions = upto(whole.disruptions);
        now.pending_ms = upto(whole.pending_ms);
        now.rejections = upto(whole.rejections);
        now.reserved_core_ms = upto(whole.reserved_core_ms);
        now.reserved_mib_ms = upto(whole.reserved_mib_ms);
        const auto cost = cost_between(last, now, p);
        ASSERT_TRUE(cost);
        EXPECT_GE((*cost)[Role::safety], 0);
        EXPECT_GE((*cost)[Role::scaling], 0);
        sum = sum + *cost;
        last = now;
    }
    EXPECT_EQ(sum, price(whole, p));
}

TEST(Account, knows_no_cost_of_counters_that_fall) {
    const Prices p;
    EXPECT_FALSE(cost_between(WorkCounters{.done = 2}, WorkCounters{.done = 1, .lost = 5}, p));
    EXPECT_FALSE(cost_between(NodeCounters{.on_ms = 2}, NodeCounters{.on_ms = 1}, p));
    EXPECT_EQ(cost_between(NodeCounters{.on_ms = 2}, NodeCounters{.on_ms = 2}, p), Cost{});
}

TEST(Account, weighs_each_agents_part) {
    Weights weights;
    weights[Role::efficiency] = 0.5;
    weights[Role::admission] = 0.25;
    weights[Role::scaling] = 2;
    EXPECT_EQ(score_of({Role::safety, kUnit}, weights), -1);
    EXPECT_EQ(score_of({Role::efficiency, kUnit}, weights), -0.5);
    EXPECT_EQ(score_of({Role::admission, kUnit}, weights), -0.25);
    EXPECT_EQ(score_of({Role::scaling, kUnit}, weights), -2);
    EXPECT_FALSE(std::signbit(score_of({}, weights)));
}

}  // namespace
}  // namespace parley::execution
