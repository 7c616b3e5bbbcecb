// Kube, kubeconfig: a merged kubeconfig and what the command line says in, one Access out.

#pragma once

#include "base/result.h"
#include "kube/access/kubeconfig.h"

#include <string>

namespace parley::kube {

/// Flags, named as in kubectl. Empty: not given.
struct Overrides {
    std::string context;
    std::string cluster;
    std::string user;
    std::string server;  ///< If given, the file's `tls-server-name` is ignored.
    /// A file; if given, the CA data of the kubeconfig is ignored.
    std::string certificate_authority;
    /// If set, the CA of the file is ignored. Loopback only.
    bool insecure_skip_tls_verify = false;
    Secret token;  ///< If given, the token file of the user is ignored.
    std::string default_namespace;
    std::string tls_server_name;
    Secret proxy_url;
};

/// Chooses context, cluster and user, and applies the flags. Pure: a CA in a file is named by
/// `ca_file` and not read yet. Refuses, in one sentence with place and remedy: names that do not
/// exist, a missing server, plain http or an unverified server that is not on loopback, an
/// unverified server without the flag, basic authentication, auth providers, impersonation,
/// contradictions, plugins of an unknown version or mode. As with kubectl, no credential is sent
/// over http: the identity is empty.
[[nodiscard]] Result<Access> choose(const Kubeconfig& config, const Overrides& overrides);

/// Applies the flags that concern the server to an Access from elsewhere, and the rules for http
/// and unverified servers. The last step of choose().
[[nodiscard]] Result<Access> apply(Access access, const Overrides& overrides);

}  // namespace parley::kube
