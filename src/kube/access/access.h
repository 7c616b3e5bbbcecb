// Kube, access: where a cluster is and who we are to it, as values. Secrets are never shown.

#pragma once

#include "base/describe.h"
#include "http/url.h"
#include "kube/access/secret.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parley::kube {

/// Variables of a process by name.
using Environment = std::map<std::string, std::string, std::less<>>;

/// An API server.
using Server = http::Url;

/// Certificate and key, each as PEM or as a file that is read again when it changes.
struct ClientCertificate {
    Secret certificate_pem;
    std::string certificate_file;
    Secret key_pem;
    std::string key_file;
};
BOOST_DESCRIBE_STRUCT(ClientCertificate, (), (certificate_pem, certificate_file, key_pem, key_file))

enum class InteractiveMode { never, if_available, always };
BOOST_DESCRIBE_ENUM(InteractiveMode, never, if_available, always)

struct Variable {
    std::string name;
    Secret value;
};
BOOST_DESCRIBE_STRUCT(Variable, (), (name, value))

/// A program that knows how to log in.
struct ExecPlugin {
    std::string command;       ///< A bare name, searched for in PATH, or an absolute path.
    std::vector<Secret> args;  ///< Secret, since people put keys here.
    std::vector<Variable> env;
    std::string api_version;  ///< "client.authentication.k8s.io/v1" or ".../v1beta1".
    std::string install_hint;
    bool provide_cluster_info = false;
    InteractiveMode interactive = InteractiveMode::if_available;
    std::string cluster_config;  ///< JSON of the cluster's extension for plugins, or empty.
};
BOOST_DESCRIBE_STRUCT(ExecPlugin, (),
                      (command, args, env, api_version, install_hint, provide_cluster_info,
                       interactive, cluster_config))

/// Nothing set: anonymous. A certificate and a token may be used together; `exec` excludes both.
struct Identity {
    Secret token;            ///< If there is a token file, used until that could be read.
    std::string token_file;  ///< Read again when it changes.
    std::optional<ClientCertificate> certificate;
    std::optional<ExecPlugin> exec;
};
BOOST_DESCRIBE_STRUCT(Identity, (), (token, token_file, certificate, exec))

struct Access {
    Server server;
    std::string ca_pem;           ///< Certificates to trust; empty: those that this machine trusts.
    std::string ca_file;          ///< The file it was read from, if any.
    bool insecure = false;        ///< Trusts any certificate: only by flag, and on loopback.
    std::string tls_server_name;  ///< The name to verify instead of the host; empty: the host.
    Secret proxy_url;             ///< May hold a password: http or socks5.
    bool compressed = true;       ///< May answers be compressed?
    std::string default_namespace = "default";
    std::string context;
    std::string cluster;
    std::string user;
    std::string from;  ///< For people: "context prod of /home/ann/.kube/config".
    Identity identity;
};
BOOST_DESCRIBE_STRUCT(Access, (),
                      (server, ca_pem, ca_file, insecure, tls_server_name, proxy_url, compressed,
                       default_namespace, context, cluster, user, from, identity))

/// For people: "token", "certificate and token", "program aws", "none".
std::string kind_of(const Identity& identity);

}  // namespace parley::kube
