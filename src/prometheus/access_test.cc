#include "prometheus/access.h"

#include "http/test_certificates.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace parley::prometheus {
namespace {

const char* const kCloud =
    "the address of Prometheus is one where clouds hand out credentials; it is never asked";
const char* const kPlain = "credentials for Prometheus must not go over plain http; use https";

struct Case {
    const char* name;
    Access access;
    std::string trouble;  ///< Empty: fine.
};

class AccessIs : public testing::TestWithParam<Case> {};

TEST_P(AccessIs, checked) {
    const auto url = checked(GetParam().access);
    EXPECT_EQ(url ? "" : url.error().message, GetParam().trouble);
}

std::vector<http::Header> header(const char* name, const char* value = "canary") {
    return {{name, value}};
}

const Case kCases[] = {
    {"plain", {.url = "http://prometheus.monitoring:9090"}, ""},
    {"with_a_path", {.url = "https://example.org/prom/"}, ""},
    {"token", {.url = "https://p", .token_file = "t"}, ""},
    {"certificate", {.url = "https://p", .certificate_file = "c", .key_file = "k"}, ""},
    {"user", {.url = "https://p", .user = "u", .password_file = "p"}, ""},
    {"tenant", {.url = "http://p", .headers = header("X-Scope-OrgID")}, ""},
    // Item 18: never where clouds hand out credentials.
    {"metadata", {.url = "http://169.254.169.254/latest"}, kCloud},
    {"metadata_ipv6", {.url = "http://[fd00:ec2::254]/"}, kCloud},
    {"link_local_ipv6", {.url = "http://[fe80::1]/"}, kCloud},
    {"metadata_mapped", {.url = "http://[::ffff:169.254.169.254]/"}, kCloud},
    {"metadata_as_a_number", {.url = "http://2852039166/"}, kCloud},
    {"metadata_in_hexadecimal", {.url = "http://0xa9fea9fe/"}, kCloud},
    {"metadata_in_octal", {.url = "http://0251.0376.0251.0376/"}, kCloud},
    {"metadata_in_short", {.url = "http://169.254.43518/"}, kCloud},
    {"metadata_with_a_dot", {.url = "http://169.254.169.254./"}, kCloud},
    {"metadata_by_name", {.url = "http://Metadata.Google.Internal/"}, kCloud},
    {"metadata_by_name_with_a_dot", {.url = "http://metadata.google.internal./"}, kCloud},
    {"metadata_elsewhere", {.url = "http://100.100.100.200/"}, kCloud},
    {"a_name_with_digits", {.url = "http://prom.k8s-1.example.42x/"}, ""},
    // Item 14: never over plain http.
    {"token_over_http", {.url = "http://p", .token_file = "t"}, kPlain},
    {"token_over_http_on_loopback", {.url = "http://127.0.0.1", .token_file = "t"}, kPlain},
    {"user_over_http", {.url = "http://p", .user = "u", .password_file = "p"}, kPlain},
    {"certificate_over_http",
     {.url = "http://p", .certificate_file = "c", .key_file = "k"},
     kPlain},
    {"secret_header_over_http",
     {.url = "http://p", .headers = header("X-Api-Key")},
     "the header \"X-Api-Key\" must not go over plain http; use https"},
    {"authorization_over_http",
     {.url = "http://p", .headers = header("authorization")},
     "the header \"authorization\" must not go over plain http; use https"},
    {"secret_header", {.url = "https://p", .headers = header("X-Api-Key")}, ""},
    // Only one way to say who we are, and all of it.
    {"token_and_user",
     {.url = "https://p", .token_file = "t", .user = "u", .password_file = "p"},
     "a token file and a user are two ways to log in; keep one"},
    {"token_and_header",
     {.url = "https://p", .token_file = "t", .headers = header("Authorization")},
     "the header \"Authorization\" stands beside a token or a user; keep one"},
    {"user_alone", {.url = "https://p", .user = "u"}, "a user and a password file go together"},
    {"password_alone",
     {.url = "https://p", .password_file = "p"},
     "a user and a password file go together"},
    {"colon",
     {.url = "https://p", .user = "u:v", .password_file = "p"},
     "the user's name must hold no colon"},
    {"key_alone", {.url = "https://p", .key_file = "k"}, "a certificate and its key go together"},
    // Trust.
    {"insecure",
     {.url = "https://p", .insecure = true},
     "trust in any certificate is for loopback alone; name a CA file instead"},
    {"insecure_on_loopback", {.url = "https://[::1]:9090", .insecure = true}, ""},
    // Headers.
    {"host",
     {.url = "https://p", .headers = header("Host")},
     "the header \"Host\" is not for settings to set"},
    {"length",
     {.url = "https://p", .headers = header("content-LENGTH")},
     "the header \"content-LENGTH\" is not for settings to set"},
    {"two_lines",
     {.url = "https://p", .headers = header("X-A", "canary\r\nHost: x")},
     "the header \"X-A\" is not one line"},
    {"no_name",
     {.url = "https://p", .headers = header("")},
     "the header \"\" has no name that HTTP allows"},
    {"blank_in_a_name",
     {.url = "https://p", .headers = header("X A")},
     "the header \"X A\" has no name that HTTP allows"},
    // A password in the address would be shown.
    {"password_in_the_address",
     {.url = "https://u:canary@p"},
     "the address of \"p\" holds a user or a password; give them as credentials instead"},
};
INSTANTIATE_TEST_SUITE_P(All, AccessIs, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

/// A folder of its own, gone at the end.
struct Folder {
    Folder() : path(testing::TempDir() + "/prometheus_access_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(path);
    }
    ~Folder() { std::filesystem::remove_all(path); }

    std::string file(const std::string& name, const std::string& text) const {
        std::ofstream(path + "/" + name) << text;
        return path + "/" + name;
    }
    std::string path;
};

std::string authorization(const Result<Shown>& shown) {
    return shown ? shown->headers.at(0).value : shown.error().message;
}

TEST(AccessFiles, are_read_each_time) {
    const Folder folder;
    const Access access{.url = "https://p", .token_file = folder.file("token", "one\n")};
    EXPECT_EQ(authorization(read_files(access)), "Bearer one");
    folder.file("token", "two \r\n");
    EXPECT_EQ(authorization(read_files(access)), "Bearer two");
}

// RFC 7617.
TEST(AccessFiles, hold_a_password) {
    const Folder folder;
    const auto basic = [&](const std::string& user, const std::string& password) {
        return authorization(read_files({.url = "https://p",
                                         .user = user,
                                         .password_file = folder.file("password", password)}));
    };
    EXPECT_EQ(basic("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    EXPECT_EQ(basic("a", "bc"), "Basic YTpiYw==");
    EXPECT_EQ(basic("a", "bcd"), "Basic YTpiY2Q=");
    EXPECT_EQ(basic("a", "bcde"), "Basic YTpiY2Rl");
    EXPECT_EQ(basic("a", "\xff?>"), "Basic YTr/Pz4=");
}

TEST(AccessFiles, that_cannot_be_used_are_named_and_not_shown) {
    const Folder folder;
    const auto trouble = [&](const std::string& path) {
        const auto shown = read_files({.url = "https://p", .token_file = path});
        return shown ? "" : shown.error().message;
    };
    const std::string two = folder.file("two", "canary\ncanary");
    for (const std::string& path : {two, folder.file("empty", "\n"), folder.path,
                                    folder.path + "/none", std::string("/dev/zero")}) {
        const std::string said = trouble(path);
        EXPECT_NE(said.find("the token file"), std::string::npos) << path << ": " << said;
        EXPECT_EQ(said.find("canary"), std::string::npos) << said;
    }
    EXPECT_FALSE(read_files({.url = "https://p", .ca_file = folder.path + "/none"}));
}

TEST(AccessFiles, give_a_certificate) {
    const Folder folder;
    const http::Certified authority = http::make_authority("test");
    const http::Certified own = http::make_certificate(authority, "DNS:me");
    const Access access{.url = "https://p",
                        .certificate_file = folder.file("crt", own.certificate_pem),
                        .key_file = folder.file("key", own.key_pem),
                        .ca_file = folder.file("ca", authority.certificate_pem)};
    const auto shown = read_files(access);
    ASSERT_TRUE(shown);
    EXPECT_TRUE(tls_of(access, *shown));
    Shown other = *shown;
    other.key_pem = authority.key_pem;
    EXPECT_FALSE(tls_of(access, other)) << "a key of another certificate";
}

}  // namespace
}  // namespace parley::prometheus
