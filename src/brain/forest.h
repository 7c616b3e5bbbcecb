// Brain: a boosted forest that answers fast. A row of features in, its margin out.

#pragma once

#include "brain/trees.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::brain {

/// Trees, and a copy laid out for fast walking. Immutable, so threads may share it.
class Forest {
public:
    /// Refuses what check() refuses.
    [[nodiscard]] static Result<Forest> from(Trees trees);

    const Trees& trees() const { return trees_; }
    std::size_t features() const { return trees_.features; }
    Objective objective() const { return trees_.objective; }

    /// A split of a complete tree: the children of index i are 2 i and 2 i + 1.
    struct Split {
        float threshold;
        /// Index into a prepared row, which encodes where a missing value goes.
        std::uint32_t slot;
    };
    /// Every tree filled up to the same depth, so that walking needs no branches. Empty if that
    /// would take too much memory; then the arrays of Trees are walked.
    struct Filled {
        std::uint32_t depth = 0;
        std::vector<Split> splits;  ///< 2^depth per tree; the first is unused.
        std::vector<float> leaves;  ///< 2^depth per tree.
    };
    const Filled& filled() const { return filled_; }

private:
    explicit Forest(Trees trees);

    Trees trees_;
    Filled filled_;
};

/// The margin of one row, which has one value per feature; NaN is missing. Summed in float from the
/// base margin on, tree after tree, which gives the same bits as XGBoost.
float margin(const Forest& forest, std::span<const float> row);

/// Like margin, for `out.size()` consecutive rows of `columns` values each.
void margins(const Forest& forest, std::span<const float> rows, std::size_t columns,
             std::span<float> out);

}  // namespace parley::brain
