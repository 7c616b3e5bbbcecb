#include "http/request_text.h"

#include <gtest/gtest.h>

#include <string>

namespace parley::http {
namespace {

const Url kServer{.tls = false, .host = "kube.test", .port = 8001, .path = "/prefix"};

TEST(RequestText, says_what_to_whom) {
    const Request request{"GET", "/api?limit=5", {{"Accept", "application/json"}}, ""};
    EXPECT_EQ(request_text(request, kServer, std::nullopt).value(),
              "GET /prefix/api?limit=5 HTTP/1.1\r\n"
              "Host: kube.test:8001\r\n"
              "Accept: application/json\r\n\r\n");
}

TEST(RequestText, a_proxy_is_told_the_whole_address_and_who_asks) {
    const Proxy proxy{.host = "proxy.test", .user = "ann", .password = "secret"};
    EXPECT_EQ(request_text(Request{}, kServer, proxy).value(),
              "GET http://kube.test:8001/prefix/ HTTP/1.1\r\n"
              "Host: kube.test:8001\r\n"
              "Proxy-Authorization: Basic YW5uOnNlY3JldA==\r\n\r\n");
}

TEST(RequestText, a_body_has_a_length_and_so_has_a_post_without_one) {
    const auto text = [](std::string_view method, std::string_view body) {
        return request_text(method, "/", {}, body).value();
    };
    EXPECT_EQ(text("PATCH", "{}"), "PATCH / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
    EXPECT_EQ(text("POST", ""), "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(text("DELETE", ""), "DELETE / HTTP/1.1\r\n\r\n");
    EXPECT_EQ(text("DELETE", "{}"), "DELETE / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}");
}

TEST(RequestText, nothing_can_be_said_between_the_lines) {
    const auto refused = [](const Request& request) {
        const auto text = request_text(request, kServer, std::nullopt);
        return text ? "" : text.error().message;
    };
    EXPECT_EQ(refused({.headers = {{"X-Tab", "a\tb \xc3\xa9"}}}), "");
    using std::string_literals::operator""s;
    for (const std::string& value : {"a\r\nX-Evil: 1"s, "a\nb"s, "a\0b"s, "a\x7f"s}) {
        const std::string why = refused({.headers = {{"Authorization", "Bearer s3cret" + value}}});
        EXPECT_NE(why.find("the header Authorization"), std::string::npos) << value;
        EXPECT_EQ(why.find("s3cret"), std::string::npos) << "a secret is not repeated";
    }
    EXPECT_NE(refused({.headers = {{"X Evil", "1"}}}), "");
    EXPECT_NE(refused({.headers = {{"", "1"}}}), "");
    EXPECT_NE(refused({.method = "GET /evil"}), "");
    EXPECT_NE(refused({.target = "/a b"}), "");
    EXPECT_NE(refused({.target = "/a\r\nHost: evil"}), "");
}

}  // namespace
}  // namespace parley::http
