// App: the model that ships, with its calibration fitted to recorded runs: for clusters with too
// few failures to train on.

#pragma once

#include "apps/training/node_training.h"
#include "base/file.h"

namespace parley::app {

/// As train_node_risk(), with the trees of the model that ships; `unchanged` where what came true
/// does not ask for another calibration.
[[nodiscard]] Result<NodeBrain> recalibrate_node_risk(Disk& disk, const NodeTraining& training,
                                                      const TrainWatch& watch);

}  // namespace parley::app
