#include "kube/webhook/hook_server.h"

#include "base/clock.h"
#include "http/client.h"
#include "http/test_loop.h"
#include "kube/webhook/admission_answer.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

const std::vector<std::string> kNames{"127.0.0.1", "localhost"};

/// A server that answers with the length of what it was sent, and a client that trusts one
/// authority.
struct Bench {
    Bench() : first(*issue(kNames, hours(1), wall_now())) {
        auto started = HookServer::start("127.0.0.1", 0, first,
                                         [](std::string_view body) -> Result<std::string> {
                                             if (body == "bad") {
                                                 return fail(ErrorCode::malformed, "it is bad");
                                             }
                                             return std::to_string(body.size());
                                         });
        EXPECT_TRUE(started);
        server = *std::move(started);
    }

    std::unique_ptr<http::Client> client(const std::string& authority_pem) {
        auto tls = http::Tls::make({.ca_pem = authority_pem});
        EXPECT_TRUE(tls);
        return std::make_unique<http::Client>(
            loop.executor(),
            http::Endpoint{.url = {true, "127.0.0.1", server->port(), ""}, .tls = *tls}, "test");
    }

    /// "200 2", or why it failed.
    std::string ask(http::Client& from, const std::string& method, const std::string& target,
                    const std::string& body) {
        const http::Request request{.method = method, .target = target, .body = body};
        const auto answer = loop.ask(from.ask(request, {}));
        if (!answer) return answer.error().code == ErrorCode::denied ? "denied" : "failed";
        return std::to_string(answer->status) + " " + answer->body;
    }

    Issued first;
    http::TestLoop loop;
    std::unique_ptr<HookServer> server;
};

TEST(HookServer, answers_what_is_posted_to_its_path_and_nothing_else) {
    Bench bench;
    const auto client = bench.client(bench.first.authority_pem);
    EXPECT_EQ(bench.ask(*client, "POST", "/admit?timeout=2s", "{}"), "200 2");
    EXPECT_EQ(bench.ask(*client, "POST", "/admit", "bad"), "400 it is bad\n");
    EXPECT_EQ(bench.ask(*client, "GET", "/admit", ""), "405 Only POST is answered.\n");
    EXPECT_EQ(bench.ask(*client, "POST", "/", "{}"), "404 Only /admit is here.\n");
    EXPECT_EQ(bench.ask(*client, "POST", "/admit/x", "{}"), "404 Only /admit is here.\n");
    EXPECT_EQ(bench.ask(*client, "POST", "/admit", std::string(1 << 20, ' ')), "200 1048576");
}

TEST(HookServer, reads_no_body_that_is_too_long) {
    Bench bench;
    const auto client = bench.client(bench.first.authority_pem);
    const std::string whole(kReviewBytesMax, ' ');
    EXPECT_EQ(bench.ask(*client, "POST", "/admit", whole), "200 3145728");
    // Whether the client is told, or sees the connection end first, is a matter of timing.
    const std::string longer = bench.ask(*client, "POST", "/admit", whole + " ");
    EXPECT_TRUE(longer == "413 The body is longer than 3 MiB.\n" || longer == "failed") << longer;
    EXPECT_EQ(bench.ask(*client, "POST", "/admit", "{}"), "200 2");
}

TEST(HookServer, changes_its_certificate_while_it_serves) {
    Bench bench;
    const Issued second = *issue(kNames, hours(1), wall_now());
    const auto kept = bench.client(bench.first.authority_pem);
    EXPECT_EQ(bench.ask(*kept, "POST", "/admit", "{}"), "200 2");
    const auto stranger = bench.client(second.authority_pem);
    EXPECT_EQ(bench.ask(*stranger, "POST", "/admit", "{}"), "denied");
    bench.server->use(second);
    EXPECT_EQ(bench.ask(*kept, "POST", "/admit", "{}"), "200 2") << "its connection goes on";
    const auto both = bench.client(bench.first.authority_pem + second.authority_pem);
    EXPECT_EQ(bench.ask(*both, "POST", "/admit", "{}"), "200 2");
    const auto fresh = bench.client(second.authority_pem);
    EXPECT_EQ(bench.ask(*fresh, "POST", "/admit", "{}"), "200 2");
    const auto late = bench.client(bench.first.authority_pem);
    EXPECT_EQ(bench.ask(*late, "POST", "/admit", "{}"), "denied");
}

TEST(HookServer, says_why_it_cannot_listen) {
    Bench bench;
    const auto answer = [](std::string_view) -> Result<std::string> { return ""; };
    const auto taken = HookServer::start("127.0.0.1", bench.server->port(), bench.first, answer);
    ASSERT_FALSE(taken);
    EXPECT_TRUE(taken.error().message.starts_with("cannot listen on 127.0.0.1:"));
    EXPECT_FALSE(HookServer::start("nowhere", 0, bench.first, answer));
    EXPECT_FALSE(HookServer::start("127.0.0.1", 0, Issued{}, answer));
}

}  // namespace
}  // namespace parley::kube
