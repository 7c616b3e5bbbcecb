#include "brain/model.h"

#include "brain/forest_kit_test.h"

#include <gtest/gtest.h>

namespace parley::brain {
namespace {

TEST(HalfWidth, is_the_error_that_only_the_share_that_may_miss_exceeds) {
    const auto stump = Forest::from(drawn_trees(1, {}));
    ASSERT_TRUE(stump.has_value());
    const DemandForest forest{60, *stump, paths_of(*stump), {0, 1, 2, 3, 10}};
    EXPECT_EQ(half_width(forest, 1.0), 0);
    EXPECT_EQ(half_width(forest, 0.5), 2);
    EXPECT_EQ(half_width(forest, 0.0), 10);
    EXPECT_DOUBLE_EQ(half_width(forest, 0.1), 3 + 0.6 * 7);
    EXPECT_EQ(half_width(forest, -1.0), 10);
    EXPECT_EQ(half_width(forest, 2.0), 0);
}

}  // namespace
}  // namespace parley::brain
