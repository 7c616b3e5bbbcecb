// Brain: the trees of a boosted forest as plain arrays. Files are read into them, and everything
// else is made from them.

#pragma once

#include "base/describe.h"
#include "base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace parley::brain {

/// What margins mean: log-odds, or the value itself.
enum class Objective : std::uint8_t { logistic, squared_error };
BOOST_DESCRIBE_ENUM(Objective, logistic, squared_error)

// Limits of a model: far above what is trained here, and small enough that a hostile file takes
// neither much memory nor much time.
inline constexpr std::size_t kTreesMax = 65'536;
inline constexpr std::size_t kNodesMax = 1'000'000;
inline constexpr std::size_t kTreeNodesMax = 131'072;
inline constexpr std::size_t kTreeDepthMax = 64;
inline constexpr std::size_t kFeaturesMax = 4'096;

/// A forest as arrays with one entry per node, tree after tree, and within a tree level by level,
/// so that the two children of a node are adjacent and come after it.
struct Trees {
    Objective objective = Objective::squared_error;
    float base_margin = 0;  ///< Where the sum starts.
    std::uint32_t features = 0;
    std::vector<std::string> feature_names;  ///< One per feature, or none.
    std::vector<std::uint32_t> roots;        ///< The first node of each tree.
    std::vector<std::uint32_t> left;     ///< The left child; the right one follows it. 0: a leaf.
    std::vector<std::uint32_t> feature;  ///< Compared in a split; 0 in a leaf.
    std::vector<std::uint8_t> missing_left;  ///< 1: a missing value goes left.
    std::vector<float> threshold;            ///< Smaller values go left; in a leaf, its value.
    std::vector<float> cover;                ///< Weight of the training rows that came here.

    std::size_t nodes() const { return left.size(); }
    /// One past the last node of a tree.
    std::size_t end_of(std::size_t tree) const {
        return tree + 1 < roots.size() ? roots[tree + 1] : nodes();
    }
    friend bool operator==(const Trees&, const Trees&) = default;
};
BOOST_DESCRIBE_STRUCT(Trees, (),
                      (objective, base_margin, features, feature_names, roots, left, feature,
                       missing_left, threshold, cover))

/// Checks everything that Trees promises, that numbers are finite, and the limits; the error names
/// the first violation.
[[nodiscard]] Result<void> check(const Trees& trees);

/// The most splits from a root to a leaf of a tree; `trees` must have passed check().
std::size_t depth_of(const Trees& trees, std::size_t tree);

}  // namespace parley::brain
