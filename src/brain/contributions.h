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

/// The two edges below a split, as needed when walking up from the leaves.
struct PathSplit {
    double left_ratio = 0;  ///< Share of the training rows here that go left.
    double right_ratio = 0;
    /// The same, multiplied by the shares of edges above with the same feature.
    double left_share = 0;
    double right_share = 0;
    std::uint32_t above = 0;  ///< The node below the nearest edge above with this feature; 0: none.
    /// Where that edge has its values of 1 / (t + share (1 - t)), one per point.
    std::uint32_t inverse = 0;
    double above_share = 0;
};

/// What contributions need besides the trees; made once per forest.
struct Paths {
    std::size_t points = 4;         ///< Of the integral: 4, 8, 16 or 32.
    double bias = 0;                ///< The margin of a row about which nothing is known.
    std::vector<PathSplit> splits;  ///< One per node; unused for leaves.
    std::vector<double> inverses;   ///< `points` for each edge that has one.
    std::size_t tree_nodes_max = 0;
};

Paths paths_of(const Forest& forest);

/// One contribution per feature, then the bias: `out` has features + 1 values, which add up to the
/// margin, except for rounding. `paths` must belong to this forest.
void contributions(const Forest& forest, const Paths& paths, std::span<const float> row,
                   std::span<double> out);

}  // namespace parley::brain
