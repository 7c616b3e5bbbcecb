// App: prepares a run before its first round, shown to a person and on the dashboard.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/tuning/boot_tuning.h"

#include <vector>

namespace parley::app {

/// Tunes as the flags say, shown on the dashboard meanwhile, and returns the stages including that
/// one. The link is printed first if there are trials to wait for.
std::vector<BootStage> prepare(Dashboard& board, const TuningStart& start, model::Policy& policy,
                               std::vector<BootStage> stages);

}  // namespace parley::app
