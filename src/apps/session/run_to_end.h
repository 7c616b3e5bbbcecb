// App: an open session in, its rounds as fast as they go to the last one, and what they came to
// out.

#pragma once

#include "apps/session/session.h"
#include "apps/session/summary.h"
#include "base/file.h"

#include <cstdint>
#include <string>

namespace parley::app {

/// What a recorded run that is gone on with has made so far.
[[nodiscard]] Result<Tally> tally_of_record(Disk& disk, const std::string& folder);

/// Makes rounds up to `last`, or until somebody stops it, with a line of progress, and closes the
/// record. `tally` has what was made before. The summary is filled in also where it fails.
[[nodiscard]] Result<void> run_to_end(Session& session, std::uint64_t last, Tally tally,
                                      RunSummary& summary);

}  // namespace parley::app
