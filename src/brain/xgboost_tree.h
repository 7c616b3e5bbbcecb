// Brain: one tree of an XGBoost file, brought into the order of Trees.

#pragma once

#include "base/json_value.h"
#include "brain/trees.h"

namespace parley::brain {

/// Appends the tree, whose arrays stand in `tree` as XGBoost writes them. Nodes that the root does
/// not reach, which pruning leaves behind, are dropped. Refuses arrays of different lengths,
/// children that are not there or have two parents, categorical splits and leaves of several
/// values; the rest is for check().
[[nodiscard]] Result<void> add_xgboost_tree(const Json& tree, Trees& out);

}  // namespace parley::brain
