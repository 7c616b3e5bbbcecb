// Kube, credential plugins: finds the program and runs it, without a shell.

#pragma once

#include "base/result.h"
#include "kube/access/child.h"

#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// From --allow-exec: programs, as paths or as names to be searched for in PATH. Nothing: any
/// program.
using AllowedPrograms = std::optional<std::vector<std::string>>;

/// The absolute path of the program: its command, or a bare name found in the absolute folders of
/// PATH. `denied` if it is missing (with the plugin's install hint), cannot be run, or is not
/// allowed. The path should be shown to people once.
[[nodiscard]] Result<std::string> find_program(const ExecPlugin& plugin,
                                               const Environment& environment,
                                               const AllowedPrograms& allowed);

using PluginRun = ChildRun;

/// What to run for a plugin: its variables override those of the process, and KUBERNETES_EXEC_INFO
/// overrides both.
PluginRun plugin_run(std::string path, const ExecPlugin& plugin, Environment environment,
                     const std::string& info);

/// Runs it as run_child() does and returns what it wrote. Errors: `denied` if it cannot be started,
/// `unavailable` if it fails, with the last lines of its error output, secrets removed.
[[nodiscard]] Result<Secret> run_plugin(const PluginRun& run);

}  // namespace parley::kube
