// App: where a run is recorded, and what to tell a person about it.

#pragma once

#include "apps/terminal/settings.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <string>

namespace parley::app {

/// From --event-dir, or the first of runs/NAME-SEED, runs/NAME-SEED-2, -3, ... that is free. Empty
/// if nothing is recorded.
[[nodiscard]] Result<std::string> run_folder(Disk& disk, const Settings& settings,
                                             const std::string& name);

/// False if a run failed because its record is no longer where it was: then nothing is promised
/// about it.
bool is_kept(const Error& failure);
/// What to say after a failure.
std::string aftermath(const Error& failure);

/// Where the run is, and three commands to continue with. `name` says which run it was; an empty
/// folder: nothing was recorded.
std::string farewell(const std::string& name, const std::string& folder, std::uint64_t rounds,
                     const std::string& how);

}  // namespace parley::app
