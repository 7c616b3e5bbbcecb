// App: what the dashboard asks of the program around it: why and why-not, brains and studies, how a
// run was started.

#pragma once

#include "base/file.h"
#include "web/run/run_hooks.h"

#include <functional>
#include <optional>
#include <string>

namespace parley::app {

/// For a run folder; empty: nothing is recorded. `models` is where further brains are; or empty.
web::RunHooks record_hooks(Disk& disk, const std::string& folder, const std::string& models);

/// What the folder of a run says of whoever stopped it; nothing: nobody did.
std::optional<web::StopWord> stop_word(Disk& disk, const std::string& folder);
/// Who pressed, as the dashboard calls its people.
std::string dashboard_person(const std::string& session);

/// An answer to what somebody typed: `why`, `why node-07`, `why shop/web`, `why 142`,
/// `why-not migrate:node-03`.
web::AskView ask_record(Disk& disk, const std::string& folder, const std::string& question,
                        std::optional<std::uint64_t> round);

}  // namespace parley::app
