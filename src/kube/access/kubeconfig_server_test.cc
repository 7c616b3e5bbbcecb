#include "kube/access/kubeconfig_server.h"

#include "base/json.h"
#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::kube {
namespace {

struct Case {
    const char* name;
    std::string text;
    std::string seen;  // The address in its usual form, or the beginning of the error.
};

class ServerText : public testing::TestWithParam<Case> {};

TEST_P(ServerText, is_an_address_or_an_error) {
    const auto server = parse_server(GetParam().text);
    const std::string seen = server ? server->text() : message_of(server);
    EXPECT_EQ(seen.substr(0, GetParam().seen.size()), GetParam().seen);
    if (server) {
        EXPECT_EQ(seen, GetParam().seen);
        EXPECT_EQ(parse_server(seen).value(), *server);
    }
}

const Case kCases[] = {
    {"name", "https://api.example.com", "https://api.example.com"},
    {"port", "https://api.example.com:6443", "https://api.example.com:6443"},
    {"usual_port", "https://api.example.com:443/", "https://api.example.com"},
    {"plain", "http://127.0.0.1:8001", "http://127.0.0.1:8001"},
    {"plain_usual_port", "http://127.0.0.1:80", "http://127.0.0.1"},
    {"capitals", "HTTPS://api", "https://api"},
    {"prefix", "https://rancher/k8s/clusters/c-m-7//", "https://rancher/k8s/clusters/c-m-7"},
    {"v6", "https://[2001:db8::1]:6443/x", "https://[2001:db8::1]:6443/x"},
    {"v6_bare", "https://[::1]", "https://[::1]"},
    {"last_port", "https://a:65535", "https://a:65535"},
    {"no_scheme", "api.example.com:6443", "the address of the server begins with neither"},
    {"other_scheme", "ftp://api", "the address of the server begins with neither"},
    {"empty", "", "the address of the server begins with neither"},
    {"no_host", "https://", "the address of the server names no host"},
    {"no_host_but_port", "https://:6443", "the address of the server names no host"},
    {"space", "https://a b", "the address of the server names no host"},
    {"v6_without_brackets", "https://2001:db8::1", "the port of the server is not from 1"},
    {"v6_open", "https://[::1", "the address of the server names no host"},
    {"v6_none", "https://[x]", "the address of the server names no host"},
    {"v6_and_more", "https://[::1]x", "the address of the server names no host"},
    {"port_zero", "https://a:0", "the port of the server is not from 1 to 65535"},
    {"port_beyond", "https://a:65536", "the port of the server is not from 1 to 65535"},
    {"port_empty", "https://a:", "the port of the server is not from 1 to 65535"},
    {"port_text", "https://a:https", "the port of the server is not from 1 to 65535"},
    {"user", "https://ann:" + kCanary + "@a", "the address of the server holds a user"},
    {"query", "https://a/?token=" + kCanary, "the address of the server has a query"},
    {"query_at_once", "https://a?x", "the address of the server has a query"},
    {"fragment", "https://a/#x", "the address of the server has a query"},
    {"line_end", "https://a/\r\nX: y", "the path of the server is not plain text"},
    {"host_line_end", "https://a\r\n", "the address of the server names no host"},
    {"long_host", "https://" + std::string(254, 'a'), "the address of the server names no host"},
};
INSTANTIATE_TEST_SUITE_P(Table, ServerText, testing::ValuesIn(kCases),
                         [](const auto& tested) { return tested.param.name; });

TEST(Label, is_a_name_of_a_namespace) {
    EXPECT_TRUE(is_label("a") && is_label("kube-system") && is_label(std::string(63, '9')));
    for (const std::string& bad :
         {std::string(), std::string(64, 'a'), std::string("-a"), std::string("a-"),
          std::string("A"), std::string("a/b"), std::string("a.b"), std::string("..")}) {
        EXPECT_FALSE(is_label(bad)) << bad;
    }
}

TEST(Identity, is_named_and_never_shown) {
    Identity identity;
    EXPECT_EQ(kind_of(identity), "none");
    identity.token = Secret(kCanary);
    EXPECT_EQ(kind_of(identity), "token");
    identity.certificate = ClientCertificate{Secret(kCertificate), "", Secret(kKey), ""};
    EXPECT_EQ(kind_of(identity), "certificate and token");
    identity.token_file = "/x";
    EXPECT_EQ(kind_of(identity), "certificate and token file");
    identity.exec = ExecPlugin{.command = "aws",
                               .args = {Secret(kCanary)},
                               .env = {{"AWS_SECRET_ACCESS_KEY", Secret(kCanary)}}};
    EXPECT_EQ(kind_of(identity), "program aws");

    const Access access{.proxy_url = Secret("http://ann:" + kCanary + "@proxy"),
                        .identity = identity};
    const std::string json = to_json(access);
    EXPECT_EQ(json.find("Canary"), std::string::npos) << json;
    EXPECT_NE(json.find("AWS_SECRET_ACCESS_KEY"), std::string::npos);
    EXPECT_EQ(testing::PrintToString(identity.token), "(hidden)");
}

}  // namespace
}  // namespace parley::kube
