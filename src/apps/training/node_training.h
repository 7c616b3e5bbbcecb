// App: a training on recorded or simulated runs: which runs, the result, and how to describe the
// runs.

#pragma once

#include "apps/training/train_run.h"
#include "learn/folder/model_manifest.h"
#include "learn/rounds/risk_sources.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

struct NodeTraining {
    std::vector<std::string> runs;                  ///< Recorded; empty: simulate.
    std::optional<learn::SimulatedRuns> simulated;  ///< If there are no recorded runs.
    learn::RiskRules rules;
    bool families = false;  ///< Whether to train again without each family of faults.
    TrainOptions flags;     ///< Its trace and files are not used.
};

/// The result of training and judging. Only the rows that the flags ask for are written. The
/// manifest is complete except for what save_model sets.
struct NodeBrain {
    Trained said;
    std::string html;
    learn::ModelManifest manifest;
    std::string model_bytes;
    bool unchanged = false;  ///< It is the existing model, so there is nothing to keep.
};

/// From flags: seeds as FIRST-LAST, a length such as 24h.
[[nodiscard]] Result<learn::SimulatedRuns> simulated_runs(const std::string& seeds,
                                                          const std::string& length_text);

/// Such as "simulated: scenario mixed, seeds 1 to 60, 24h each, nobody acting".
std::string provenance_of(const NodeTraining& training);

/// The amount of work in the unit in which `learn::Done` is shown: runs, or simulated hours.
std::uint64_t steps_of(const NodeTraining& training);
/// The unit's name.
const char* steps_name(const NodeTraining& training);
/// Converts fractions of runs into these steps.
learn::Done shown_by(const NodeTraining& training, const TrainWatch& watch);

}  // namespace parley::app
