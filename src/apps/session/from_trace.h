// App: `simulate --from-trace`: the rounds of a trace decided again, and recorded as a run.

#pragma once

#include "apps/running/summary.h"
#include "apps/terminal/cli.h"

#include <string>

namespace parley::app {

/// Decides like the run that wrote the trace, except for what the flags change. Observations come
/// from the trace, so scenario, seed, mode and interval cannot be set.
[[nodiscard]] Result<RunSummary> decide_trace(const std::string& path, const RunFlags& flags);

}  // namespace parley::app
