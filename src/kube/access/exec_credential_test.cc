#include "kube/access/exec_credential.h"

#include "base/json.h"
#include "base/time_text.h"
#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

const std::string kV1 = "client.authentication.k8s.io/v1";
const std::string kBeta = "client.authentication.k8s.io/v1beta1";

std::string json(const std::string& text) {
    std::string out;
    append_json_text(out, text);
    return out;
}

/// An answer with this status.
std::string answer(const std::string& status, const std::string& version = kV1) {
    return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","spec":{},"status":)" +
           status + "}\n";
}

TEST(ExecInfo, says_version_and_whether_a_person_is_there) {
    const Access access{.server = {.host = "api"}};
    EXPECT_EQ(exec_info(access, {.api_version = kBeta}, false),
              R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",)"
              R"("spec":{"interactive":false}})");
    EXPECT_EQ(exec_info(access, {.api_version = kV1}, true),
              R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
              R"("spec":{"interactive":true}})");
}

TEST(ExecInfo, shows_the_cluster_when_asked_and_never_a_credential) {
    Access access{.server = {.host = "api", .port = 6443},
                  .ca_pem = "foo",
                  .insecure = true,
                  .tls_server_name = "inside",
                  .proxy_url = Secret("http://proxy:3128"),
                  .compressed = false,
                  .identity = {.token = Secret(kCanary)}};
    const ExecPlugin plugin{.args = {Secret(kCanary)},
                            .env = {{"A", Secret(kCanary)}},
                            .api_version = kV1,
                            .provide_cluster_info = true,
                            .cluster_config = R"({"audience":"x"})"};
    const std::string head =
        R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
        R"("spec":{"interactive":false,"cluster":)";
    EXPECT_EQ(exec_info(access, plugin, false),
              head + R"({"server":"https://api:6443","tls-server-name":"inside",)"
                     R"("insecure-skip-tls-verify":true,"certificate-authority-data":"Zm9v",)"
                     R"("proxy-url":"http://proxy:3128","disable-compression":true,)"
                     R"("config":{"audience":"x"}}}})");
    EXPECT_EQ(exec_info({.server = {.host = "api"}},
                        {.api_version = kV1, .provide_cluster_info = true}, false),
              head + R"({"server":"https://api"}}})");
}

TEST(Interactive, is_as_the_plugin_and_the_terminal_allow) {
    using Mode = InteractiveMode;
    EXPECT_FALSE(is_interactive({.interactive = Mode::never}, true).value());
    EXPECT_FALSE(is_interactive({.interactive = Mode::never}, false).value());
    EXPECT_TRUE(is_interactive({.interactive = Mode::if_available}, true).value());
    EXPECT_FALSE(is_interactive({.interactive = Mode::if_available}, false).value());
    EXPECT_TRUE(is_interactive({.interactive = Mode::always}, true).value());
    EXPECT_EQ(message_of(is_interactive({.interactive = Mode::always}, false)),
              "it wants to ask a person (interactiveMode Always), and there is no terminal; start "
              "Parley in one, or use a plugin that needs nobody");
}

struct Case {
    const char* name;
    std::string text;
    std::string seen;  // What it brings, or the error without its remedy.
    std::string version = kV1;
};

class ExecAnswers : public testing::TestWithParam<Case> {};

std::string seen(const Result<ExecAnswer>& found) {
    if (!found) return message_of(found).substr(0, message_of(found).find(';'));
    std::string out = found->token.reveal() == kCanary ? "token" : "";
    if (found->certificate_pem.reveal() == kCertificate && found->key_pem.reveal() == kKey) {
        out += "certificate";
    }
    return found->expires ? out + " until " + print_time(*found->expires) : out;
}

TEST_P(ExecAnswers, are_a_credential_or_an_error) {
    EXPECT_EQ(seen(parse_exec_answer(GetParam().text, GetParam().version)), GetParam().seen);
}

const std::string kToken = R"("token":")" + kCanary + "\"";
const std::string kPair =
    R"("clientCertificateData":)" + json(kCertificate) + R"(,"clientKeyData":)" + json(kKey);
const Case kCases[] = {
    {"token", answer("{" + kToken + "}"), "token"},
    {"token_of_beta", answer("{" + kToken + "}", kBeta), "token", kBeta},
    {"expiry", answer("{" + kToken + R"(,"expirationTimestamp":"2025-03-01T12:00:00Z"})"),
     "token until 2025-03-01T12:00:00Z"},
    {"expiry_elsewhere",
     answer("{" + kToken + R"(,"expirationTimestamp":"2025-03-01T12:00:00+02:00"})"),
     "token until 2025-03-01T10:00:00Z"},
    {"no_expiry", answer("{" + kToken + R"(,"expirationTimestamp":null})"), "token"},
    {"certificate", answer("{" + kPair + "}"), "certificate"},
    {"both", answer("{" + kToken + "," + kPair + "}"), "tokencertificate"},
    {"nulls_are_missing", answer("{" + kToken + R"(,"clientKeyData":null})"), "token"},
    {"unknown_fields", answer("{" + kToken + R"(,"more":[1,{"x":2}]})"), "token"},
    {"empty", "", "it does not answer with JSON"},
    {"junk", "please log in: " + kCanary, "it does not answer with JSON"},
    {"cut_off", answer("{" + kToken + "}").substr(0, 120), "it does not answer with JSON"},
    {"two", answer("{" + kToken + "}") + answer("{" + kToken + "}"),
     "it does not answer with JSON"},
    {"nested_without_end", std::string(2000, '['), "it does not answer with JSON"},
    {"binary", std::string("\x7f\0ELF", 5), "it does not answer with JSON"},
    {"a_list", "[]", "it does not answer with an object"},
    {"a_text", "\"" + kCanary + "\"", "it does not answer with an object"},
    {"another_kind", R"({"kind":"Status","apiVersion":"v1"})", "its answer is no ExecCredential"},
    {"kind_is_a_number", R"({"kind":1})", "its answer is no ExecCredential"},
    {"another_version", answer("{" + kToken + "}", kBeta),
     "it answers in client.authentication.k8s.io/v1beta1 where the kubeconfig says "
     "client.authentication.k8s.io/v1"},
    {"newer_version", answer("{" + kToken + "}"),
     "it answers in client.authentication.k8s.io/v1 where the kubeconfig says "
     "client.authentication.k8s.io/v1beta1",
     kBeta},
    {"version_is_a_secret", answer("{" + kToken + "}", kCanary),
     "it answers in something else where the kubeconfig says client.authentication.k8s.io/v1"},
    {"no_version", R"({"kind":"ExecCredential"})",
     "it answers in something else where the kubeconfig says client.authentication.k8s.io/v1"},
    {"no_status", answer("null"), "its answer has no status"},
    {"status_is_a_list", answer("[]"), "its answer has no status"},
    {"empty_status", answer("{}"), "it answers with neither a token nor a certificate"},
    {"empty_token", answer(R"({"token":""})"), "it answers with neither a token nor a certificate"},
    {"token_is_a_number", answer(R"({"token":5})"), "its token is no text"},
    {"token_with_line_end", answer(R"({"token":")" + kCanary + R"(\r\nX: y"})"),
     "its token is no token: it holds spaces or what cannot be printed"},
    {"certificate_alone", answer(R"({"clientCertificateData":)" + json(kCertificate) + "}"),
     "it answers with only one of clientCertificateData and clientKeyData"},
    {"key_alone", answer("{" + kToken + R"(,"clientKeyData":)" + json(kKey) + "}"),
     "it answers with only one of clientCertificateData and clientKeyData"},
    {"certificate_is_a_map", answer(R"({"clientCertificateData":{},"clientKeyData":"x"})"),
     "its certificate or key is no text"},
    {"certificate_is_none",
     answer(R"({"clientCertificateData":"x","clientKeyData":)" + json(kKey) + "}"),
     "its clientCertificateData holds no certificate"},
    {"key_is_none",
     answer(R"({"clientKeyData":")" + kCanary + R"(","clientCertificateData":)" +
            json(kCertificate) + "}"),
     "its clientKeyData holds no private key"},
    {"expiry_is_no_time", answer("{" + kToken + R"(,"expirationTimestamp":"tomorrow"})"),
     "its expirationTimestamp is no time as in RFC 3339"},
    {"expiry_is_a_number", answer("{" + kToken + R"(,"expirationTimestamp":1740830400})"),
     "its expirationTimestamp is no time as in RFC 3339"},
};
INSTANTIATE_TEST_SUITE_P(Table, ExecAnswers, testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(ExecAnswers, survive_being_cut_off_or_changed_anywhere) {
    const std::string whole = answer("{" + kToken + "," + kPair + "}");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_NE(message_of(parse_exec_answer(whole.substr(0, i), kV1)),
                  i + 1 == whole.size() ? "x" : "");
        for (const char c : std::string("\"{}[]:,\\\0 x", 11)) {
            std::string text = whole;
            text[i] = c;
            message_of(parse_exec_answer(text, kV1));
        }
    }
}

}  // namespace
}  // namespace parley::kube
