// App: the flags of what a run prepares before its first round, and preparing it in front of a
// person.

#pragma once

#include "apps/parley/boot_tuning.h"

#include <CLI/CLI.hpp>

namespace parley::app {

void add_boot_flags(CLI::App& command, BootFlags& into);

/// tune_at_start with a line of progress on the standard error. No trial begins after ten minutes;
/// Ctrl-C ends it.
BootStage tune_in_sight(const TuningStart& start, model::Policy& policy);

}  // namespace parley::app
