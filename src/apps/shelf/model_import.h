// App: a model that XGBoost saved anywhere, put on the shelf to serve nodes. A file and a list of
// what its features are in, the id of a model out.

#pragma once

#include "apps/shelf/model_run.h"
#include "base/time.h"

#include <string>

namespace parley::app {

struct ModelImport {
    std::string path;      ///< A file of XGBoost, or a folder that `parley train --out` wrote.
    std::string features;  ///< The list, as read_feature_list has it.
    Duration gap = minutes(2);
    Duration horizon = minutes(30);  ///< Within which what it forecasts is meant to come.
    bool calibrated = false;         ///< Its probabilities are right as they are.
};

/// Every feature that a split asks for must be in the list. The trees are rewritten to ask for node
/// features, and probe rows hold the margins that the file itself gives. A folder brings its
/// calibration along. Only models of risk: demand is served by forests of four horizons.
[[nodiscard]] Result<std::string> import_model(Disk& disk, const std::string& models,
                                               const learn::SigningKey& key,
                                               const ModelImport& import);

}  // namespace parley::app
