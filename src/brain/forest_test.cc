#include "brain/forest.h"

#include "brain/forest_kit_test.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace parley::brain {
namespace {

Forest forest_of(Trees trees) {
    auto forest = Forest::from(std::move(trees));
    EXPECT_TRUE(forest) << forest.error().message;
    return *std::move(forest);
}

/// Below 0.5 of feature 1 gives -1, else 1; a missing value goes where told.
Forest one_split(bool missing_left) {
    return forest_of({.base_margin = 10,
                      .features = 2,
                      .roots = {0},
                      .left = {1, 0, 0},
                      .feature = {1, 0, 0},
                      .missing_left = {static_cast<std::uint8_t>(missing_left ? 1 : 0), 0, 0},
                      .threshold = {0.5F, -1, 1},
                      .cover = {4, 1, 3}});
}

/// The simplest implementation.
float by_hand(const Trees& trees, std::span<const float> row) {
    float sum = trees.base_margin;
    for (std::size_t node : trees.roots) {
        while (trees.left[node] != 0) {
            const float value = row[trees.feature[node]];
            const bool left =
                std::isnan(value) ? trees.missing_left[node] == 1 : value < trees.threshold[node];
            node = trees.left[node] + (left ? 0 : 1);
        }
        sum += trees.threshold[node];
    }
    return sum;
}

struct Case {
    const char* name;
    float value;
    bool missing_left;
    float margin;
};

class OneSplit : public testing::TestWithParam<Case> {};

TEST_P(OneSplit, goes_the_way_xgboost_goes) {
    const Case& c = GetParam();
    const std::vector<float> row = {7, c.value};
    EXPECT_EQ(margin(one_split(c.missing_left), row), c.margin);
}

const Case kCases[] = {
    {"below", 0.49F, true, 9},
    {"just_below", 0x1.fffffep-2F, false, 9},
    {"at_the_threshold", 0.5F, true, 11},
    {"above", 0.51F, false, 11},
    {"infinite", std::numeric_limits<float>::infinity(), true, 11},
    {"minus_infinite", -std::numeric_limits<float>::infinity(), false, 9},
    {"missing_goes_left", kMissing, true, 9},
    {"missing_goes_right", kMissing, false, 11},
};
INSTANTIATE_TEST_SUITE_P(Table, OneSplit, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Forest, refuses_what_check_refuses) { EXPECT_FALSE(Forest::from({})); }

TEST(Forest, every_way_of_walking_gives_the_same_bits) {
    const Shape cases[] = {
        {.trees = 1, .depth = 0},
        {.trees = 3, .depth = 1, .features = 1},
        {.trees = 17, .depth = 3},
        {.trees = 40, .depth = 6, .chance = 0.95, .features = 20},
        {.trees = 9, .depth = 8, .chance = 0.9, .features = 300},
        {.trees = 8, .depth = 9, .chance = 1.0},  // Too deep to be filled up.
        {.trees = 5, .depth = 30, .chance = 0.55},
    };
    std::uint64_t seed = 0;
    for (const Shape& shape : cases) {
        ++seed;
        const Forest forest = forest_of(drawn_trees(seed, shape));
        for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 9UL, 63UL, 200UL}) {
            const auto rows = drawn_rows(seed, count * shape.features);
            std::vector<float> out(count);
            margins(forest, rows, shape.features, out);
            for (std::size_t i = 0; i < count; ++i) {
                const auto row = std::span(rows).subspan(i * shape.features, shape.features);
                const auto wanted = std::bit_cast<std::uint32_t>(by_hand(forest.trees(), row));
                EXPECT_EQ(std::bit_cast<std::uint32_t>(margin(forest, row)), wanted);
                EXPECT_EQ(std::bit_cast<std::uint32_t>(out[i]), wanted) << seed << " " << i;
            }
        }
    }
}

TEST(Forest, deep_trees_are_not_filled_up) {
    EXPECT_FALSE(forest_of(drawn_trees(1, {.depth = 8})).filled().leaves.empty());
    EXPECT_TRUE(forest_of(drawn_trees(1, {.depth = 9, .chance = 1.0})).filled().leaves.empty());
}

}  // namespace
}  // namespace parley::brain
