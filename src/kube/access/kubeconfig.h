// Kube, kubeconfig: the text of a file in; its contexts, clusters and users out; several files
// merged.

#pragma once

#include "config/source.h"
#include "kube/access/access.h"

#include <string>
#include <vector>

namespace parley::kube {

/// A place in a file, for people: "file:line:column".
struct Standing {
    std::string file;
    config::Place place;

    std::string text() const;
};

struct ContextEntry {
    std::string name;
    Standing at;
    std::string cluster;
    std::string user;
    std::string default_namespace;
};

struct ClusterEntry {
    std::string name;
    Standing at;
    std::string server;
    std::string tls_server_name;
    bool insecure = false;
    std::string ca_file;  ///< Absolute if the kubeconfig's folder is; so are the files below.
    std::string ca_pem;
    Secret proxy_url;
    bool compressed = true;
    std::string exec_config;  ///< JSON of the extension `client.authentication.k8s.io/exec`.
};

struct UserEntry {
    std::string name;
    Standing at;
    Secret token;
    std::string token_file;
    ClientCertificate certificate;
    std::optional<ExecPlugin> exec;
    bool basic = false;          ///< It has a username or a password.
    bool auth_provider = false;  ///< It has an auth provider, which Parley does not run.
    bool impersonates = false;   ///< It has `as`, `as-uid`, `as-groups` or `as-user-extra`.
    std::string interactive;     ///< The interactive mode of `exec`, as written.
};

struct Kubeconfig {
    std::string current_context;
    Standing current_at;
    std::vector<ContextEntry> contexts;
    std::vector<ClusterEntry> clusters;
    std::vector<UserEntry> users;
};

/// Reads one file, whose relative paths begin at `folder`. As with kubectl, a blank file is an
/// empty kubeconfig and unknown keys are ignored. Pure. Errors are one sentence with place and
/// remedy, and repeat only names and keys, since the text is full of secrets. Refuses invalid YAML
/// and YAML beyond its limits (config/yaml.h), values of the wrong type, broken base64, and
/// duplicate names.
[[nodiscard]] Result<Kubeconfig> parse_kubeconfig(const std::string& name, std::string text,
                                                  const std::string& folder);

/// Adds what `config` does not have yet: the first file that sets something wins, and entries are
/// not mixed.
void merge(Kubeconfig& config, Kubeconfig later);

}  // namespace parley::kube
