#include "apps/parley/access_flags.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

namespace parley::app {

void add_access_flags(CLI::App& command, AccessFlags& into) {
    kube::Overrides& over = into.access.overrides;
    const auto text = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
        command.add_option(flag, value, help)->type_name(type);
    };
    text("--kubeconfig", into.access.kubeconfig, "FILE",
         "Only this one (default: KUBECONFIG, the pod's own, ~/.kube/config)");
    text("--context", over.context, "NAME", "Not the current context");
    text("--cluster", over.cluster, "NAME", "Not the context's cluster");
    text("--user", over.user, "NAME", "Not the context's user");
    text("--server", over.server, "URL", "Not the cluster's address");
    text("--certificate-authority", over.certificate_authority, "FILE", "Whom to trust");
    text("--tls-server-name", over.tls_server_name, "NAME", "Whose certificate it must be");
    text("--token", into.token, "TOKEN", "Others see it in the list of processes; a file is safer");
    command.add_flag("--insecure-skip-tls-verify", over.insecure_skip_tls_verify,
                     "Trust anybody; on loopback only");
    command.add_option("--allow-exec", into.allow_exec, "Run only this credential plugin")
        ->type_name("PROGRAM");
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
