// App: the flags for what a run prepares before its first round, and preparing it with progress for
// a person.

#pragma once

#include "apps/terminal/command.h"
#include "apps/tuning/boot_tuning.h"

#include <functional>

namespace parley::app {

void add_boot_flags(Command& command, BootFlags& into);

/// Calls tune_at_start with a line of progress on the standard error; `told` is informed as well.
/// No trial begins after ten minutes; Ctrl-C ends it.
BootStage tune_in_sight(const TuningStart& start, model::Policy& policy,
                        const std::function<void(const BootStage&)>& told);

}  // namespace parley::app
