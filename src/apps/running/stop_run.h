// App: a person stops a run or lets it act again; what that came to, as a sentence.

#pragma once

#include "apps/running/kill_switch.h"
#include "base/file.h"
#include "base/result.h"

#include <string>

namespace parley::app {

/// Presses the kill switch, unless the run is over: then there is nothing to stop. One that no
/// process runs now is stopped, too, for whoever goes on with it.
[[nodiscard]] Result<std::string> stop_run(Disk& disk, const std::string& run,
                                           const std::string& who);

/// Lifts it, also of a run that is over.
[[nodiscard]] Result<std::string> clear_run(Disk& disk, const std::string& run, const Lift& lift);

}  // namespace parley::app
