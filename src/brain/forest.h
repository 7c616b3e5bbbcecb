// Brain: a boosted forest that answers fast. A row of features in, its margin out.

#pragma once

#include "brain/trees.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::brain {

/// Trees, and the same laid out to be walked. Immutable once made, so threads may share it.
class Forest {
public:
    /// Refuses what check() refuses.
    [[nodiscard]] static Result<Forest> from(Trees trees);

    const Trees& trees() const { return trees_; }
    std::size_t features() const { return trees_.features; }
    Objective objective() const { return trees_.objective; }

    /// A split of a filled tree: at place i its children are 2 i and 2 i + 1.
    struct Split {
        float threshold;
        std::uint32_t slot;  ///< Of a prepared row: where a missing value goes is in it.
    };
    /// Every tree filled up to one depth, so that a walk has no branch and no end to look for.
    /// Empty where that would take too much memory; then the arrays of Trees are walked.
    struct Filled {
        std::uint32_t depth = 0;
        std::vector<Split> splits;  ///< 2^depth per tree, the first of them unused.
        std::vector<float> leaves;  ///< 2^depth per tree.
    };
    const Filled& filled() const { return filled_; }

private:
    explicit Forest(Trees trees);

    Trees trees_;
    Filled filled_;
};

/// The margin of one row, which has one value per feature; NaN is missing. Summed in float from the
/// base margin on, tree after tree: the bits that XGBoost gives.
float margin(const Forest& forest, std::span<const float> row);

/// As margin, for `out.size()` rows that lie one after the other, `columns` values each.
void margins(const Forest& forest, std::span<const float> rows, std::size_t columns,
             std::span<float> out);

}  // namespace parley::brain
