// Kube, credential plugins: finds the program and runs it, without a shell.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <cstdint>
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

struct PluginRun {
    std::string path;          ///< Absolute.
    std::vector<Secret> args;  ///< Without the program itself.
    Environment environment;   ///< The complete environment.
    /// It gets our input and error output; otherwise it has no terminal.
    bool interactive = false;
    Duration limit = seconds(60);
    std::uint64_t output_max = std::uint64_t{1} << 20;  ///< Bytes.
};

/// What to run for a plugin: its variables override those of the process, and KUBERNETES_EXEC_INFO
/// overrides both.
PluginRun plugin_run(std::string path, const ExecPlugin& plugin, Environment environment,
                     const std::string& info);

/// Runs it and returns what it wrote. Blocks for up to `limit`, so call it from the pool thread. If
/// it takes longer or writes more, it is killed together with what it started. It inherits only the
/// three standard files. Errors: `denied` if it cannot be started, `unavailable` if it fails, with
/// the last lines of its error output, secrets removed.
[[nodiscard]] Result<Secret> run_plugin(const PluginRun& run);

}  // namespace parley::kube
