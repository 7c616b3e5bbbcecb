// App: tuning before the first round: trials in the simulator, in a study in the run folder that
// Optuna can read; the result is used if it is better on fresh seeds.

#pragma once

#include "apps/running/boot_stages.h"
#include "apps/tuning/tune_run.h"
#include "base/file.h"
#include "model/policy.h"

#include <functional>
#include <optional>
#include <string>

namespace parley::app {

/// Afterwards `tuning` in the run folder holds `study.db`, `result.json` and `tuned.yaml`.
struct TuningStart {
    BootFlags flags;
    std::string folder;   ///< Of the run; empty: nothing is recorded.
    bool resume = false;  ///< The run is resumed: whether it was tuned was decided when it began.
    std::string program;
    TunePlan plan = {.fresh = 30};  ///< Trials, storage and program are set from the above.
};

/// What is stored beside the study.
struct TuningResult {
    TuneReport report;
    bool used = false;  ///< Whether the run has the winner's parameters.
    /// Tunable, but set by the configuration and so left unchanged.
    std::vector<std::string> kept;
};
BOOST_DESCRIBE_STRUCT(TuningResult, (), (report, used, kept))

/// Called with progress: "12 of 20, best 41.2".
using TuningShown = std::function<Go(const BootStage&, const TuneProgress&)>;

/// Whether there are trials to run, which takes a while.
bool will_tune(const TuningStart& start);

/// Tunes as the flags say, and puts the result into the policy if it is better. Never an error:
/// otherwise the run keeps its policy, and the stage says why. If `shown` ends it, the stage is
/// failed with the reason.
BootStage tune_at_start(Disk& disk, const TuningStart& start, model::Policy& policy,
                        const TuningShown& shown);

}  // namespace parley::app
