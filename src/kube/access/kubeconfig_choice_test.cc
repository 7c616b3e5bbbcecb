#include "kube/access/kubeconfig_choice.h"

#include "base/base64.h"
#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

const std::string kGroup = "client.authentication.k8s.io/";

/// What a person would want to know of it, on one line; or the error.
std::string seen(const Result<Access>& access) {
    if (!access) return message_of(access);
    std::string out = access->server.text() + " as " + kind_of(access->identity);
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) out += std::string(", ") + name + " " + value;
    };
    add("ca", access->ca_pem.empty() ? "" : "data");
    add("ca", access->ca_file);
    add("insecure", access->insecure ? "yes" : "");
    add("called", access->tls_server_name);
    add("through", access->proxy_url.reveal());
    add("in", access->default_namespace == "default" ? "" : access->default_namespace);
    return out;
}

/// A kubeconfig with one context, whose cluster and user have these parts.
std::string one(const std::string& cluster, const std::string& user = "") {
    return "current-context: x\ncontexts:\n- {name: x, context: {cluster: c, user: u}}\nclusters:\n"
           "- {name: c, cluster: {" +
           cluster + "}}\nusers:\n- {name: u, user: {" + user + "}}\n";
}

std::string user(const std::string& text) { return one("server: 'https://api'", text); }

std::string exec(const std::string& text) { return user("exec: {" + text + "}"); }

const std::string kTwo = R"(current-context: dev
contexts:
- {name: dev, context: {cluster: near, user: ann}}
- {name: prod-eu, context: {cluster: far, user: bob, namespace: shop}}
- {name: broken, context: {cluster: nowhere, user: ann}}
- {name: nobody, context: {cluster: near, user: who}}
- {name: anonymous, context: {cluster: near}}
- {name: empty}
clusters:
- {name: near, cluster: {server: 'https://near:6443', tls-server-name: inside}}
- name: far
  cluster: {server: 'https://far/prefix', certificate-authority: /far.crt, proxy-url: 'http://p:1'}
users:
- {name: ann, user: {token: abc}}
- {name: bob, user: {tokenFile: /run/t}}
)";

struct Case {
    const char* name;
    std::string text;
    std::string seen;
    Overrides overrides = {};
};

class Choice : public testing::TestWithParam<Case> {};

TEST_P(Choice, follows_the_rules) {
    const auto config = parse_kubeconfig("f", GetParam().text, "/d");
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(seen(choose(*config, GetParam().overrides)), GetParam().seen);
}

const Case kContexts[] = {
    {"current_context", kTwo, "https://near:6443 as token, called inside"},
    {"context_by_flag",
     kTwo,
     "https://far/prefix as token file, ca /far.crt, through http://p:1, in shop",
     {.context = "prod-eu"}},
    {"cluster_by_flag",
     kTwo,
     "https://far/prefix as token, ca /far.crt, through http://p:1",
     {.cluster = "far"}},
    {"user_by_flag", kTwo, "https://near:6443 as token file, called inside", {.user = "bob"}},
    {"namespace_by_flag",
     kTwo,
     "https://near:6443 as token, called inside, in web",
     {.default_namespace = "web"}},
    {"server_by_flag_drops_the_name", kTwo, "https://other as token", {.server = "https://other"}},
    {"server_and_name_by_flag",
     kTwo,
     "https://other as token, called me",
     {.server = "https://other", .tls_server_name = "me"}},
    {"name_by_flag", kTwo, "https://near:6443 as token, called me", {.tls_server_name = "me"}},
    {"proxy_by_flag",
     kTwo,
     "https://near:6443 as token, called inside, through socks5://q:2",
     {.proxy_url = Secret("socks5://q:2")}},
    {"ca_by_flag",
     kTwo,
     "https://far/prefix as token file, ca /mine.crt, through http://p:1, in shop",
     {.context = "prod-eu", .certificate_authority = "/mine.crt"}},
    {"token_by_flag_drops_the_file",
     kTwo,
     "https://near:6443 as token, called inside",
     {.user = "bob", .token = Secret(kCanary)}},
    {"flags_alone",
     "",
     "https://only as token",
     {.server = "https://only", .token = Secret(kCanary)}},
    {"cluster_flag_needs_no_context",
     "clusters: [{name: c, cluster: {server: 'https://a'}}]",
     "https://a as none",
     {.cluster = "c"}},
    {"anonymous", kTwo, "https://near:6443 as none, called inside", {.context = "anonymous"}},
    {"near_miss",
     kTwo,
     "there is no context \"prod-eus\"; did you mean \"prod-eu\"?",
     {.context = "prod-eus"}},
    {"far_miss",
     kTwo,
     "there is no context \"staging-us-west\"; --context can be \"dev\", \"prod-eu\", \"broken\", "
     "\"nobody\", \"anonymous\" and \"empty\"",
     {.context = "staging-us-west"}},
    {"no_such_cluster_flag",
     kTwo,
     "there is no cluster \"fax\"; did you mean \"far\"?",
     {.cluster = "fax"}},
    {"no_such_user_flag",
     kTwo,
     "there is no user \"bobb\"; did you mean \"bob\"?",
     {.user = "bobb"}},
    {"current_context_missing", "current-context: a\ncontexts: [{name: b}]",
     "f:1:18: there is no context \"a\"; did you mean \"b\"?"},
    {"no_context", "contexts: [{name: a}, {name: b}]",
     "no context is chosen: the kubeconfig has no current-context; --context can be \"a\" and "
     "\"b\""},
    {"nothing", "",
     "no context is chosen: the kubeconfig has no current-context; there is none at all: is it "
     "the right file?"},
    {"cluster_of_context_missing",
     kTwo,
     "f:5:3: there is no cluster \"nowhere\"; --cluster can be \"near\" and \"far\"",
     {.context = "broken"}},
    {"user_of_context_missing",
     kTwo,
     "f:6:3: there is no user \"who\"; --user can be \"ann\" and \"bob\"",
     {.context = "nobody"}},
    {"context_without_cluster",
     kTwo,
     "f:8:3: the context \"empty\" names no cluster; write one, or give --cluster",
     {.context = "empty"}},
    {"cluster_without_server", one(""),
     "f:5:3: the cluster \"c\" has no server; write one, or give --server"},
    {"cluster_without_server_and_flag", one(""), "https://a as none", {.server = "https://a"}},
    {"bad_namespace",
     kTwo,
     "f:10:3: no namespace can be called \"../x\"; use small letters, digits and -",
     {.default_namespace = "../x"}},
    {"bad_server", one("server: api"),
     "f:5:3: the address of the server begins with neither https:// nor http://; write it as "
     "https://HOST[:PORT][/PATH]"},
    {"bad_server_flag",
     kTwo,
     "--server: the address of the server names no host; write it as https://HOST[:PORT][/PATH]",
     {.server = "https://"}},
    {"bad_proxy", one("server: 'https://a', proxy-url: '" + kCanary + "'"),
     "f:5:3: proxy-url: this is no address of a proxy; write it as http://HOST:PORT, "
     "https://HOST:PORT or socks5://HOST:PORT"},
    {"bad_tls_name", one("server: 'https://a', tls-server-name: 'a b'"),
     "f:5:3: tls-server-name is no name of a host; write the name that the server's certificate "
     "has"},
};
INSTANTIATE_TEST_SUITE_P(Contexts, Choice, testing::ValuesIn(kContexts),
                         [](const auto& tested) { return tested.param.name; });

const std::string kSkip = "insecure-skip-tls-verify: true";
const std::string kPlain =
    " speaks plain http, which anybody on the way reads and changes; use "
    "https://, or 'kubectl proxy' and http://127.0.0.1:8001";
const std::string kLoose =
    " would not be verified (insecure-skip-tls-verify), which is allowed on "
    "loopback only; give its CA by certificate-authority";
const Case kTrust[] = {
    {"ca_data_beats_file",
     one("server: 'https://a', certificate-authority: x, certificate-authority-data: " +
         encode_base64(kCertificate)),
     "https://a as none, ca data"},
    {"ca_file", one("server: 'https://a', certificate-authority: x"), "https://a as none, ca /d/x"},
    {"ca_flag_beats_data",
     one("server: 'https://a', certificate-authority-data: " + encode_base64(kCertificate)),
     "https://a as none, ca mine",
     {.certificate_authority = "mine"}},
    {"ca_data_is_no_pem", one("server: 'https://a', certificate-authority-data: Zm9v"),
     "f:5:3: certificate-authority-data holds no certificate; it must be PEM, with a line "
     "-----BEGIN CERTIFICATE-----"},
    {"http_here_sends_no_credential", one("server: 'http://127.0.0.1:8001'", "token: " + kCanary),
     "http://127.0.0.1:8001 as none"},
    {"http_elsewhere", one("server: 'http://api:8080'"),
     "f:5:3: the API server http://api:8080" + kPlain},
    {"http_elsewhere_by_flag",
     kTwo,
     "the API server http://10.0.0.1" + kPlain,
     {.server = "http://10.0.0.1"}},
    {"http_here_through_a_proxy_is_elsewhere",
     one("server: 'http://127.0.0.1:8001', proxy-url: 'http://p:1'"),
     "f:5:3: the API server http://127.0.0.1:8001" + kPlain},
    {"insecure_without_flag", one("server: 'https://localhost:6443', " + kSkip),
     "f:5:3: the cluster has insecure-skip-tls-verify; give its CA by certificate-authority, or "
     "say "
     "--insecure-skip-tls-verify"},
    {"insecure_with_flag",
     one("server: 'https://localhost:6443', " + kSkip),
     "https://localhost:6443 as none, insecure yes",
     {.insecure_skip_tls_verify = true}},
    {"insecure_flag_drops_the_ca",
     one("server: 'https://[::1]', certificate-authority: x"),
     "https://[::1] as none, insecure yes",
     {.insecure_skip_tls_verify = true}},
    {"insecure_elsewhere", one("server: 'https://a', " + kSkip),
     "f:5:3: the API server https://a" + kLoose},
    {"insecure_elsewhere_with_flag",
     one("server: 'https://a', " + kSkip),
     "f:5:3: the API server https://a" + kLoose,
     {.insecure_skip_tls_verify = true}},
    {"insecure_flag_through_a_proxy",
     one("server: 'https://127.0.0.1', proxy-url: 'http://p:1'"),
     "f:5:3: the API server https://127.0.0.1" + kLoose,
     {.insecure_skip_tls_verify = true}},
    {"ca_flag_mends_insecure",
     one("server: 'https://a', " + kSkip),
     "https://a as none, ca mine",
     {.certificate_authority = "mine"}},
    {"both_flags",
     one("server: 'https://localhost'"),
     "f:5:3: --certificate-authority and --insecure-skip-tls-verify contradict each other; give "
     "one",
     {.certificate_authority = "mine", .insecure_skip_tls_verify = true}},
};
INSTANTIATE_TEST_SUITE_P(Trust, Choice, testing::ValuesIn(kTrust),
                         [](const auto& tested) { return tested.param.name; });

const std::string kCertData = "client-certificate-data: " + encode_base64(kCertificate);
const std::string kKeyData = "client-key-data: " + encode_base64(kKey);
const Case kUsers[] = {
    {"token", user("token: " + kCanary), "https://api as token"},
    {"token_and_file", user("token: abc, tokenFile: t"), "https://api as token file"},
    {"certificate_data", user(kCertData + ", " + kKeyData), "https://api as certificate"},
    {"certificate_files", user("client-certificate: c, client-key: k"),
     "https://api as certificate"},
    {"certificate_and_token", user(kCertData + ", client-key: k, token: abc"),
     "https://api as certificate and token"},
    {"certificate_without_key", user(kCertData),
     "f:7:3: the user \"u\" has a client-certificate and no key; add client-key or "
     "client-key-data"},
    {"key_without_certificate", user(kKeyData),
     "f:7:3: the user \"u\" has a client-key and no certificate; add client-certificate or "
     "client-certificate-data"},
    {"swapped", user("client-certificate-data: " + encode_base64(kKey) + ", client-key: k"),
     "f:7:3: client-certificate-data holds a key and no certificate; are the two swapped?"},
    {"key_is_none", user(kCertData + ", client-key-data: " + encode_base64(kCanary)),
     "f:7:3: client-key-data holds no private key; it must be PEM, with a line -----BEGIN PRIVATE "
     "KEY-----"},
    {"token_with_spaces", user("token: '" + kCanary + " x'"),
     "f:7:3: the token is no token: it holds spaces or what cannot be printed; write the token "
     "alone"},
    {"token_flag_with_spaces",
     user(""),
     "--token: the token is no token: it holds spaces or what cannot be printed; write the token "
     "alone",
     {.token = Secret(kCanary + " x")}},
    {"basic", user("username: ann, password: " + kCanary),
     "f:7:3: the user \"u\" has a username or password, which API servers have not accepted since "
     "1.19; use a token, a certificate or exec"},
    {"password_alone", user("password: " + kCanary),
     "f:7:3: the user \"u\" has a username or password, which API servers have not accepted since "
     "1.19; use a token, a certificate or exec"},
    {"token_and_basic", user("username: ann, password: " + kCanary + ", token: " + kCanary),
     "f:7:3: the user \"u\" has both a token and a username or password; remove one"},
    {"auth_provider", user("auth-provider: {name: gcp}"),
     "f:7:3: the user \"u\" uses an auth-provider, which kubectl dropped in 1.26; use exec, with "
     "gke-gcloud-auth-plugin, kubelogin or the like"},
    {"exec_and_auth_provider", user("auth-provider: {name: gcp}, exec: {command: a}"),
     "f:7:3: the user \"u\" has both exec and auth-provider; remove auth-provider"},
    {"impersonation", user("token: abc, as: admin"),
     "f:7:3: the user \"u\" impersonates another (as), which Parley never does; give it a user "
     "with "
     "the rights it needs"},
};
INSTANTIATE_TEST_SUITE_P(Users, Choice, testing::ValuesIn(kUsers),
                         [](const auto& tested) { return tested.param.name; });

const std::string kV1 = "apiVersion: " + kGroup + "v1";
const std::string kBeta = "apiVersion: " + kGroup + "v1beta1";
const Case kPlugins[] = {
    {"v1", exec(kV1 + ", command: aws, interactiveMode: Never"), "https://api as program aws"},
    {"v1beta1_needs_no_mode", exec(kBeta + ", command: aws"), "https://api as program aws"},
    {"relative_command", exec(kBeta + ", command: bin/aws"), "https://api as program /d/bin/aws"},
    {"v1_needs_a_mode", exec(kV1 + ", command: aws"),
     "f:7:3: exec of the user \"u\" has no interactiveMode, which v1 requires; write Never, "
     "IfAvailable or Always"},
    {"mode_is_none", exec(kV1 + ", command: aws, interactiveMode: never"),
     "f:7:3: exec of the user \"u\" has an interactiveMode that is none; write Never, IfAvailable "
     "or "
     "Always"},
    {"v1alpha1", exec("apiVersion: " + kGroup + "v1alpha1, command: aws"),
     "f:7:3: exec of the user \"u\" speaks client.authentication.k8s.io/v1alpha1, which kubectl "
     "dropped in 1.24; write v1beta1 or v1, for EKS by 'aws eks update-kubeconfig' of a newer aws"},
    {"no_version", exec("command: aws"),
     "f:7:3: exec of the user \"u\" has no apiVersion that is known; write "
     "client.authentication.k8s.io/v1"},
    {"version_of_another_group", exec("apiVersion: v1, command: aws"),
     "f:7:3: exec of the user \"u\" has no apiVersion that is known; write "
     "client.authentication.k8s.io/v1"},
    {"no_command", exec(kBeta), "f:7:3: exec of the user \"u\" has no command; write one"},
    {"token_flag_beats_it",
     exec(kBeta + ", command: aws"),
     "https://api as token",
     {.token = Secret(kCanary)}},
    {"token_beats_it", user("token: abc, exec: {" + kBeta + ", command: aws}"),
     "https://api as token"},
    {"certificate_beats_it",
     user("client-certificate: c, client-key: k, exec: {" + kBeta + ", command: aws}"),
     "https://api as certificate"},
};
INSTANTIATE_TEST_SUITE_P(Plugins, Choice, testing::ValuesIn(kPlugins),
                         [](const auto& tested) { return tested.param.name; });

TEST(Choice, says_where_it_came_from) {
    const auto config = parse_kubeconfig("/h/.kube/config", kTwo, "/h/.kube");
    EXPECT_EQ(choose(*config, {})->from, "context dev of /h/.kube/config");
    EXPECT_EQ(choose(*config, {.context = "prod-eu"})->user, "bob");
    EXPECT_EQ(choose({}, {.server = "https://a"})->from, "flags");
}

TEST(Choice, hands_the_extension_of_the_cluster_to_the_plugin) {
    const auto config = parse_kubeconfig(
        "f",
        one("server: 'https://a', extensions: [{name: client.authentication.k8s.io/exec, "
            "extension: "
            "{a: 1}}]",
            "exec: {" + kV1 + ", command: x, interactiveMode: Always, provideClusterInfo: true}"),
        "/d");
    const auto access = choose(*config, {});
    ASSERT_TRUE(access && access->identity.exec);
    EXPECT_EQ(access->identity.exec->cluster_config, R"({"a":1})");
    EXPECT_EQ(access->identity.exec->interactive, InteractiveMode::always);
    EXPECT_TRUE(access->identity.exec->provide_cluster_info);
}

TEST(Choice, lists_at_most_eight_names) {
    std::string text = "contexts: [";
    for (int i = 0; i < 20; ++i) text += "{name: context-number-" + std::to_string(i) + "},";
    const auto config = parse_kubeconfig("f", text + "]", "/d");
    EXPECT_TRUE(message_of(choose(*config, {})).ends_with("\"context-number-7\" and others"));
}

}  // namespace
}  // namespace parley::kube
