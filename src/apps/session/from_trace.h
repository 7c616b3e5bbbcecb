// App: `simulate --from-trace`: the rounds of a trace decided again, and recorded as a run.

#pragma once

#include "apps/session/summary.h"
#include "apps/terminal/cli.h"

#include <string>

namespace parley::app {

/// Decides as the run that wrote the trace did, but for what the flags set otherwise. What was
/// observed is the trace's: scenario, seed, mode and interval cannot be set.
[[nodiscard]] Result<RunSummary> decide_trace(const std::string& path, const RunFlags& flags);

}  // namespace parley::app
