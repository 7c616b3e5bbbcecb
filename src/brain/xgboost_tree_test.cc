#include "brain/xgboost_tree.h"

#include "base/json_read.h"

#include <gtest/gtest.h>

namespace parley::brain {
namespace {

/// Node 0 splits into 3 and 1, node 1 into 4 and 2; node 5 was pruned away.
constexpr std::string_view kTree = R"({
  "left_children":    [ 3, 4, -1, -1, -1, -1],
  "right_children":   [ 1, 2, -1, -1, -1, -1],
  "split_indices":    [ 2, 0,  0,  0,  0, 2147483647],
  "split_conditions": [ 0.5, 1.5, 12, 13, 14, 99],
  "default_left":     [ 1, 0,  0,  0,  0, 0],
  "sum_hessian":      [10, 6,  5,  4,  1, 0],
  "split_type":       [ 0, 0,  0,  0,  0, 0],
  "tree_param": {"size_leaf_vector": "1"}})";

std::string changed(const std::string& from, const std::string& to) {
    std::string text(kTree);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(XgboostTree, is_brought_into_our_order) {
    Trees trees{.features = 3};
    const auto document = parse_json(kTree);
    ASSERT_TRUE(document) << document.error().message;
    ASSERT_TRUE(add_xgboost_tree(*document, trees));
    ASSERT_TRUE(add_xgboost_tree(*document, trees));
    EXPECT_EQ(trees.roots, (std::vector<std::uint32_t>{0, 5}));
    trees.left.resize(5);
    EXPECT_EQ(trees.left, (std::vector<std::uint32_t>{1, 0, 3, 0, 0}));
    trees.threshold.resize(5);
    EXPECT_EQ(trees.threshold, (std::vector<float>{0.5F, 13, 1.5F, 14, 12}));
    trees.feature.resize(5);
    EXPECT_EQ(trees.feature, (std::vector<std::uint32_t>{2, 0, 0, 0, 0}));
    trees.missing_left.resize(5);
    EXPECT_EQ(trees.missing_left, (std::vector<std::uint8_t>{1, 0, 0, 0, 0}));
    trees.cover.resize(5);
    EXPECT_EQ(trees.cover, (std::vector<float>{10, 4, 6, 1, 5}));
}

struct Case {
    const char* name;
    std::string from;
    std::string to;
    std::string error;
};

class XgboostTreeRefused : public testing::TestWithParam<Case> {};

TEST_P(XgboostTreeRefused, with_a_reason) {
    const auto document = parse_json(changed(GetParam().from, GetParam().to));
    ASSERT_TRUE(document) << document.error().message;
    Trees trees{.features = 3};
    auto added = add_xgboost_tree(*document, trees);
    if (added) added = check(trees);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().message, GetParam().error);
}

const Case kCases[] = {
    {"no_array", "sum_hessian", "sum", "it has no numbers sum_hessian"},
    {"texts", "[10, 6,  5,  4,  1, 0]", "[\"a\"]", "it has no numbers sum_hessian"},
    {"short_array", "[10, 6,  5,  4,  1, 0]", "[10]", "sum_hessian has 1 entries for 6 nodes"},
    {"no_node", "[ 3, 4, -1, -1, -1, -1]", "[]", "it has no node"},
    {"child_outside", "[ 3, 4,", "[ 3, 6,", "node 1 has a child that is not there"},
    {"negative_child", "[ 3, 4,", "[ 3, -2,", "node 1 has a child that is not there"},
    {"no_number", "[ 3, 4,", "[ 3, NaN,", "node 1 has a child that is not there"},
    {"half_a_child", "[ 3, 4,", "[ 3, 4.5,", "a child is no whole number"},
    {"one_child", "[ 3, 4,", "[ 3, -1,", "node 1 has a child that is not there"},
    {"back_to_the_root", "[ 3, 4,", "[ 3, 0,", "node 1 has a child that is not there"},
    {"cycle", "[ 3, 4,", "[ 3, 1,", "node 1 has two parents, or is its own"},
    {"two_parents", "[ 3, 4,", "[ 3, 3,", "node 3 has two parents, or is its own"},
    {"category", "[ 0, 0,  0,  0,  0, 0],\n  \"tree", "[ 0, 1,  0,  0,  0, 0],\n  \"tree",
     "it splits by a category, which is not served; encode categories as numbers"},
    {"several_values", "\"1\"}", "\"3\"}",
     "its leaves hold several values; only models with one output are served"},
    {"feature", "[ 2, 0,  0", "[ 3, 0,  0", "tree 0, node 0: it splits by feature 3 of 3"},
    {"no_feature", "[ 2, 0,  0", "[ -1, 0,  0",
     "tree 0, node 0: it splits by feature 4294967295 of 3"},
    {"threshold", "[ 0.5, 1.5", "[ Infinity, 1.5", "tree 0, node 0: its threshold is not finite"},
    {"beyond_a_float", "12, 13", "12, -1e39", "tree 0, node 1: its value is not finite"},
    {"cover", "[10, 6", "[10, NaN", "tree 0, node 2: its cover is no weight"},
};
INSTANTIATE_TEST_SUITE_P(Table, XgboostTreeRefused, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace parley::brain
