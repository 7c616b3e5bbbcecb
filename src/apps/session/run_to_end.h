// App: runs the rounds of an open session as fast as possible to the last one, and summarises them.

#pragma once

#include "apps/session/session.h"
#include "apps/session/summary.h"
#include "base/file.h"

#include <cstdint>
#include <string>

namespace parley::app {

/// What a resumed run has done so far.
[[nodiscard]] Result<Tally> tally_of_record(Disk& disk, const std::string& folder);

/// Makes rounds up to `last`, or until somebody stops it, with a line of progress, and closes the
/// record. `tally` holds earlier rounds. The summary is filled in even if it fails.
[[nodiscard]] Result<void> run_to_end(Session& session, std::uint64_t last, Tally tally,
                                      RunSummary& summary);

}  // namespace parley::app
