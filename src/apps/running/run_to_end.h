// App: makes rounds as fast as they come to the last one, and summarises them.

#pragma once

#include "apps/running/rounds.h"
#include "apps/running/summary.h"
#include "base/file.h"
#include "base/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace parley::app {

/// What a resumed run has done so far.
[[nodiscard]] Result<Tally> tally_of_record(Disk& disk, const std::string& folder);

/// Says that no round is left to make: the run has `has` of them, and `last` counts from its first.
/// Empty: there are some.
std::string nothing_left(std::uint64_t has, std::uint64_t last);

/// Records how a run ended, and why, and closes the record.
using FinishRun = std::function<Result<void>(store::RunStatus status, const std::string& reason)>;

/// Makes rounds up to `last`, or until somebody stops it, with a line of progress, and finishes the
/// run. The rounds must come when asked for. `tally` holds earlier rounds. The summary is filled in
/// even if it fails.
[[nodiscard]] Result<void> run_to_end(Rounds& rounds, std::uint64_t last, Tally tally,
                                      const FinishRun& finish, RunSummary& summary);

}  // namespace parley::app
