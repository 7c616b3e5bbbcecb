#include "brain/trees.h"

#include "brain/forest_kit_test.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::brain {
namespace {

/// A tree of one split, then one leaf.
Trees small() {
    return {.features = 2,
            .roots = {0, 3},
            .left = {1, 0, 0, 0},
            .feature = {1, 0, 0, 0},
            .missing_left = {1, 0, 0, 0},
            .threshold = {0.5F, -1, 1, 2},
            .cover = {4, 1, 3, 4}};
}

TEST(Trees, a_forest_as_promised_is_accepted) {
    EXPECT_TRUE(check(small()));
    EXPECT_EQ(depth_of(small(), 0), 1U);
    EXPECT_EQ(depth_of(small(), 1), 0U);
    EXPECT_EQ(small().end_of(0), 3U);
    EXPECT_EQ(small().end_of(1), 4U);
}

struct Case {
    const char* name;
    std::function<void(Trees&)> damage;
    std::string error;
};

class TreesRefuse : public testing::TestWithParam<Case> {};

TEST_P(TreesRefuse, with_a_reason) {
    Trees trees = small();
    GetParam().damage(trees);
    const auto fine = check(trees);
    ASSERT_FALSE(fine);
    EXPECT_EQ(fine.error().message, GetParam().error);
}

const Case kCases[] = {
    {"no_tree", [](Trees& t) { t.roots.clear(); },
     "it has no tree; train it for at least one round"},
    {"too_many_trees", [](Trees& t) { t.roots.resize(kTreesMax + 1); },
     "it has 65537 trees of at most 65536"},
    {"too_many_nodes", [](Trees& t) { t.left.resize(kNodesMax + 1); },
     "it has more than 1000000 nodes"},
    {"no_feature", [](Trees& t) { t.features = 0; }, "it has 0 features, not 1 to 4096"},
    {"too_many_features", [](Trees& t) { t.features = kFeaturesMax + 1; },
     "it has 4097 features, not 1 to 4096"},
    {"names", [](Trees& t) { t.feature_names = {"a"}; }, "it names 1 features but has 2"},
    {"lengths", [](Trees& t) { t.cover.pop_back(); }, "its arrays of nodes differ in length"},
    {"base", [](Trees& t) { t.base_margin = kMissing; }, "its base score is not finite"},
    {"first_root", [](Trees& t) { t.roots[0] = 1; }, "its first tree does not begin at node 0"},
    {"empty_tree", [](Trees& t) { t.roots.push_back(4); }, "tree 2 has no node"},
    {"roots_not_rising", [](Trees& t) { t.roots = {0, 0}; }, "tree 0 has no node"},
    {"root_outside", [](Trees& t) { t.roots = {0, 9}; }, "tree 0 has no node"},
    {"threshold", [](Trees& t) { t.threshold[0] = kMissing; },
     "tree 0, node 0: its threshold is not finite"},
    {"value", [](Trees& t) { t.threshold[3] = std::numeric_limits<float>::infinity(); },
     "tree 1, node 0: its value is not finite"},
    {"cover", [](Trees& t) { t.cover[2] = -1; }, "tree 0, node 2: its cover is no weight"},
    {"feature", [](Trees& t) { t.feature[0] = 2; }, "tree 0, node 0: it splits by feature 2 of 2"},
    {"own_child", [](Trees& t) { t.left[1] = 1; },
     "tree 0, node 1: its children are not where they belong"},
    {"child_in_next_tree", [](Trees& t) { t.left[0] = 3; },
     "tree 0, node 0: its children are not where they belong"},
    {"child_far_away", [](Trees& t) { t.left[3] = 4'000'000'000; },
     "tree 1, node 0: its children are not where they belong"},
    {"orphans", [](Trees& t) { t.left[0] = 0; }, "tree 0 has nodes without a parent"},
};
INSTANTIATE_TEST_SUITE_P(Table, TreesRefuse, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

/// A chain: every left child is a leaf.
Trees chain(std::size_t depth) {
    Trees trees{.features = 1, .roots = {0}};
    for (std::size_t i = 0; i < depth; ++i) {
        if (i > 0) trees.left.push_back(0);
        trees.left.push_back(static_cast<std::uint32_t>(2 * i + 1));
    }
    trees.left.resize(2 * depth + 1);
    trees.feature.resize(trees.nodes());
    trees.missing_left.resize(trees.nodes());
    trees.threshold.resize(trees.nodes());
    trees.cover.resize(trees.nodes());
    return trees;
}

TEST(Trees, depth_and_size_are_bounded) {
    EXPECT_TRUE(check(chain(kTreeDepthMax)));
    EXPECT_EQ(depth_of(chain(kTreeDepthMax), 0), kTreeDepthMax);
    const auto deep = check(chain(kTreeDepthMax + 1));
    ASSERT_FALSE(deep);
    EXPECT_EQ(deep.error().message, "tree 0 is deeper than 64");
    const auto large = check(chain(kTreeNodesMax / 2));
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().message, "tree 0 has more than 131072 nodes");
}

}  // namespace
}  // namespace parley::brain
