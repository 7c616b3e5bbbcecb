#include "apps/live/access_flags.h"

#include "apps/terminal/cli.h"
#include "kube/access/kubeconfig_server.h"

#include <unistd.h>

namespace parley::app {

void add_access_flags(Command& command, AccessFlags& into) {
    const OptionGroup heading(command, "Cluster");
    kube::Overrides& over = into.access.overrides;
    add_text(command, "--kubeconfig", into.access.kubeconfig, "FILE",
             "Only this one (default: KUBECONFIG, the pod's own, ~/.kube/config)");
    add_text(command, "--context", over.context, "NAME", "Not the current context");
    add_text(command, "--cluster", over.cluster, "NAME", "Not the context's cluster");
    add_text(command, "--user", over.user, "NAME", "Not the context's user");
    add_text(command, "--server", over.server, "URL", "Not the cluster's address");
    add_text(command, "--certificate-authority", over.certificate_authority, "FILE",
             "Whom to trust");
    add_text(command, "--tls-server-name", over.tls_server_name, "NAME",
             "Whose certificate it must be");
    add_text(command, "--token", into.token, "TOKEN",
             "Others see it in the list of processes; a file is safer");
    command.on("--insecure-skip-tls-verify", over.insecure_skip_tls_verify,
               "Trust anybody; on loopback only");
    command.texts("--allow-exec", into.allow_exec, "Run only this credential plugin")
        .type("PROGRAM");
}

void add_space_flag(Command& command, std::vector<std::string>& into) {
    const auto is_name = [](const std::string& text) {
        return kube::is_label(text) ? std::string() : text + " is no name of a namespace";
    };
    command
        .texts("-n,--namespace", into,
               "Only this namespace, for who may not read the others; may be repeated")
        .type("NAME")
        .by_commas()
        .check(is_name);
}

Result<ChosenCluster> cluster_of(const AccessFlags& flags) {
    ChosenCluster chosen;
    chosen.credentials.environment = kube::process_environment();
    chosen.credentials.terminal = ::isatty(STDIN_FILENO) == 1;
    if (!flags.allow_exec.empty()) chosen.credentials.allow_exec = flags.allow_exec;
    kube::AccessOptions wanted = flags.access;
    wanted.overrides.token = kube::Secret(flags.token);
    auto access = kube::load_access(chosen.credentials.environment, wanted);
    if (!access) return tl::unexpected(access.error());
    chosen.name = access->context.empty() ? access->server.text() : access->context;
    chosen.access = *std::move(access);
    return chosen;
}

}  // namespace parley::app
