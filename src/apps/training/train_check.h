// App: checks of a training before anything is read: refuses flags that make no sense or name
// something missing.

#pragma once

#include "apps/training/train_flags.h"
#include "base/file.h"

#include <set>
#include <string>

namespace parley::app {

/// Refuses a flag that would have no effect together with the others. `given` holds names such as
/// `--trace`.
[[nodiscard]] Result<void> check_together(const std::set<std::string>& given);

/// The same, and also checks that inputs exist, that outputs can be written and are not inputs, and
/// that a public trace is known and has the right number of files.
[[nodiscard]] Result<void> check_training(Disk& disk, const TrainFlags& flags, bool risk);

}  // namespace parley::app
