#include "model/figures.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::model {
namespace {

TEST(Figures, risks_have_two_decimals_and_are_never_shown_as_nothing) {
    EXPECT_EQ(share_text(0.86), "0.86");
    EXPECT_EQ(share_text(0.005), "0.01");
    EXPECT_EQ(share_text(0.0049), "<0.01");
    EXPECT_EQ(share_text(0), "<0.01");
    EXPECT_EQ(share_text(1), "1.00");
    EXPECT_EQ(share_text(std::numeric_limits<double>::quiet_NaN()), "?");
}

TEST(Figures, a_value_beside_its_bound_keeps_their_order) {
    struct Case {
        double value, limit;
        const char* left;
        const char* right;
    };
    const Case cases[] = {
        {0.86, 0.25, "0.86", "0.25"},        {0.829, 0.83, "0.829", "0.83"},
        {0.2504, 0.2501, "0.2504", "0.25"},  {0.248, 0.2467, "0.248", "0.247"},
        {0.25, 0.25, "0.25", "0.25"},        {0.21, 2, "0.21", "never"},
        {0.001, 0.25, "<0.01", "0.25"},      {0.002, 0.001, "0.002", "0.001"},
        {0.0004, 0.002, "0.0004", "0.0020"},
    };
    for (const Case& each : cases) {
        const auto [left, right] = beside(each.value, each.limit);
        EXPECT_EQ(left, each.left) << each.value << " " << each.limit;
        EXPECT_EQ(right, each.right) << each.value << " " << each.limit;
    }
}

TEST(Figures, pod_minutes_have_more_digits_where_there_is_little) {
    EXPECT_EQ(pod_minutes(41.26), "41.3");
    EXPECT_EQ(pod_minutes(0.004), "0.004");
    EXPECT_EQ(pod_minutes(-0.0001), "0.0");
    EXPECT_EQ(pod_minutes(std::numeric_limits<double>::infinity()), "?");
}

}  // namespace
}  // namespace parley::model
