// App: where a run is recorded, and what to tell a person about it.

#pragma once

#include "apps/terminal/settings.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace parley::app {

/// From --event-dir, or the first of runs/NAME-SEED, runs/NAME-SEED-2, -3, ... that is free. Empty
/// if nothing is recorded.
[[nodiscard]] Result<std::string> run_folder(Disk& disk, const Settings& settings,
                                             const std::string& name);

/// How many rounds a run has that came to its own end: nothing sends for it any more. Nothing if a
/// process writes it, or if it was interrupted, failed or was killed, since whoever starts it again
/// goes on with it; nor if its end cannot be read.
std::optional<std::uint64_t> complete_rounds(Disk& disk, const std::string& run);

/// False if a run failed because its record is no longer where it was: then nothing is promised
/// about it.
bool is_kept(const Error& failure);
/// What to say after a failure.
std::string aftermath(const Error& failure);

/// Where the run is, and the commands that can continue with it: none without a round, `replay`
/// only with inputs. `name` says which run it was; an empty folder: nothing was recorded.
std::string farewell(const std::string& name, const std::string& folder, std::uint64_t rounds,
                     const std::string& how, store::RecordLevel record = store::RecordLevel::full);

}  // namespace parley::app
