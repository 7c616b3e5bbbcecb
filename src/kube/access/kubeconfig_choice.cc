#include "kube/access/kubeconfig_choice.h"

#include "config/nearest.h"
#include "http/proxy.h"
#include "kube/access/kubeconfig_server.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace parley::kube {
namespace {

constexpr std::string_view kGroup = "client.authentication.k8s.io/";

tl::unexpected<Error> refuse(const Standing& at, const std::string& sentence) {
    return fail(ErrorCode::denied, (at.file.empty() ? "" : at.text() + ": ") + sentence);
}

/// Completes an error message that lacks its subject, and adds the place.
tl::unexpected<Error> about(const std::string& where, const char* what, Error error) {
    error.message = std::string(what) + " " + error.message;
    return within(where, std::move(error));
}

/// "; did you mean prod-eu?", or the list of names.
template <class E>
std::string remedy(const std::string& name, const std::vector<E>& entries, const char* flag) {
    std::vector<std::string> names;
    for (const E& entry : entries) names.push_back(entry.name);
    const std::string near = name.empty() ? "" : config::nearest(name, names);
    if (!near.empty()) return "; did you mean " + in_marks(near) + "?";
    if (names.empty()) return "; there is none at all: is it the right file?";
    constexpr std::size_t shown_max = 8;
    const bool all = names.size() <= shown_max;
    if (!all) names.resize(shown_max);
    for (std::string& each : names) each = in_marks(each);
    return std::string("; ") + flag + " can be " + config::listed(names) +
           (all ? "" : " and others");
}

/// The entry of that name. `at` is where it was named; empty: by a flag.
template <class E>
Result<const E*> named(const std::string& name, const std::vector<E>& entries, const char* kind,
                       const Standing& at) {
    const auto found = std::ranges::find(entries, name, &E::name);
    if (found != entries.end()) return &*found;
    return refuse(at, std::string("there is no ") + kind + " " + in_marks(name) +
                          remedy(name, entries, (std::string("--") + kind).c_str()));
}

Result<ContextEntry> chosen_context(const Kubeconfig& config, const Overrides& overrides) {
    const bool by_flag = !overrides.context.empty();
    const std::string& name = by_flag ? overrides.context : config.current_context;
    if (!name.empty()) {
        const auto found =
            named(name, config.contexts, "context", by_flag ? Standing{} : config.current_at);
        if (!found) return tl::unexpected(found.error());
        return **found;
    }
    if (!overrides.cluster.empty() || !overrides.server.empty()) return ContextEntry{};
    return refuse({}, "no context is chosen: the kubeconfig has no current-context" +
                          remedy("", config.contexts, "--context"));
}

Result<void> take_cluster(const ClusterEntry& entry, const Overrides& overrides, Access& access) {
    access.cluster = entry.name;
    access.ca_pem = entry.ca_pem;
    access.ca_file = entry.ca_pem.empty() ? entry.ca_file : "";
    access.insecure = entry.insecure;
    access.tls_server_name = entry.tls_server_name;
    access.proxy_url = entry.proxy_url;
    access.compressed = entry.compressed;
    if (!overrides.server.empty()) return {};
    if (entry.server.empty()) {
        return refuse(entry.at, "the cluster " + in_marks(entry.name) +
                                    " has no server; write one, or give --server");
    }
    auto server = parse_server(entry.server);
    if (!server) return within(entry.at.text(), server.error());
    access.server = *std::move(server);
    return {};
}

/// Why this user has no method of authentication that we support, if so.
Result<void> check_methods(const UserEntry& user) {
    const std::string who = "the user " + in_marks(user.name);
    const bool token = !user.token.empty() || !user.token_file.empty();
    if (user.basic && token) {
        return refuse(user.at, who + " has both a token and a username or password; remove one");
    }
    if (user.basic) {
        return refuse(user.at, who +
                                   " has a username or password, which API servers have not "
                                   "accepted since 1.19; use a token, a certificate or exec");
    }
    if (user.exec && user.auth_provider) {
        return refuse(user.at, who + " has both exec and auth-provider; remove auth-provider");
    }
    if (user.auth_provider) {
        return refuse(user.at, who +
                                   " uses an auth-provider, which kubectl dropped in 1.26; use "
                                   "exec, with gke-gcloud-auth-plugin, kubelogin or the like");
    }
    if (user.impersonates) {
        return refuse(user.at, who +
                                   " impersonates another (as), which Parley never does; give it "
                                   "a user with the rights it needs");
    }
    return {};
}

Result<ClientCertificate> certificate_of(const UserEntry& user) {
    ClientCertificate out = user.certificate;
    const std::string who = "the user " + in_marks(user.name);
    // Data takes precedence over a file.
    if (!out.certificate_pem.empty()) out.certificate_file.clear();
    if (!out.key_pem.empty()) out.key_file.clear();
    if (out.key_pem.empty() && out.key_file.empty()) {
        return refuse(user.at, who +
                                   " has a client-certificate and no key; add client-key or "
                                   "client-key-data");
    }
    if (out.certificate_pem.empty() && out.certificate_file.empty()) {
        return refuse(user.at, who +
                                   " has a client-key and no certificate; add client-certificate "
                                   "or client-certificate-data");
    }
    const auto pem = out.certificate_pem.empty() ? Result<void>{}
                                                 : check_certificates(out.certificate_pem.reveal());
    if (!pem) return about(user.at.text(), "client-certificate-data", pem.error());
    const auto key = out.key_pem.empty() ? Result<void>{} : check_key(out.key_pem.reveal());
    if (!key) return about(user.at.text(), "client-key-data", key.error());
    return out;
}

Result<ExecPlugin> plugin_of(const UserEntry& user, const std::string& cluster_config) {
    ExecPlugin plugin = *user.exec;
    plugin.cluster_config = cluster_config;
    const std::string who = "exec of the user " + in_marks(user.name);
    if (plugin.command.empty()) return refuse(user.at, who + " has no command; write one");
    const std::string version = plugin.api_version.starts_with(kGroup)
                                    ? plugin.api_version.substr(kGroup.size())
                                    : std::string();
    if (version == "v1alpha1") {
        return refuse(user.at,
                      who + " speaks " + plugin.api_version +
                          ", which kubectl dropped in 1.24; write v1beta1 or v1, for EKS by "
                          "'aws eks update-kubeconfig' of a newer aws");
    }
    if (version != "v1" && version != "v1beta1") {
        return refuse(
            user.at, who + " has no apiVersion that is known; write " + std::string(kGroup) + "v1");
    }
    const std::string& mode = user.interactive;
    if (mode.empty() && version == "v1") {
        return refuse(user.at, who +
                                   " has no interactiveMode, which v1 requires; write Never, "
                                   "IfAvailable or Always");
    }
    if (mode == "Never") {
        plugin.interactive = InteractiveMode::never;
    } else if (mode == "Always") {
        plugin.interactive = InteractiveMode::always;
    } else if (mode.empty() || mode == "IfAvailable") {
        plugin.interactive = InteractiveMode::if_available;
    } else {
        return refuse(user.at, who +
                                   " has an interactiveMode that is none; write Never, "
                                   "IfAvailable or Always");
    }
    return plugin;
}

Result<Identity> identity_of(const UserEntry& user, const Overrides& overrides,
                             const std::string& cluster_config) {
    if (auto fine = check_methods(user); !fine) return tl::unexpected(fine.error());
    Identity identity{.token = user.token, .token_file = user.token_file};
    if (!overrides.token.empty()) identity = {.token = overrides.token};
    if (!identity.token.empty()) {
        auto token = clean_token(identity.token.reveal());
        const std::string where = overrides.token.empty() ? user.at.text() : "--token";
        if (!token) return about(where, "the token", token.error());
        identity.token = Secret(*std::move(token));
    }
    const ClientCertificate& given = user.certificate;
    const bool certified = !given.certificate_pem.empty() || !given.certificate_file.empty() ||
                           !given.key_pem.empty() || !given.key_file.empty();
    if (certified) {
        auto certificate = certificate_of(user);
        if (!certificate) return tl::unexpected(certificate.error());
        identity.certificate = *std::move(certificate);
    }
    if (user.exec) {
        auto plugin = plugin_of(user, cluster_config);
        if (!plugin) return tl::unexpected(plugin.error());
        // As in kubectl: a program is not run if there is another credential.
        const bool brought = certified || !identity.token.empty() || !identity.token_file.empty();
        if (!brought) identity.exec = *std::move(plugin);
    }
    return identity;
}

/// An unverified or plain-http server must be on this machine, reached directly, and requested by
/// flag.
Result<void> check_trust(const Access& access, const Overrides& overrides) {
    const bool here = http::loopback(access.server.host) && access.proxy_url.empty();
    const std::string whom = access.server.text();
    if (!access.server.tls && !here) {
        return fail(ErrorCode::denied, "the API server " + whom +
                                           " speaks plain http, which anybody on the way reads and "
                                           "changes; use https://, or 'kubectl proxy' and "
                                           "http://127.0.0.1:8001");
    }
    if (!access.insecure || !access.server.tls) return {};
    if (!here) {
        return fail(ErrorCode::denied,
                    "the API server " + whom +
                        " would not be verified (insecure-skip-tls-verify), which "
                        "is allowed on loopback only; give its CA by "
                        "certificate-authority");
    }
    if (!overrides.insecure_skip_tls_verify) {
        return fail(ErrorCode::denied,
                    "the cluster has insecure-skip-tls-verify; give its CA by "
                    "certificate-authority, or say --insecure-skip-tls-verify");
    }
    return {};
}

}  // namespace

Result<Access> apply(Access access, const Overrides& overrides) {
    if (!overrides.server.empty()) {
        auto server = parse_server(overrides.server);
        if (!server) return within("--server", server.error());
        access.server = *std::move(server);
    }
    if (!overrides.server.empty() || !overrides.tls_server_name.empty()) {
        access.tls_server_name = overrides.tls_server_name;
    }
    if (overrides.insecure_skip_tls_verify || !overrides.certificate_authority.empty()) {
        if (overrides.insecure_skip_tls_verify && !overrides.certificate_authority.empty()) {
            return fail(ErrorCode::denied,
                        "--certificate-authority and --insecure-skip-tls-verify "
                        "contradict each other; give one");
        }
        access.insecure = overrides.insecure_skip_tls_verify;
        access.ca_file = overrides.certificate_authority;
        access.ca_pem.clear();
    }
    if (!overrides.proxy_url.empty()) access.proxy_url = overrides.proxy_url;
    if (!access.proxy_url.empty()) {
        if (auto fine = http::parse_proxy(access.proxy_url.reveal()); !fine) {
            return within("proxy-url", fine.error());
        }
    }
    if (!access.tls_server_name.empty() && !is_host(access.tls_server_name)) {
        return fail(ErrorCode::malformed,
                    "tls-server-name is no name of a host; write the name "
                    "that the server's certificate has");
    }
    if (!overrides.default_namespace.empty())
        access.default_namespace = overrides.default_namespace;
    if (!is_label(access.default_namespace)) {
        return fail(ErrorCode::malformed, "no namespace can be called " +
                                              in_marks(access.default_namespace) +
                                              "; use small letters, digits and -");
    }
    if (!access.ca_pem.empty()) {
        const auto fine = check_certificates(access.ca_pem);
        if (!fine)
            return fail(fine.error().code, "certificate-authority-data " + fine.error().message);
    }
    if (auto fine = check_trust(access, overrides); !fine) return tl::unexpected(fine.error());
    if (!access.server.tls) access.identity = {};
    return access;
}

Result<Access> choose(const Kubeconfig& config, const Overrides& overrides) {
    const auto context = chosen_context(config, overrides);
    if (!context) return tl::unexpected(context.error());
    Access access{.context = context->name};
    if (!context->default_namespace.empty()) access.default_namespace = context->default_namespace;

    const std::string& cluster_name =
        overrides.cluster.empty() ? context->cluster : overrides.cluster;
    std::string exec_config;
    Standing cluster_at = context->at;
    if (!cluster_name.empty()) {
        const auto cluster = named(cluster_name, config.clusters, "cluster",
                                   overrides.cluster.empty() ? context->at : Standing{});
        if (!cluster) return tl::unexpected(cluster.error());
        if (auto done = take_cluster(**cluster, overrides, access); !done) {
            return tl::unexpected(done.error());
        }
        exec_config = (*cluster)->exec_config;
        cluster_at = (*cluster)->at;
    } else if (overrides.server.empty()) {
        return refuse(context->at, "the context " + in_marks(context->name) +
                                       " names no cluster; write one, or give --cluster");
    }

    const std::string& user_name = overrides.user.empty() ? context->user : overrides.user;
    UserEntry nobody{.at = context->at};
    const UserEntry* user = &nobody;
    if (!user_name.empty()) {
        const auto found = named(user_name, config.users, "user",
                                 overrides.user.empty() ? context->at : Standing{});
        if (!found) return tl::unexpected(found.error());
        user = *found;
    }
    access.user = user->name;
    auto identity = identity_of(*user, overrides, exec_config);
    if (!identity) return tl::unexpected(identity.error());
    access.identity = *std::move(identity);
    access.from = "flags";
    if (!context->name.empty()) {
        access.from = one_line("context " + context->name + " of " + context->at.file);
    } else if (!access.cluster.empty()) {
        access.from = one_line("cluster " + access.cluster + " of " + cluster_at.file);
    }
    auto applied = apply(std::move(access), overrides);
    // An error caused by a flag has no place in the file.
    if (!applied && overrides.server.empty() && !cluster_at.file.empty()) {
        return within(cluster_at.text(), applied.error());
    }
    return applied;
}

}  // namespace parley::kube
