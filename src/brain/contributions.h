// Brain: what each feature adds to a margin. A row in, one contribution per feature and a bias out.
//
// Exact Shapley values of the path-dependent kind, as XGBoost's pred_contribs gives them. For a
// leaf of value v, below splits by m different features, feature i adds
//
//     v (o_i - z_i) * integral from 0 to 1 of prod over j != i of (o_j t + z_j (1 - t)) dt
//
// where o_j is 1 if the row passes all splits by j on that path, else 0, and z_j is the share of
// training rows that do. The weights of Shapley's sum over subsets are Beta integrals; within the
// integral the sum is that product. It is a polynomial in t, so Gauss-Legendre points give it
// exactly, and all leaves of a tree share the work: products on the way down, sums on the way up.

#pragma once

#include "brain/forest.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::brain {

/// What the two edges below a split are, seen from the leaves.
struct PathSplit {
    double left_ratio = 0;  ///< Training rows that go left, of those that come here.
    double right_ratio = 0;
    double left_share = 0;  ///< The same times the shares of edges above by the same feature.
    double right_share = 0;
    std::uint32_t above = 0;    ///< The node below the next edge above by this feature; 0: none.
    std::uint32_t inverse = 0;  ///< Where that edge has its 1 / (t + share (1 - t)), per point.
    double above_share = 0;
};

/// What contributions need besides the trees, made once per forest.
struct Paths {
    std::size_t points = 4;         ///< Of the integral: 4, 8, 16 or 32.
    double bias = 0;                ///< The margin of a row of which nothing is known.
    std::vector<PathSplit> splits;  ///< One per node; nothing in a leaf.
    std::vector<double> inverses;   ///< `points` for each edge that has one.
    std::size_t tree_nodes_max = 0;
};

Paths paths_of(const Forest& forest);

/// One contribution per feature, then the bias: `out` has features + 1 places, and they add up to
/// the margin but for rounding. `paths` must be those of this forest.
void contributions(const Forest& forest, const Paths& paths, std::span<const float> row,
                   std::span<double> out);

}  // namespace parley::brain
