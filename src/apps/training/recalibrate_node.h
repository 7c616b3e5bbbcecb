// App: the shipped model with its calibration fitted to recorded runs, for clusters with too few
// failures to train on.

#pragma once

#include "apps/training/node_training.h"
#include "base/file.h"

namespace parley::app {

/// Like train_node_risk(), with the trees of the shipped model; `unchanged` if the outcomes do not
/// ask for another calibration.
[[nodiscard]] Result<NodeBrain> recalibrate_node_risk(Disk& disk, const NodeTraining& training,
                                                      const TrainWatch& watch);

}  // namespace parley::app
