// App: a model of node risk from recorded or simulated runs: rows, training, report, model folder.

#pragma once

#include "apps/training/node_training.h"
#include "base/file.h"
#include "learn/rounds/risk_rows.h"

namespace parley::app {

[[nodiscard]] Result<NodeBrain> train_node_risk(Disk& disk, const NodeTraining& training,
                                                const TrainWatch& watch);

/// The same from existing rows with weights.
[[nodiscard]] Result<NodeBrain> train_on_rows(Disk& disk, const NodeTraining& training,
                                              const learn::RiskData& data, const TrainWatch& watch);

}  // namespace parley::app
