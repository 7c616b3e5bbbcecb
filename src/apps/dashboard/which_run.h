// App: which run is meant where nobody named one: a person at a terminal is asked, everybody else
// is told the choices. Never guessed.

#pragma once

#include "apps/dashboard/server_file.h"
#include "base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace parley::app {

/// Asks a question and gives the line that was typed; nothing: there is nobody to ask.
using AskPerson = std::function<std::optional<std::string>(const std::string& question)>;
/// On the standard error and input, where both are a terminal.
AskPerson person_at_terminal();

/// Runs that dashboards of this person show now, as whole paths, each once.
std::vector<std::string> runs_shown(const std::vector<ServerWord>& words);

/// The one that is chosen by its number. Fails with a sentence that names all choices and how each
/// is written; `command` is what they are for: "parley stop".
[[nodiscard]] Result<std::string> which_of(const std::vector<std::string>& choices,
                                           const std::string& command, const AskPerson& ask);

/// `parley stop '/runs/my run' --clear`, wherever it is typed.
std::string lift_command(const std::string& run);

}  // namespace parley::app
