#include "learn/rows/deeds.h"

#include <gtest/gtest.h>

#include <vector>

namespace parley::learn {
namespace {

using enum Treatment;
using enum Ending;

std::vector<Deed> times(int n, Deed deed) {
    return std::vector<Deed>(static_cast<std::size_t>(n), deed);
}

std::vector<Deed> all(std::initializer_list<std::vector<Deed>> parts) {
    std::vector<Deed> out;
    for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
    return out;
}

TEST(Deeds, who_is_watched_says_how_often_the_fear_was_right) {
    const auto found = judge_deeds(
        all({times(6, {acted, false, 0, failed}), times(3, {acted, false, 0, survived}),
             times(1, {withheld, false, 0.1, survived}), times(5, {acted, false, 0, censored})}));
    EXPECT_TRUE(found.identified);
    EXPECT_EQ(found.hits, 6);
    EXPECT_EQ(found.needless, 3);
    EXPECT_EQ(found.withheld_survived, 1);
    EXPECT_EQ(found.open, 5);
    EXPECT_DOUBLE_EQ(found.precision_low, 0.6);
    EXPECT_DOUBLE_EQ(found.precision_high, 0.6);
}

TEST(Deeds, without_a_hold_out_load_leaves_bounds) {
    const auto found =
        judge_deeds(all({times(2, {acted, false, 0, failed}), times(2, {acted, false, 0, survived}),
                         times(6, {acted, true, 0, survived})}));
    EXPECT_FALSE(found.identified);
    EXPECT_EQ(found.hidden, 6);
    EXPECT_DOUBLE_EQ(found.precision_low, 0.2);
    EXPECT_DOUBLE_EQ(found.precision_high, 0.8);
}

TEST(Deeds, who_was_withheld_stands_for_the_hidden) {
    const auto found = judge_deeds(
        all({times(8, {acted, true, 0.1, censored}), times(1, {withheld, true, 0.1, failed}),
             times(1, {withheld, true, 0.1, survived})}));
    EXPECT_TRUE(found.identified);
    EXPECT_DOUBLE_EQ(found.precision_low, 0.5);
    EXPECT_DOUBLE_EQ(found.precision_high, 0.5);
}

TEST(Deeds, nothing_done_is_nothing_known) {
    EXPECT_FALSE(judge_deeds({}).identified);
    EXPECT_FALSE(judge_deeds(times(3, {acted, false, 0, censored})).identified);
}

}  // namespace
}  // namespace parley::learn
