// Kube, kubeconfig: the text of a file in, its contexts, clusters and users out; several merged.

#pragma once

#include "config/source.h"
#include "kube/access/access.h"

#include <string>
#include <vector>

namespace parley::kube {

/// Where something stands, for people: "file:line:column".
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
    std::string ca_file;  ///< Absolute, if the folder of the kubeconfig is; likewise below.
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
    bool auth_provider = false;  ///< It has one, which Parley does not run.
    bool impersonates = false;   ///< It has `as`, `as-uid`, `as-groups` or `as-user-extra`.
    std::string interactive;     ///< Of `exec`, as it stands there.
};

struct Kubeconfig {
    std::string current_context;
    Standing current_at;
    std::vector<ContextEntry> contexts;
    std::vector<ClusterEntry> clusters;
    std::vector<UserEntry> users;
};

/// Reads one file, whose relative paths begin at `folder`. A blank one is an empty kubeconfig and
/// unknown keys are ignored, as kubectl does. Pure. Errors are one sentence with place and remedy,
/// and repeat nothing of the text but names and keys: it is full of secrets. Refused are what is no
/// YAML or has its limits (config/yaml.h), a value of the wrong type, broken base64, a name twice.
[[nodiscard]] Result<Kubeconfig> parse_kubeconfig(const std::string& name, std::string text,
                                                  const std::string& folder);

/// Adds what `config` does not have yet: the first file to set something wins, entries whole.
void merge(Kubeconfig& config, Kubeconfig later);

}  // namespace parley::kube
