// App: reads a list that says which of Parley's node features each feature of a model, or column of
// a table, is, and in which unit.

#pragma once

#include "base/file.h"
#include "brain/model.h"

#include <string>
#include <vector>

namespace parley::app {

struct ListedFeature {
    std::string feature;    ///< As the model or the table names it.
    std::size_t place = 0;  ///< Index of the node feature.
    double to_ours = 1;     ///< Multiplied by this it is in our unit.
    std::size_t line = 0;
};

/// A CSV file with the columns `feature`, `serves` and `unit`; `expected` are the node features.
/// Refuses, with file and line, duplicates, unknown names, and a unit that cannot be converted to
/// ours.
[[nodiscard]] Result<std::vector<ListedFeature>> read_feature_list(
    Disk& disk, const std::string& path, const brain::FeatureList& expected);

}  // namespace parley::app
