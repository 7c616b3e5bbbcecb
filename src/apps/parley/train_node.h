// App: a model of node risk from recorded or simulated runs: rows, training, report, model folder.

#pragma once

#include "apps/parley/train_run.h"
#include "learn/model_folder.h"
#include "learn/risk_sources.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct NodeTraining {
    std::vector<std::string> runs;                  ///< Recorded; empty: simulate.
    std::optional<learn::SimulatedRuns> simulated;  ///< Where there are no runs.
    learn::RiskRules rules;
    TrainOptions flags;  ///< Its trace and files are not used.
};

/// Trains and judges; writes nothing but the rows that the flags ask for. The manifest is whole but
/// for what save_model sets.
struct NodeBrain {
    Trained said;
    std::string html;
    learn::ModelManifest manifest;
    std::string model_bytes;
    bool may_act = false;
};
[[nodiscard]] Result<NodeBrain> train_node_risk(Disk& disk, const NodeTraining& training,
                                                const TrainWatch& watch);

/// The same from rows that are there already, with their weights.
[[nodiscard]] Result<NodeBrain> train_on_rows(Disk& disk, const NodeTraining& training,
                                              const learn::RiskData& data, const TrainWatch& watch);

}  // namespace parley::app
