// App: what can be said of a training before anything is read: flags in, a sentence out if they are
// senseless or name what is not there.

#pragma once

#include "apps/training/train_flags.h"
#include "base/file.h"

#include <set>
#include <string>

namespace parley::app {

/// Refuses a flag that would have no effect beside the others. `given` holds names such as
/// `--trace`.
[[nodiscard]] Result<void> check_together(const std::set<std::string>& given);

/// The same, and also: what is read is there, what is written can be and is not what is read, and
/// a public trace is known and has as many files as it should.
[[nodiscard]] Result<void> check_training(Disk& disk, const TrainFlags& flags, bool risk);

}  // namespace parley::app
