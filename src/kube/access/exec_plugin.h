// Kube, credential plugins: finds the program and runs it, without a shell.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// Of --allow-exec: programs, as paths or as names that are looked for in PATH. Not given: any.
using AllowedPrograms = std::optional<std::vector<std::string>>;

/// The absolute path of the program: its command, or a bare name found in the absolute folders of
/// PATH. `denied` if it is missing (with the plugin's install hint), cannot be run, or is not
/// allowed. People should see the path once.
[[nodiscard]] Result<std::string> find_program(const ExecPlugin& plugin,
                                               const Environment& environment,
                                               const AllowedPrograms& allowed);

struct PluginRun {
    std::string path;          ///< Absolute.
    std::vector<Secret> args;  ///< Without the program itself.
    Environment environment;   ///< All of it.
    bool interactive = false;  ///< It gets our input and error output; else it has no terminal.
    Duration limit = seconds(60);
    std::uint64_t output_max = std::uint64_t{1} << 20;  ///< Bytes.
};

/// What to run for a plugin: its variables over those of the process, KUBERNETES_EXEC_INFO over
/// all.
PluginRun plugin_run(std::string path, const ExecPlugin& plugin, Environment environment,
                     const std::string& info);

/// Runs it to its end; what it wrote. Blocks for up to `limit`: call it from the pool thread. When
/// it takes longer or writes more it is killed, with what it started. It inherits no file but the
/// three usual ones. Errors: `denied` if it cannot be started, `unavailable` if it fails, with the
/// last lines of its error output, without what looks like a secret.
[[nodiscard]] Result<Secret> run_plugin(const PluginRun& run);

}  // namespace parley::kube
