// App: a whole training in front of a person: flags in, progress and a report on the way, a model
// on the shelf or in a folder and the status to exit with out.

#pragma once

#include "apps/training/train_flags.h"

namespace parley::app {

/// Checks, trains, says how good it is, and keeps the model. Prints what goes wrong.
int train_in_sight(const TrainFlags& flags, bool risk);

}  // namespace parley::app
