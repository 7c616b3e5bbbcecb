// App: puts a model that XGBoost saved anywhere on the shelf to serve nodes, given a list of what
// its features are.

#pragma once

#include "apps/shelf/model_run.h"
#include "base/time.h"

#include <string>

namespace parley::app {

struct ModelImport {
    std::string path;      ///< A file of XGBoost, or a folder that `parley train --out` wrote.
    std::string features;  ///< The list for read_feature_list.
    Duration gap = minutes(2);
    Duration horizon = minutes(30);  ///< Within which its forecast events happen.
    bool calibrated = false;         ///< Its probabilities are right as they are.
};

/// Every feature that a split uses must be in the list. The trees are rewritten to use node
/// features, and probe rows hold the margins that the file itself gives. A folder includes its
/// calibration. Only risk models: demand needs forests for four horizons.
[[nodiscard]] Result<std::string> import_model(Disk& disk, const std::string& models,
                                               const learn::SigningKey& key,
                                               const ModelImport& import);

}  // namespace parley::app
