#include "brain/contributions.h"

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

/// The mean of what the tree says if only the features in `known` are known.
double expected(const Trees& trees, std::size_t node, std::span<const float> row, unsigned known) {
    if (trees.left[node] == 0) return trees.threshold[node];
    const std::size_t left = trees.left[node];
    const std::size_t feature = trees.feature[node];
    if (((known >> feature) & 1U) != 0) {
        const float value = row[feature];
        const bool goes_left =
            std::isnan(value) ? trees.missing_left[node] == 1 : value < trees.threshold[node];
        return expected(trees, goes_left ? left : left + 1, row, known);
    }
    const double cover = trees.cover[node];
    const double share = cover > 0 ? trees.cover[left] / cover : 0.5;
    const double other = cover > 0 ? trees.cover[left + 1] / cover : 0.5;
    return share * expected(trees, left, row, known) +
           other * expected(trees, left + 1, row, known);
}

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/// Shapley's own definition, over all subsets of features.
std::vector<double> by_definition(const Trees& trees, std::span<const float> row) {
    const auto features = static_cast<int>(trees.features);
    std::vector<double> mean(std::size_t{1} << features, trees.base_margin);
    for (unsigned known = 0; known < mean.size(); ++known) {
        for (const std::size_t root : trees.roots) mean[known] += expected(trees, root, row, known);
    }
    std::vector<double> out(trees.features + 1, 0.0);
    out.back() = mean[0];
    for (unsigned known = 0; known < mean.size(); ++known) {
        const int size = std::popcount(known);
        for (int i = 0; i < features; ++i) {
            if (((known >> i) & 1U) != 0) continue;
            const double weight =
                factorial(size) * factorial(features - size - 1) / factorial(features);
            out[static_cast<std::size_t>(i)] += weight * (mean[known | (1U << i)] - mean[known]);
        }
    }
    return out;
}

void expect_by_definition(const Forest& forest, std::uint64_t seed, std::size_t count) {
    const std::size_t columns = forest.features();
    const auto rows = drawn_rows(seed, count * columns);
    const Paths paths = paths_of(forest);
    std::vector<double> out(columns + 1);
    for (std::size_t i = 0; i < count; ++i) {
        const auto row = std::span(rows).subspan(i * columns, columns);
        contributions(forest, paths, row, out);
        const auto wanted = by_definition(forest.trees(), row);
        double sum = 0;
        for (std::size_t k = 0; k < out.size(); ++k) {
            EXPECT_NEAR(out[k], wanted[k], 1e-12) << "seed " << seed << " feature " << k;
            sum += out[k];
        }
        EXPECT_NEAR(sum, margin(forest, row), 1e-5);
    }
}

TEST(Contributions, are_shapley_values) {
    const Shape cases[] = {
        {.trees = 1, .depth = 0, .features = 3},
        {.trees = 1, .depth = 1, .features = 1},
        {.trees = 5, .depth = 2, .features = 2},  // Features come again and again on a path.
        {.trees = 6, .depth = 6, .chance = 0.9, .features = 3},
        {.trees = 6, .depth = 6, .chance = 0.9, .features = 8},
        {.trees = 2, .depth = 9, .chance = 0.9, .features = 10},
    };
    std::uint64_t seed = 0;
    for (const Shape& shape : cases) {
        ++seed;
        expect_by_definition(forest_of(drawn_trees(seed, shape)), seed, 6);
    }
}

TEST(Contributions, hold_for_paths_over_many_features) {
    const Shape shape{.trees = 1, .depth = 14, .chance = 0.75, .features = 12};
    const Forest forest = forest_of(drawn_trees(3, shape));
    EXPECT_GT(paths_of(forest).points, 4U);
    expect_by_definition(forest, 3, 2);
}

TEST(Contributions, hold_where_no_training_row_came) {
    Trees trees = drawn_trees(5, {.trees = 4, .depth = 5, .chance = 0.9, .features = 3});
    for (std::size_t node = 1; node < trees.nodes(); node += 3) trees.cover[node] = 0;
    expect_by_definition(forest_of(trees), 5, 8);
}

/// The integral must stay exact for the longest path that a model may have.
TEST(Contributions, add_up_on_the_deepest_path) {
    constexpr std::size_t kDepth = kTreeDepthMax;
    Trees trees{.features = kDepth, .roots = {0}};
    for (std::size_t node = 0; node < 2 * kDepth + 1; ++node) {
        const bool split = node == 0 || (node % 2 == 0 && node < 2 * kDepth);
        trees.left.push_back(split ? static_cast<std::uint32_t>(node + 1) : 0);
        trees.feature.push_back(split ? static_cast<std::uint32_t>(node / 2) : 0);
        trees.missing_left.push_back(0);
        trees.threshold.push_back(split ? 0.5F : static_cast<float>(node));
        trees.cover.push_back(static_cast<float>(2 * kDepth - node + 1));
    }
    const Forest forest = forest_of(trees);
    const Paths paths = paths_of(forest);
    EXPECT_EQ(paths.points, 32U);
    for (const float value : {0.0F, 1.0F}) {
        const std::vector<float> row(kDepth, value);
        std::vector<double> out(kDepth + 1);
        contributions(forest, paths, row, out);
        double sum = 0;
        for (const double part : out) sum += part;
        EXPECT_NEAR(sum, margin(forest, row), 1e-9);
    }
}

}  // namespace
}  // namespace parley::brain
