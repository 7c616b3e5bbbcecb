#include "kube/access/exec_credential.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/json_read.h"
#include "base/time_text.h"
#include "kube/access/kubeconfig_text.h"

#include <utility>

namespace parley::kube {
namespace {

void append_member(std::string& out, const char* key, const std::string& text) {
    if (text.empty()) return;
    out += out.ends_with('{') ? "" : ",";
    append_json_text(out, key);
    out += ':';
    append_json_text(out, text);
}

void append_flag(std::string& out, const char* key, bool value) {
    if (!value) return;
    out += out.ends_with('{') ? "" : ",";
    append_json_text(out, key);
    out += ":true";
}

std::string cluster_of(const Access& access, const ExecPlugin& plugin) {
    std::string out = "{";
    append_member(out, "server", access.server.text());
    append_member(out, "tls-server-name", access.tls_server_name);
    append_flag(out, "insecure-skip-tls-verify", access.insecure);
    append_member(out, "certificate-authority-data", encode_base64(access.ca_pem));
    append_member(out, "proxy-url", access.proxy_url.reveal());
    append_flag(out, "disable-compression", !access.compressed);
    if (!plugin.cluster_config.empty()) out += ",\"config\":" + plugin.cluster_config;
    return out + "}";
}

tl::unexpected<Error> bad(const std::string& sentence) {
    return fail(ErrorCode::malformed, sentence + "; run it by hand to see what it writes");
}

/// Text under `key`; empty if it is missing or null, nothing if it is something else.
std::optional<std::string> text_in(const Json& map, const char* key) {
    const Json* value = map.find(key);
    if (value == nullptr || value->is_null()) return "";
    if (value->text() == nullptr) return std::nullopt;
    return *value->text();
}

/// The version of its answer, shown only if it looks like one.
std::string shown_version(const std::string& version) {
    const bool known = version.starts_with("client.authentication.k8s.io/") && version.size() < 50;
    return known ? one_line(version) : "something else";
}

Result<void> take_certificate(const Json& status, ExecAnswer& answer) {
    const auto certificate = text_in(status, "clientCertificateData");
    const auto key = text_in(status, "clientKeyData");
    if (!certificate || !key) return bad("its certificate or key is no text");
    if (certificate->empty() != key->empty()) {
        return bad("it answers with only one of clientCertificateData and clientKeyData");
    }
    if (certificate->empty()) return {};
    if (auto fine = check_certificates(*certificate); !fine) {
        return fail(fine.error().code, "its clientCertificateData " + fine.error().message);
    }
    if (auto fine = check_key(*key); !fine) {
        return fail(fine.error().code, "its clientKeyData " + fine.error().message);
    }
    answer.certificate_pem = Secret(*certificate);
    answer.key_pem = Secret(*key);
    return {};
}

Result<ExecAnswer> read_status(const Json& status) {
    ExecAnswer answer;
    const auto token = text_in(status, "token");
    if (!token) return bad("its token is no text");
    if (!token->empty()) {
        auto clean = clean_token(*token);
        if (!clean) return fail(clean.error().code, "its token " + clean.error().message);
        answer.token = Secret(*std::move(clean));
    }
    if (auto done = take_certificate(status, answer); !done) return tl::unexpected(done.error());
    if (answer.token.empty() && answer.certificate_pem.empty()) {
        return bad("it answers with neither a token nor a certificate");
    }
    const auto expires = text_in(status, "expirationTimestamp");
    if (expires && expires->empty()) return answer;
    const auto time = expires ? parse_time(*expires) : fail(ErrorCode::malformed, "");
    if (!time) return bad("its expirationTimestamp is no time as in RFC 3339");
    answer.expires = *time;
    return answer;
}

}  // namespace

Result<bool> is_interactive(const ExecPlugin& plugin, bool terminal) {
    if (plugin.interactive == InteractiveMode::always && !terminal) {
        return fail(ErrorCode::denied,
                    "it wants to ask a person (interactiveMode Always), and there is no terminal; "
                    "start Parley in one, or use a plugin that needs nobody");
    }
    return terminal && plugin.interactive != InteractiveMode::never;
}

std::string exec_info(const Access& access, const ExecPlugin& plugin, bool interactive) {
    std::string out = "{\"kind\":\"ExecCredential\",\"apiVersion\":";
    append_json_text(out, plugin.api_version);
    out += ",\"spec\":{\"interactive\":";
    out += interactive ? "true" : "false";
    if (plugin.provide_cluster_info) out += ",\"cluster\":" + cluster_of(access, plugin);
    return out + "}}";
}

Result<ExecAnswer> parse_exec_answer(std::string_view text, std::string_view api_version) {
    const auto answer = parse_json(text);
    if (!answer) return bad("it does not answer with JSON");
    if (answer->members() == nullptr) return bad("it does not answer with an object");
    if (text_in(*answer, "kind") != "ExecCredential") return bad("its answer is no ExecCredential");
    const auto version = text_in(*answer, "apiVersion");
    if (version != api_version) {
        return fail(ErrorCode::malformed, "it answers in " + shown_version(version.value_or("")) +
                                              " where the kubeconfig says " +
                                              std::string(api_version) +
                                              "; write the same in both, or update the plugin");
    }
    const Json* status = answer->find("status");
    if (status == nullptr || status->members() == nullptr) return bad("its answer has no status");
    return read_status(*status);
}

}  // namespace parley::kube
