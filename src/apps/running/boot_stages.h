// App: what a run prepares before its first round, and how that went: switched off is not the same
// as missing.

#pragma once

#include "apps/shelf/brains.h"
#include "model/policy.h"
#include "store/run_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

using store::StageStatus;
using BootStage = store::StageNote;

struct BootFlags {
    bool no_policy = false;
    bool no_tune = false;
    std::optional<std::int64_t> trials;
};

/// Brains and policy, in the order in which a run prepares them; boot_tuning.h adds tuning.
/// `named`: somebody named the predictor, so that running without a trained model is a choice.
std::vector<BootStage> boot_stages(const BootFlags& flags, const model::Policy& policy,
                                   const ServedBrains& served, bool named);

/// A line for each: "optuna    disabled: by --no-tune; --trials 3 is void".
std::string print(const std::vector<BootStage>& stages);

}  // namespace parley::app
