// App: what the dashboard asks of the program around it: why and why-not, brains and studies, how a
// run was started.

#pragma once

#include "base/file.h"
#include "web/served_run.h"

#include <functional>
#include <string>

namespace parley::app {

/// For a run folder; empty: nothing is recorded. `models` is where further brains are; or empty.
web::RunHooks record_hooks(Disk& disk, const std::string& folder, const std::string& models);

/// An answer to what somebody typed: `why`, `why node-07`, `why shop/web`, `why 142`,
/// `why-not migrate:node-03`.
web::AskView ask_record(Disk& disk, const std::string& folder, const std::string& question,
                        std::optional<std::uint64_t> round);

}  // namespace parley::app
