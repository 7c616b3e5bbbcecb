#include "http/proxy.h"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

const std::string kCanary = "s3cretCanary";

TEST(Proxy, is_read_with_its_user_and_shown_without) {
    const auto proxy = parse_proxy("http://ann:p%40w@proxy.example:3128/");
    ASSERT_TRUE(proxy) << proxy.error().message;
    EXPECT_EQ(proxy->kind, Proxy::Kind::http);
    EXPECT_EQ(proxy->user, "ann");
    EXPECT_EQ(proxy->password, "p@w");
    EXPECT_EQ(proxy->authority(), "proxy.example:3128");
    EXPECT_EQ(proxy_authorization(*proxy), "Basic YW5uOnBAdw==");
    EXPECT_EQ(parse_proxy("socks5://[::1]")->authority(), "[::1]:1080");
    EXPECT_EQ(parse_proxy("socks5h://a:9")->kind, Proxy::Kind::socks5);
    EXPECT_EQ(parse_proxy("HTTP://a")->port, 80);
    EXPECT_EQ(parse_proxy("https://a")->kind, Proxy::Kind::https);
    EXPECT_EQ(parse_proxy("https://a")->port, 443);
    EXPECT_EQ(proxy_authorization(*parse_proxy("http://a")), "");
}

TEST(Proxy, what_is_none_is_refused_and_not_repeated) {
    for (const std::string& bad :
         {std::string("proxy:3128"), std::string("ftp://proxy"), std::string("http://"),
          std::string("http://proxy:0"), std::string("https://"), "http://proxy/" + kCanary,
          "http://" + kCanary + "@", "http://a?" + kCanary, std::string(),
          "http://" + std::string(300, 'u') + kCanary + "@a"}) {
        const auto proxy = parse_proxy(bad);
        ASSERT_FALSE(proxy) << bad;
        EXPECT_EQ(proxy.error().message.find(kCanary), std::string::npos);
    }
}

TEST(Proxy, of_the_environment_as_kubectl_takes_it) {
    struct Case {
        const char* host;
        std::map<std::string, std::string, std::less<>> environment;
        const char* proxy;
    };
    const Case cases[] = {
        {"api.example", {}, ""},
        {"api.example", {{"HTTPS_PROXY", "http://p:1"}}, "http://p:1"},
        {"api.example", {{"https_proxy", "p:1"}}, "http://p:1"},
        {"api.example", {{"HTTPS_PROXY", "http://a"}, {"https_proxy", "http://b"}}, "http://a"},
        {"api.example", {{"HTTP_PROXY", "http://p:1"}}, ""},
        {"127.0.0.1", {{"HTTPS_PROXY", "http://p:1"}}, ""},
        {"localhost", {{"HTTPS_PROXY", "http://p:1"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "*"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "x, API.example"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "example"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", ".example"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "*.example"}}, ""},
        {"example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", ".example"}}, "http://p"},
        {"myexample", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "example"}}, "http://p"},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "api.example:6443"}}, ""},
        {"api.example", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "api.example:443"}}, "http://p"},
        {"10.1.2.3", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "10.0.0.0/8"}}, ""},
        {"11.1.2.3", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "10.0.0.0/8"}}, "http://p"},
        {"10.1.2.3", {{"HTTPS_PROXY", "p"}, {"no_proxy", "10.1.2.3"}}, ""},
        {"fd00::1", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "fd00::/8"}}, ""},
        {"fe00::1", {{"HTTPS_PROXY", "p"}, {"NO_PROXY", "fd00::/8, nonsense/99"}}, "http://p"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(environment_proxy({true, c.host, 6443, ""}, c.environment), c.proxy) << c.host;
    }
    EXPECT_EQ(environment_proxy({false, "a", 80, ""}, {{"HTTPS_PROXY", "p"}}), "");
}

TEST(Proxy, addresses_are_told_to_socks_as_bytes) {
    EXPECT_EQ(*socks_request({true, "10.0.0.1", 443, ""}),
              std::string("\x05\x01\x00\x01\x0a\x00\x00\x01\x01\xbb", 10));
    EXPECT_EQ(socks_request({true, "::1", 443, ""})->size(), 22U);
    EXPECT_FALSE(socks_request({true, std::string(300, 'a'), 443, ""}));
    EXPECT_EQ(socks_refusal(0), "");
    EXPECT_EQ(socks_refusal(5), "refused there");
    EXPECT_EQ(socks_refusal(99), "answer 99");
}

}  // namespace
}  // namespace parley::http
