// App: where a run is recorded, and what to tell a person about it.

#pragma once

#include "apps/session/session.h"
#include "apps/terminal/settings.h"
#include "base/file.h"

#include <string>

namespace parley::app {

/// From --event-dir, or the first of runs/NAME-SEED, runs/NAME-SEED-2, -3, ... that is free. Empty
/// if nothing is recorded.
[[nodiscard]] Result<std::string> run_folder(Disk& disk, const Settings& settings,
                                             const std::string& scenario);

/// Makes the options of a session from settings and scenario.
[[nodiscard]] Result<SessionOptions> session_options(Disk& disk, const Settings& settings,
                                                     bool resume);

/// The last lines of a run beside a real cluster.
std::string live_farewell(const std::string& cluster, const std::string& folder,
                          std::uint64_t rounds, const std::string& how);

/// `tour, seed 7`.
std::string run_name(const SessionOptions& options);

/// False if a run failed because its record is no longer where it was: then nothing is promised
/// about it.
bool is_kept(const Error& failure);
/// What to say after a failure.
std::string aftermath(const Error& failure);

/// Where the run is, and three commands to continue with.
std::string farewell(const SessionOptions& options, std::uint64_t rounds, const std::string& how);

}  // namespace parley::app
