#include "model/aside.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::model {
namespace {

TEST(Aside, says_the_figures_in_brackets_behind_a_space) {
    EXPECT_EQ(product_aside(0.86, 48), " (0.86 x 48.0)");
    EXPECT_EQ(over_aside(0.314, 0.25), " (risk 0.31, acts above 0.25)");
    EXPECT_EQ(limit_aside(seconds(15)), " (limit 15s)");
    EXPECT_EQ(from_aside(8), " (acts from 8)");
    EXPECT_EQ(eased_aside("3 pods wait for CPU", 8),
              " (3 pods wait for CPU, lifts below half of 8)");
    EXPECT_EQ(estimated_aside("built-in constants"), " (estimated by built-in constants)");
    EXPECT_EQ(breaker_aside("3 of 4 nodes are bad"), " (3 of 4 nodes are bad)");
    EXPECT_EQ(need_aside(2000, std::int64_t{512} << 20), " (2 CPU, 512Mi)");
    EXPECT_EQ(holdout_aside(), " (policy.risk.holdout)");
}

TEST(Aside, a_small_risk_is_never_nothing) {
    EXPECT_EQ(risk_text(0.004, 0.02), "risk <0.01, acts above 0.02");
    EXPECT_EQ(risk_text(0.005, 0.02), "risk 0.01, acts above 0.02");
}

TEST(Aside, what_pods_are_short_of) {
    EXPECT_EQ(text_of(ShortOf{}), "room");
    EXPECT_EQ(text_of(ShortOf{.cpu = true, .memory = true}), "CPU and memory");
    EXPECT_EQ(short_name({.places = true}), "pods short of places on nodes");
    EXPECT_EQ(waiting_text(0, {.cpu = true}), "0 pods wait for room");
    EXPECT_EQ(waiting_text(1, {.cpu = true}), "1 pod waits for CPU");
    EXPECT_EQ(waiting_text(9, {.memory = true}), "9 pods wait for memory");
}

TEST(Aside, every_kind_of_shortage_has_a_name_of_its_own) {
    std::set<std::string> names;
    for (const ShortOf& what : all_short_of()) names.insert(short_name(what));
    EXPECT_EQ(names.size(), 8U);
}

}  // namespace
}  // namespace parley::model
