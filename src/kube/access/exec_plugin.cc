#include "kube/access/exec_plugin.h"

#include "base/file.h"
#include "base/time_text.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

namespace parley::kube {
namespace {

tl::unexpected<Error> failure(const PluginRun& run, const ChildEnd& end) {
    const std::string words = last_words(end.errors);
    if (end.how == ChildEnd::How::too_long) {
        return fail(ErrorCode::unavailable, "it took longer than " + print_duration(run.limit) +
                                                "; run it by hand to see what it waits for" +
                                                words);
    }
    if (end.how == ChildEnd::How::too_much) {
        return fail(ErrorCode::malformed, "it wrote more than " + std::to_string(run.output_max) +
                                              " bytes; is it a credential plugin?" + words);
    }
    if (end.how == ChildEnd::How::signalled) {
        return fail(ErrorCode::unavailable,
                    "it was ended by signal " + std::to_string(end.code) + words);
    }
    const std::string code = end.code == -1 ? "unknown" : std::to_string(end.code);
    return fail(ErrorCode::unavailable,
                "it failed with exit status " + code + "; run it by hand to see why" + words);
}

/// The first program of that name in the absolute folders of PATH; empty if there is none. Relative
/// folders are skipped, since they would run whatever lies there.
std::string in_path(const std::string& name, const Environment& environment) {
    const auto found = environment.find("PATH");
    std::string_view rest = found == environment.end() ? "" : std::string_view(found->second);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view folder = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::string path = join(folder, name);
        if (folder.starts_with('/') && can_run(path)) return path;
    }
    return "";
}

std::string plain(const std::string& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return failed ? path : whole.lexically_normal().string();
}

bool is_allowed(const std::string& path, const Environment& environment,
                const std::vector<std::string>& allowed) {
    return std::ranges::any_of(allowed, [&](const std::string& each) {
        const bool bare = each.find('/') == std::string::npos;
        return !each.empty() && plain(bare ? in_path(each, environment) : each) == path;
    });
}

}  // namespace

Result<std::string> find_program(const ExecPlugin& plugin, const Environment& environment,
                                 const AllowedPrograms& allowed) {
    const bool bare = plugin.command.find('/') == std::string::npos;
    const std::string name = in_marks(plugin.command);
    std::string path = bare ? in_path(plugin.command, environment) : plain(plugin.command);
    std::error_code failed;
    if (path.empty() || !std::filesystem::exists(path, failed)) {
        const std::string hint = one_line(plugin.install_hint, 500);
        return fail(ErrorCode::denied,
                    "the credential plugin " + name +
                        (bare ? " is in no folder of PATH" : " does not exist") + "; " +
                        (hint.empty() ? "install it" : "its kubeconfig says: " + hint));
    }
    path = plain(path);
    if (!can_run(path)) {
        return fail(ErrorCode::denied, "the credential plugin " + name +
                                           " is no program that can be run; try chmod +x");
    }
    if (allowed && !is_allowed(path, environment, *allowed)) {
        return fail(ErrorCode::denied, "the kubeconfig runs the program " + in_marks(path) +
                                           ", which is not allowed; allow it with --allow-exec " +
                                           path);
    }
    return path;
}

PluginRun plugin_run(std::string path, const ExecPlugin& plugin, Environment environment,
                     const std::string& info) {
    for (const Variable& each : plugin.env) environment[each.name] = each.value.reveal();
    environment["KUBERNETES_EXEC_INFO"] = info;
    return {.path = std::move(path), .args = plugin.args, .environment = std::move(environment)};
}

Result<Secret> run_plugin(const PluginRun& run) {
    auto end = run_child(run);
    if (!end) return tl::unexpected(end.error());
    if (end->how != ChildEnd::How::exited || end->code != 0) return failure(run, *end);
    return Secret(std::move(end->output));
}

}  // namespace parley::kube
