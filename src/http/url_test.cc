#include "http/url.h"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(Url, reads_what_people_write) {
    struct Case {
        const char* text;
        Url url;
        const char* authority;
    };
    const Case cases[] = {
        {"https://api.example", {true, "api.example", 443, ""}, "api.example"},
        {"https://10.0.0.1:6443", {true, "10.0.0.1", 6443, ""}, "10.0.0.1:6443"},
        {"https://[::1]:6443/", {true, "::1", 6443, ""}, "[::1]:6443"},
        {"http://127.0.0.1:9090/prom/", {false, "127.0.0.1", 9090, "/prom"}, "127.0.0.1:9090"},
        {"http://prom//", {false, "prom", 80, ""}, "prom"},
        {"https://rancher.example/k8s/clusters/c-1",
         {true, "rancher.example", 443, "/k8s/clusters/c-1"},
         "rancher.example"},
    };
    for (const Case& c : cases) {
        const auto url = parse_url(c.text);
        ASSERT_TRUE(url) << c.text << ": " << url.error().message;
        EXPECT_EQ(*url, c.url) << c.text;
        EXPECT_EQ(url->authority(), c.authority);
    }
}

TEST(Url, refuses_the_rest_in_one_sentence) {
    for (const char* text :
         {"", "api.example", "ftp://a", "https://", "https://a:0", "https://a:65536", "https://a:x",
          "https://a?x=1", "https://a#x", "https:// a", "https://a b", "//a", "unix:///run/x"}) {
        const auto url = parse_url(text);
        ASSERT_FALSE(url) << text;
        EXPECT_NE(url.error().message.find("https://HOST"), std::string::npos)
            << url.error().message;
    }
}

TEST(Url, a_password_is_refused_and_not_repeated) {
    for (const char* text : {"https://joe:secret@a", "https://secret@a", "https://joe:sec ret@a"}) {
        const auto url = parse_url(text);
        ASSERT_FALSE(url) << text;
        EXPECT_EQ(url.error().message.find("sec"), std::string::npos) << url.error().message;
    }
}

TEST(Loopback, is_this_machine_and_nothing_that_looks_like_it) {
    for (const auto* here : {"localhost", "api.localhost", "127.0.0.1", "127.255.255.254", "::1"}) {
        EXPECT_TRUE(loopback(here)) << here;
    }
    for (const auto* there :
         {"", "localhost.example.com", "127.0.0.1.nip.io", "126.255.255.255", "128.0.0.1",
          "0.0.0.0", "127.1", "::2", "::ffff:10.0.0.1", "notlocalhost", "10.0.0.1"}) {
        EXPECT_FALSE(loopback(there)) << there;
    }
}

TEST(Url, knows_addresses_that_stay_here_and_those_of_clouds) {
    EXPECT_TRUE(link_local("169.254.169.254"));
    EXPECT_TRUE(link_local("::ffff:169.254.169.254"));
    EXPECT_TRUE(link_local("fe80::1"));
    EXPECT_TRUE(link_local("fd00:ec2::254"));
    EXPECT_FALSE(link_local("169.253.0.1"));
    EXPECT_FALSE(link_local("prometheus"));
}

TEST(Url, queries_are_escaped_and_empty_values_left_out) {
    EXPECT_EQ(query({}), "");
    EXPECT_EQ(query({{"limit", ""}}), "");
    EXPECT_EQ(query({{"limit", "500"}, {"continue", "a/b+c=="}, {"x", ""}}),
              "?limit=500&continue=a%2Fb%2Bc%3D%3D");
    EXPECT_EQ(escaped("up{a=\"ü\"}"), "up%7Ba%3D%22%C3%BC%22%7D");
}

}  // namespace
}  // namespace parley::http
