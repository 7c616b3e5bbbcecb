#include "kube/access/in_cluster.h"

#include "base/file.h"
#include "kube/access/kubeconfig_file.h"
#include "kube/access/kubeconfig_server.h"
#include "kube/access/kubeconfig_text.h"

#include <string_view>

namespace parley::kube {
namespace {

constexpr const char* kHost = "KUBERNETES_SERVICE_HOST";
constexpr const char* kPort = "KUBERNETES_SERVICE_PORT";

std::string variable(const Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? "" : found->second;
}

Result<Server> server_of(const Environment& environment) {
    const std::string host = variable(environment, kHost);
    const std::string port = variable(environment, kPort);
    const bool v6 = host.find(':') != std::string::npos;
    auto server = parse_server("https://" + (v6 ? "[" + host + "]" : host) + ":" + port);
    if (!server || !server->path.empty()) {
        return fail(ErrorCode::malformed, std::string(kHost) + " and " + kPort +
                                              " are no host and port; outside a pod unset them, or "
                                              "give --kubeconfig");
    }
    return server;
}

}  // namespace

bool in_pod(const Environment& environment, const std::string& mount) {
    return !variable(environment, kHost).empty() && !variable(environment, kPort).empty() &&
           stamp_of(join(mount, "token"));
}

Result<Access> pod_access(const Environment& environment, const std::string& mount) {
    auto server = server_of(environment);
    if (!server) return tl::unexpected(server.error());
    Access access{.server = *std::move(server),
                  .ca_file = join(mount, "ca.crt"),
                  .from = "the service account of this pod",
                  .identity = {.token_file = join(mount, "token")}};

    const auto ca = read_small_file(access.ca_file);
    if (!ca) return within("in a pod, whom to trust", ca.error());
    if (auto fine = check_certificates(ca->text); !fine) {
        return fail(fine.error().code, access.ca_file + " " + fine.error().message);
    }
    access.ca_pem = ca->text;

    const auto space = read_small_file(join(mount, "namespace"));
    if (!space && space.error().code != ErrorCode::gone) return within("in a pod", space.error());
    if (space) access.default_namespace = one_line(space->text);
    if (!is_label(access.default_namespace)) {
        return fail(ErrorCode::malformed, join(mount, "namespace") +
                                              ": this is no name of a namespace; what mounted it?");
    }
    return access;
}

}  // namespace parley::kube
