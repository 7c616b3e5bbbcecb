// App: which run is meant if none was named: asks a person at a terminal, otherwise lists the
// choices. Never guesses.

#pragma once

#include "apps/dashboard/server_file.h"
#include "base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// Asks a question and returns the typed line; nothing: there is nobody to ask.
using AskPerson = std::function<std::optional<std::string>(const std::string& question)>;
/// Uses the standard error and input if both are a terminal.
AskPerson person_at_terminal();

/// Runs that this user's dashboards show now, as absolute paths, each once.
std::vector<std::string> runs_shown(const std::vector<ServerWord>& words);

/// The one that is chosen by number. The error lists all choices and how to write each; `command`
/// is what they are for: "parley stop".
[[nodiscard]] Result<std::string> which_of(const std::vector<std::string>& choices,
                                           const std::string& command, const AskPerson& ask);

/// Why a stop is lifted: as it was given, or as a person answers; never guessed. A stop itself
/// needs no reason, and is refused with one.
[[nodiscard]] Result<std::string> reason_of(bool clears, std::string because, const AskPerson& ask);

/// `parley stop '/runs/my run' --clear`, valid in any folder.
std::string lift_command(const std::string& run);

}  // namespace parley::app
