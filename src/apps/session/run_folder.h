// App: where a run is recorded, and what to tell a person about it.

#pragma once

#include "apps/session/session.h"
#include "apps/terminal/settings.h"
#include "base/file.h"

#include <string>

namespace parley::app {

/// What --event-dir says, or runs/NAME-SEED, or the first of runs/NAME-SEED-2, -3, ... that is
/// free. Empty if nothing is recorded.
[[nodiscard]] Result<std::string> run_folder(Disk& disk, const Settings& settings,
                                             const std::string& scenario);

/// Settings and scenario to what a session needs.
[[nodiscard]] Result<SessionOptions> session_options(Disk& disk, const Settings& settings,
                                                     bool resume);

/// For a run beside a real cluster.
std::string live_farewell(const std::string& cluster, const std::string& folder,
                          std::uint64_t rounds, const std::string& how);

/// `tour, seed 7`.
std::string run_name(const SessionOptions& options);

/// False if a run failed because its record is not where it was put: then nothing is promised of
/// it.
bool is_kept(const Error& failure);
/// What to say behind a failure.
std::string aftermath(const Error& failure);

/// Where the run is, and three commands to go on with.
std::string farewell(const SessionOptions& options, std::uint64_t rounds, const std::string& how);

}  // namespace parley::app
