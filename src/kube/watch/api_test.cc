#include "kube/watch/api.h"

#include "http/imposter.h"
#include "http/test_certificates.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace parley::kube {
namespace {

using http::Reply;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};

Access access_to(std::uint16_t port) {
    Access access;
    access.server = {.tls = false, .host = "127.0.0.1", .port = port};
    return access;
}

struct Bench {
    explicit Bench(http::Imposter::Script script) : server(loop.executor(), std::move(script)) {}

    std::unique_ptr<Api> api(const Identity& identity = {}) {
        Access access = access_to(server.port());
        access.identity = identity;
        auto made = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(made) << made.error().message;
        return *std::move(made);
    }

    http::TestLoop loop;
    http::Imposter server;
};

const std::string* header_of(const http::Request& request, std::string_view name) {
    for (const http::Header& each : request.headers) {
        if (each.name == name) return &each.value;
    }
    return nullptr;
}

TEST(Api, says_who_we_are_and_what_we_want) {
    Bench bench([](const http::Request&) { return Reply{.headers = kJson, .body = "{}"}; });
    const auto api = bench.api({.token = Secret("canary")});
    const auto answer = bench.loop.ask(api->get("/version", "asking"));
    ASSERT_TRUE(answer) << answer.error().message;
    const http::Request& request = bench.server.requests().at(0);
    EXPECT_EQ(*header_of(request, "Authorization"), "Bearer canary");
    EXPECT_EQ(*header_of(request, "User-Agent"), "parley/test");
    EXPECT_EQ(*header_of(request, "Accept"), "application/json");
    EXPECT_EQ(api->requests(), 1U);
}

TEST(Api, reads_a_rotated_token_after_a_401_and_asks_once_more) {
    const auto file = std::filesystem::path(testing::TempDir()) / "parley_api_token";
    std::ofstream(file) << "old";
    Bench bench([&](const http::Request& request) {
        if (*header_of(request, "Authorization") == "Bearer new") {
            return Reply{.headers = kJson, .body = "{}"};
        }
        std::ofstream(file) << "new";
        return Reply{.status = 401, .headers = kJson, .body = "{}"};
    });
    const auto api = bench.api({.token_file = file.string()});
    const auto answer = bench.loop.ask(api->get("/version", "asking"));
    EXPECT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(bench.server.requests().size(), 2U);
    std::filesystem::remove(file);
}

TEST(Api, a_second_401_is_an_answer) {
    Bench bench(
        [](const http::Request&) { return Reply{.status = 401, .headers = kJson, .body = "{}"}; });
    const auto api = bench.api({.token = Secret("canary")});
    const auto answer = bench.loop.ask(api->get("/version", "asking"));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::denied);
    EXPECT_EQ(answer.error().message.find("canary"), std::string::npos);
    EXPECT_EQ(bench.server.requests().size(), 2U);
    EXPECT_FALSE(bench.loop.ask(api->open("/api/v1/pods?watch=1", "watching pods")));
    EXPECT_EQ(bench.server.requests().size(), 4U);
}

TEST(Api, a_stream_that_is_refused_says_why) {
    Bench bench([](const http::Request&) {
        return Reply{
            .status = 410,
            .headers = kJson,
            .body = R"({"kind":"Status","code":410,"message":"too old","reason":"Expired"})"};
    });
    const auto api = bench.api();
    const auto stream = bench.loop.ask(api->open("/api/v1/pods?watch=1", "watching pods"));
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().code, ErrorCode::expired);
    EXPECT_EQ(stream.error().message, "watching pods: 410, too old");
}

TEST(Api, what_cannot_be_used_is_refused_before_anything_is_asked) {
    http::TestLoop loop;
    Access access = access_to(1);
    access.proxy_url = Secret("ftp://joe:canary@proxy:3128");
    auto made = Api::make(loop.executor(), access, {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message.find("canary"), std::string::npos);
    access = access_to(1);
    access.server.tls = true;
    access.ca_pem = "junk";
    EXPECT_FALSE(Api::make(loop.executor(), access, {}));
}

/// A server of one authority, and a file that names another.
struct TlsBench {
    TlsBench()
        : file(std::filesystem::path(testing::TempDir()) / "parley_api_ca"),
          server(
              loop.executor(),
              [](const http::Request&) { return Reply{.headers = kJson, .body = "{}"}; },
              shown_by(second)) {
        std::ofstream(file) << first.certificate_pem;
        Access access = access_to(server.port());
        access.server.tls = true;
        access.ca_file = file.string();
        access.ca_pem = first.certificate_pem;
        api = *Api::make(loop.executor(), access, {.user_agent = "parley/test"});
    }
    ~TlsBench() { std::filesystem::remove(file); }

    static http::ImposterTls shown_by(const http::Certified& authority) {
        const http::Certified own = http::make_certificate(authority, "IP:127.0.0.1");
        return {own.certificate_pem, own.key_pem, ""};
    }

    http::Certified first = http::make_authority("first");
    http::Certified second = http::make_authority("second");
    std::filesystem::path file;
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Api> api;
};

TEST(Api, who_is_not_trusted_has_not_refused_us) {
    TlsBench bench;
    const auto answer = bench.loop.ask(bench.api->get("/version", "asking"));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
    EXPECT_NE(answer.error().message.find("not trusted"), std::string::npos);
}

TEST(Api, trusts_an_authority_that_is_put_in_place_and_keeps_it_when_its_file_breaks) {
    TlsBench bench;
    ASSERT_FALSE(bench.loop.ask(bench.api->get("/version", "asking")));
    std::ofstream(bench.file) << bench.second.certificate_pem << "\n";
    EXPECT_TRUE(bench.loop.ask(bench.api->get("/version", "asking")));
    EXPECT_EQ(bench.api->credential_warning(), "");
    std::ofstream(bench.file) << "no certificate";
    EXPECT_TRUE(bench.loop.ask(bench.api->get("/version", "asking")));
    EXPECT_NE(bench.api->credential_warning().find("parley_api_ca"), std::string::npos);
    std::filesystem::remove(bench.file);
    EXPECT_TRUE(bench.loop.ask(bench.api->get("/version", "asking")));
    EXPECT_NE(bench.api->credential_warning(), "");
}

}  // namespace
}  // namespace parley::kube
