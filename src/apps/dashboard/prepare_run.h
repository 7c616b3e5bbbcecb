// App: what a run prepares before its first round, in front of a person and of the dashboard.

#pragma once

#include "apps/dashboard/dashboard.h"
#include "apps/tuning/boot_tuning.h"

#include <vector>

namespace parley::app {

/// Tunes as the flags say, shown on the dashboard while it goes on, and gives the stages so far and
/// that one. The link is printed first where there are trials to wait for.
std::vector<BootStage> prepare(Dashboard& board, const TuningStart& start, model::Policy& policy,
                               std::vector<BootStage> stages);

}  // namespace parley::app
