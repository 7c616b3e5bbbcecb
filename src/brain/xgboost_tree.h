// Brain: converts one tree of an XGBoost file to the order of Trees.

#pragma once

#include "base/json_value.h"
#include "brain/trees.h"

namespace parley::brain {

/// Appends the tree, whose arrays are in `tree` as XGBoost writes them. Drops nodes that the root
/// does not reach, which pruning leaves behind. Refuses arrays of different lengths, missing
/// children or children with two parents, categorical splits and leaves of several values; check()
/// does the rest.
[[nodiscard]] Result<void> add_xgboost_tree(const Json& tree, Trees& out);

}  // namespace parley::brain
