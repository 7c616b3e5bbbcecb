// App: what the dashboard needs from the program: why and why-not, models and studies, how a run
// was started.

#pragma once

#include "base/file.h"
#include "web/run/run_hooks.h"

#include <functional>
#include <optional>
#include <string>

namespace parley::app {

/// For a run folder; empty: nothing is recorded. `models` is the folder of further models, or
/// empty.
web::RunHooks record_hooks(Disk& disk, const std::string& folder, const std::string& models);

/// Who stopped a run, from its folder; nothing: nobody.
std::optional<web::StopWord> stop_word(Disk& disk, const std::string& folder);
/// The name of a person of the dashboard.
std::string dashboard_person(const std::string& session);

/// Answers what somebody typed: `why`, `why node-07`, `why shop/web`, `why 142`, `why-not
/// migrate:node-03`.
web::AskView ask_record(Disk& disk, const std::string& folder, const std::string& question,
                        std::optional<std::uint64_t> round);

}  // namespace parley::app
