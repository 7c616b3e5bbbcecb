// App: tuning before the first round: trials over the simulator, in a study in the run folder that
// Optuna reads; what is found is used if it is better on fresh seeds.

#pragma once

#include "apps/session/boot_stages.h"
#include "apps/tuning/tune_run.h"
#include "base/file.h"
#include "model/policy.h"

#include <functional>
#include <optional>
#include <string>

namespace parley::app {

/// In `tuning` below the run folder are then `study.db`, `result.json` and `tuned.yaml`.
struct TuningStart {
    BootFlags flags;
    std::string folder;   ///< Of the run; empty: nothing is recorded.
    bool resume = false;  ///< The run goes on: it was tuned when it began, or it was not.
    std::string program;
    TunePlan plan = {.fresh = 30};  ///< Trials, storage and program are set from the above.
};

/// What is kept beside the study.
struct TuningResult {
    TuneReport report;
    bool used = false;              ///< Whether the run has the winner's parameters.
    std::vector<std::string> kept;  ///< Tunable, but set by the configuration: left as they are.
};
BOOST_DESCRIBE_STRUCT(TuningResult, (), (report, used, kept))

/// Told on the way: "12 of 20, best 41.2".
using TuningShown = std::function<Go(const BootStage&, const TuneProgress&)>;

/// Whether there are trials to run, which takes a while.
bool will_tune(const TuningStart& start);

/// Tunes as the flags say, and puts what was found into the policy where it is better. Never an
/// error: a run goes on with the policy that it has, and the stage says why. Ended by `shown`, it
/// is failed with the reason.
BootStage tune_at_start(Disk& disk, const TuningStart& start, model::Policy& policy,
                        const TuningShown& shown);

}  // namespace parley::app
