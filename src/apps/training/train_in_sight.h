// App: a whole training with progress and report for a person; the model goes to the shelf or a
// folder. Returns the exit status.

#pragma once

#include "apps/training/train_flags.h"

namespace parley::app {

/// Checks, trains, reports the quality, and keeps the model. Prints errors.
int train_in_sight(const TrainFlags& flags, bool risk);

}  // namespace parley::app
