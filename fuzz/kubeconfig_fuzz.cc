// Kubeconfigs, several separated by lines "%next", or after a line "%answer" the answer of a
// credential plugin: what is accepted keeps every promise of its header.

#include "base/check.h"
#include "base/json.h"
#include "fuzz/input.h"
#include "kube/access/exec_credential.h"
#include "kube/access/kubeconfig_choice.h"
#include "kube/access/kubeconfig_server.h"
#include "kube/access/kubeconfig_text.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace {

using namespace parley;
using namespace parley::kube;

constexpr std::string_view kV1 = "client.authentication.k8s.io/v1";

void check_message(const Error& error) {
    PARLEY_CHECK(fuzz::readable(error.message));
    PARLEY_CHECK(error.message.find('\n') == std::string::npos);
}

void check_token(const Secret& token) {
    const std::string& text = token.reveal();
    PARLEY_CHECK(std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; }));
}

void check_plugin(const Access& access) {
    const ExecPlugin& plugin = *access.identity.exec;
    PARLEY_CHECK(access.identity.token.empty() && access.identity.token_file.empty());
    PARLEY_CHECK(!access.identity.certificate && !plugin.command.empty());
    PARLEY_CHECK(plugin.command.find('/') == std::string::npos || plugin.command.starts_with('/'));
    PARLEY_CHECK(plugin.command.find('\0') == std::string::npos);
    // What the plugin is told is JSON, whatever the cluster's extension holds; only its status is
    // missing.
    const std::string info = exec_info(access, plugin, false);
    const auto read = parse_exec_answer(info, plugin.api_version);
    PARLEY_CHECK(!read && read.error().message.starts_with("its answer has no status"));
}

void check_access(const Access& access, const Overrides& overrides) {
    const auto again = parse_server(access.server.text());
    PARLEY_CHECK(again && *again == access.server);
    const bool here = http::loopback(access.server.host) && access.proxy_url.empty();
    PARLEY_CHECK(access.server.tls || here);
    PARLEY_CHECK(!access.insecure || !access.server.tls ||
                 (here && overrides.insecure_skip_tls_verify));
    PARLEY_CHECK(access.server.tls || kind_of(access.identity) == "none");
    PARLEY_CHECK(is_label(access.default_namespace));
    PARLEY_CHECK(access.ca_pem.empty() || access.ca_file.empty());
    check_token(access.identity.token);
    if (access.identity.exec) check_plugin(access);
    if (const auto& certificate = access.identity.certificate) {
        PARLEY_CHECK(certificate->certificate_pem.empty() != certificate->certificate_file.empty());
        PARLEY_CHECK(certificate->key_pem.empty() != certificate->key_file.empty());
    }
    PARLEY_CHECK(!to_json(access).empty());
}

void check_answer(std::string_view text) {
    const auto answer = parse_exec_answer(text, kV1);
    if (!answer) {
        check_message(answer.error());
        return;
    }
    check_token(answer->token);
    PARLEY_CHECK(answer->certificate_pem.empty() == answer->key_pem.empty());
    PARLEY_CHECK(!answer->token.empty() || !answer->key_pem.empty());
}

/// Cuts one file off the front.
std::string next_file(std::string_view& text) {
    constexpr std::string_view mark = "%next\n";
    const std::size_t end = text.find(mark);
    std::string file(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + mark.size());
    return file;
}

}  // namespace

void parley::fuzz::try_input(Input input) {
    std::string_view text = input.rest();
    if (text.starts_with("%answer\n")) return check_answer(text.substr(8));
    Kubeconfig merged;
    do {
        auto config = parse_kubeconfig("f", next_file(text), "/etc");
        if (!config) return check_message(config.error());
        merge(merged, *std::move(config));
    } while (!text.empty());
    const Overrides choices[] = {
        {},
        {.insecure_skip_tls_verify = true},
        {.server = "https://127.0.0.1:6443", .token = Secret("abc")},
    };
    for (const Overrides& overrides : choices) {
        const auto access = choose(merged, overrides);
        if (access) {
            check_access(*access, overrides);
        } else {
            check_message(access.error());
        }
    }
}
