// Tuner: whether to stop a trial that reports: median rule and Hyperband, as Optuna defines them.

#pragma once

#include "tuner/trial.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parley::tuner {

struct MedianConfig {
    std::size_t startup_trials = 5;  ///< Nothing is pruned before this many are complete.
    std::int64_t warmup_steps = 0;   ///< Nor before this step of a trial.
    std::int64_t interval_steps = 1;
    std::size_t trials_min = 1;  ///< With fewer values at a step, nothing is judged there.
};

struct HyperbandConfig {
    std::int64_t resource_min = 1;
    std::optional<std::int64_t> resource_max;  ///< By default one more than the last step so far.
    std::int64_t reduction = 3;
};

struct Judgement {
    bool prune = false;
    /// Hyperband: attributes (Owner::system) to set, by which other workers see the trial's place;
    /// JSON by name.
    Attributes reached;
};

/// Prunes if its best value is worse than the median of the complete trials at its last step. A
/// trial that reported only NaN is pruned.
Judgement judge_by_median(const Study& study, const Trial& trial, const MedianConfig& config = {});

/// Successive halving in brackets; the bracket follows from the study's name and the trial's
/// number. Judges nothing before one trial is complete, unless resource_max is given.
Judgement judge_by_hyperband(const Study& study, const Trial& trial,
                             const HyperbandConfig& config = {});

}  // namespace parley::tuner
