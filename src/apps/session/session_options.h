// App: settings in, the options of a run on the simulated cluster out.

#pragma once

#include "apps/session/session.h"
#include "apps/terminal/settings.h"
#include "base/file.h"
#include "base/result.h"

#include <string>

namespace parley::app {

/// Makes the options of a session from settings and scenario.
[[nodiscard]] Result<SessionOptions> session_options(Disk& disk, const Settings& settings,
                                                     bool resume);

/// `tour, seed 7`.
std::string run_name(const SessionOptions& options);

}  // namespace parley::app
