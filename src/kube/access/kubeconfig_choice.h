// Kube, kubeconfig: a merged kubeconfig and what the command line says in, one Access out.

#pragma once

#include "base/result.h"
#include "kube/access/kubeconfig.h"

#include <string>

namespace parley::kube {

/// Flags, named as kubectl's. Empty: not given.
struct Overrides {
    std::string context;
    std::string cluster;
    std::string user;
    std::string server;                     ///< Drops the `tls-server-name` of the file.
    std::string certificate_authority;      ///< A file; drops the CA data of the kubeconfig.
    bool insecure_skip_tls_verify = false;  ///< Drops the CA of the file. Loopback only.
    Secret token;                           ///< Drops the token file of the user.
    std::string default_namespace;
    std::string tls_server_name;
    Secret proxy_url;
};

/// Chooses context, cluster and user, and applies the flags. Pure: a CA in a file is named by
/// `ca_file` and not yet read. Refuses, each in one sentence with place and remedy: names that do
/// not exist, no server, plain http or an unverified server off loopback, unverified without the
/// flag, basic authentication, auth providers, impersonation, contradictions, plugins of a version
/// or mode that is none. Over http no credential is sent, as kubectl does: the identity is none.
[[nodiscard]] Result<Access> choose(const Kubeconfig& config, const Overrides& overrides);

/// The flags that concern the server, applied to an Access that came from elsewhere, and the rules
/// for http and unverified servers. The last step of choose().
[[nodiscard]] Result<Access> apply(Access access, const Overrides& overrides);

}  // namespace parley::kube
