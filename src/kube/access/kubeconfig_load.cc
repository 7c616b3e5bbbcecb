#include "kube/access/kubeconfig_load.h"

#include "base/file.h"
#include "http/proxy.h"
#include "kube/access/kubeconfig_file.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace parley::kube {
namespace {

std::string variable(const Environment& environment, std::string_view name) {
    const auto found = environment.find(name);
    return found == environment.end() ? "" : found->second;
}

std::string absolute(const std::string& path) {
    std::error_code failed;
    const auto whole = std::filesystem::absolute(path, failed);
    return failed ? path : whole.string();
}

Result<Kubeconfig> load_file(const std::string& path) {
    auto file = read_small_file(path);
    if (!file) return tl::unexpected(file.error());
    return parse_kubeconfig(path, std::move(file->text), parent_of(absolute(path)));
}

/// The paths in a list, each once.
std::vector<std::string> names_in(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        std::string name(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
        if (!name.empty() && std::ranges::find(names, name) == names.end()) {
            names.push_back(std::move(name));
        }
    }
    return names;
}

/// The files that exist, merged; nothing if none does.
Result<std::optional<Kubeconfig>> load_list(const std::vector<std::string>& paths) {
    std::optional<Kubeconfig> merged;
    for (const std::string& path : paths) {
        auto one = load_file(path);
        if (!one && one.error().code == ErrorCode::gone) continue;
        if (!one) return tl::unexpected(one.error());
        if (merged) {
            merge(*merged, *std::move(one));
        } else {
            merged = *std::move(one);
        }
    }
    return merged;
}

/// Reads the CA, where it is in a file.
Result<Access> with_ca(Access access) {
    if (access.ca_file.empty() || !access.ca_pem.empty() || !access.server.tls) return access;
    auto file = read_small_file(access.ca_file);
    if (!file) return within("certificate-authority", file.error());
    if (auto fine = check_certificates(file->text); !fine) {
        return fail(fine.error().code, "certificate-authority: " + one_line(access.ca_file) + " " +
                                           fine.error().message);
    }
    access.ca_pem = std::move(file->text);
    return access;
}

/// As in kubectl: without a configured proxy, that of the environment is used.
Access with_proxy(Access access, const Environment& environment) {
    if (!access.proxy_url.empty()) return access;
    access.proxy_url = Secret(http::environment_proxy(access.server, environment));
    return access;
}

bool names_an_entry(const Overrides& overrides) {
    return !overrides.context.empty() || !overrides.cluster.empty() || !overrides.user.empty();
}

Result<Access> from_pod(const Environment& environment, const AccessOptions& options) {
    auto access = pod_access(environment, options.service_account);
    if (!access) return access;
    const Overrides& overrides = options.overrides;
    if (!overrides.token.empty()) {
        auto token = clean_token(overrides.token.reveal());
        if (!token) return fail(token.error().code, "--token " + token.error().message);
        access->identity = {.token = Secret(*std::move(token))};
    }
    return apply(*std::move(access), overrides);
}

std::string nothing_found(const std::string& list, const std::string& home) {
    if (!list.empty()) {
        return "no file of KUBECONFIG exists (" + one_line(list) +
               "); correct it, unset it, or give --kubeconfig FILE";
    }
    return "no cluster is named: KUBECONFIG is not set, " +
           (home.empty() ? std::string("HOME is not set") : "there is no " + one_line(home)) +
           ", and this is no pod with a service account; give --kubeconfig FILE";
}

Result<Access> found_access(const Environment& environment, const AccessOptions& options) {
    const Overrides& overrides = options.overrides;
    const auto chosen = [&](const Kubeconfig& config) {
        return choose(config, overrides).and_then(with_ca);
    };
    if (!options.kubeconfig.empty()) {
        const auto config = load_file(options.kubeconfig);
        if (!config) return within("--kubeconfig", config.error());
        return chosen(*config);
    }
    const std::string list = variable(environment, "KUBECONFIG");
    const bool pod = options.pod_first && list.empty() && !names_an_entry(overrides) &&
                     in_pod(environment, options.service_account);
    if (pod) return from_pod(environment, options).and_then(with_ca);

    const std::string home = variable(environment, "HOME");
    const std::string usual = home.empty() ? "" : join(home, ".kube/config");
    std::vector<std::string> paths = names_in(list);
    if (list.empty() && !usual.empty()) paths = {usual};
    const auto config = load_list(paths);
    if (!config) return within(list.empty() ? "kubeconfig" : "KUBECONFIG", config.error());
    if (*config) return chosen(**config);
    if (!overrides.server.empty()) return chosen({});
    return fail(ErrorCode::denied, nothing_found(list, usual));
}

}  // namespace

Result<Access> load_access(const Environment& environment, const AccessOptions& options) {
    auto access = found_access(environment, options);
    if (!access) return access;
    *access = with_proxy(*std::move(access), environment);
    if (access->proxy_url.empty()) return access;
    if (auto fine = http::parse_proxy(access->proxy_url.reveal()); !fine) {
        return within("HTTPS_PROXY", fine.error());
    }
    return access;
}

Environment process_environment() {
    Environment out;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const std::string_view entry = *each;
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos || equals == 0) continue;
        out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
    return out;
}

}  // namespace parley::kube
