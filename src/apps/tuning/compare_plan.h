// App: turns what `parley compare` was asked for into a comparison that can be run.

#pragma once

#include "apps/tuning/compare_flags.h"
#include "base/file.h"
#include "experiment/compare.h"

namespace parley::app {

/// Reads the policies, scenarios and models that the flags name. Refuses, in one sentence, what
/// cannot be compared: duplicates, unknown arms, invalid times and seeds, models that are not
/// served, files that could not be written.
[[nodiscard]] Result<experiment::Plan> compare_plan(Disk& disk, const CompareFlags& flags);

}  // namespace parley::app
