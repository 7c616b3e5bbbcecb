// App: a model of node risk from recorded or simulated runs: rows, training, report, model folder.

#pragma once

#include "apps/training/train_run.h"
#include "learn/fit/booster.h"
#include "learn/folder/model_folder.h"
#include "learn/risk/risk_trainer.h"
#include "learn/rounds/risk_sources.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct NodeTraining {
    std::vector<std::string> runs;                  ///< Recorded; empty: simulate.
    std::optional<learn::SimulatedRuns> simulated;  ///< Where there are no runs.
    learn::RiskRules rules;
    bool families = false;  ///< Whether to train again without each family of faults.
    TrainOptions flags;     ///< Its trace and files are not used.
};

/// Trains and judges; writes nothing but the rows that the flags ask for. The manifest is whole but
/// for what save_model sets.
struct NodeBrain {
    Trained said;
    std::string html;
    learn::ModelManifest manifest;
    std::string model_bytes;
    bool unchanged = false;  ///< It is the model that was there: nothing to be kept.
};
[[nodiscard]] Result<NodeBrain> train_node_risk(Disk& disk, const NodeTraining& training,
                                                const TrainWatch& watch);

/// The same from rows that are there already, with their weights.
[[nodiscard]] Result<NodeBrain> train_on_rows(Disk& disk, const NodeTraining& training,
                                              const learn::RiskData& data, const TrainWatch& watch);
/// From flags: seeds as FIRST-LAST, a length such as 24h.
[[nodiscard]] Result<learn::SimulatedRuns> simulated_runs(const std::string& seeds,
                                                          const std::string& length_text);

/// Rows of the training's runs, with the weights of censoring.
[[nodiscard]] Result<learn::RiskData> node_data(Disk& disk, const NodeTraining& training,
                                                const learn::Done& done);
/// Of the rows that node_data() gives; the trees are those of the defaults.
learn::RiskOptions risk_options(const NodeTraining& training);
/// What a manifest says of how good the model is.
void set_quality(const learn::RiskQuality& quality, learn::ModelManifest& manifest);

// What models of demand say of themselves, too.

/// Such as "simulated: scenario mixed, seeds 1 to 60, 24h each, nobody acting".
std::string provenance_of(const NodeTraining& training);
/// What there is of runs, in the unit in which `learn::Done` is shown: runs, or simulated hours.
std::uint64_t steps_of(const NodeTraining& training);
/// Turns parts of runs into these steps.
learn::Done shown_by(const NodeTraining& training, const TrainWatch& watch);
/// Rows from all over the test part, with the margins that XGBoost itself gives.
[[nodiscard]] Result<std::vector<learn::Probe>> probes_of(
    const learn::Rows& rows, const std::vector<std::uint32_t>& test_rows,
    const learn::Booster& booster);
/// Of the manifest, what does not depend on the kind.
learn::ModelManifest begun_manifest(const NodeTraining& training, brain::ModelKind kind,
                                    const learn::BoosterParameters& parameters);

}  // namespace parley::app
