// App: a model of demand from recorded or simulated runs: rows, training, report, model folder.

#pragma once

#include "apps/training/node_training.h"
#include "base/file.h"

namespace parley::app {

/// Like train_node_risk(): a forest for each of model::kDemandHorizonsMin.
[[nodiscard]] Result<NodeBrain> train_node_demand(Disk& disk, const NodeTraining& training,
                                                  const TrainWatch& watch);

}  // namespace parley::app
