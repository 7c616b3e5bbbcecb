#include "kube/webhook/registration.h"

#include "http/imposter.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using http::Reply;
using Texts = std::vector<std::string>;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
const HookPlace kPlace{.url = "https://127.0.0.1:9443/admit"};

/// An API server with one configuration in it, which may refuse or not answer.
struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request& asked) { return answer(asked); }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto api = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(api);
        made = std::make_unique<Registration>(
            *std::move(api), "home", kPlace, [this] { return term; }, "r");
    }

    Reply answer(const http::Request& asked) {
        if (asked.method == "GET") {
            const bool ours = asked.target.find("mutatingwebhook") != std::string::npos;
            if (ours && !stored.empty()) return {.headers = kJson, .body = stored};
            return {.status = ours ? 404 : policy, .headers = kJson, .body = "{}"};
        }
        const bool dry = asked.target.find("dryRun=All") != std::string::npos;
        said.push_back((dry ? "dry " : "") + asked.method);
        if (refuses != 0) return {.status = refuses, .headers = kJson, .body = "{}"};
        if (!dry && lost) return {.manner = Reply::Manner::reset};
        if (!dry) stored = asked.body;
        return {.headers = kJson, .body = "{}"};
    }

    Result<void> keep(const std::string& bundle) { return loop.ask(made->keep(bundle)); }

    std::string stored;
    int policy = 404;
    int refuses = 0;
    bool lost = false;
    Texts said;
    Duration term = seconds(10);
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Registration> made;
};

TEST(Registration, is_written_when_it_says_something_else) {
    Bench bench;
    ASSERT_TRUE(bench.keep("one"));
    ASSERT_TRUE(bench.keep("one"));
    EXPECT_EQ(bench.said, (Texts{"dry POST", "POST"}));
    EXPECT_EQ(bench.made->known(), "one");
    ASSERT_TRUE(bench.keep("one two"));
    ASSERT_TRUE(bench.keep("two"));
    EXPECT_EQ(bench.said, (Texts{"dry POST", "POST", "dry PUT", "PUT", "PUT"}));
    EXPECT_EQ(bench.made->known(), "two");
}

TEST(Registration, is_not_written_without_a_term) {
    Bench bench;
    bench.term = {};
    const auto kept = bench.keep("one");
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, ErrorCode::unavailable);
    EXPECT_TRUE(bench.said.empty());
    EXPECT_TRUE(bench.made->known().empty());
}

TEST(Registration, that_a_dry_run_refuses_is_not_sent) {
    Bench bench;
    bench.refuses = 403;
    EXPECT_EQ(bench.keep("one").error().code, ErrorCode::denied);
    EXPECT_EQ(bench.said, (Texts{"dry POST"}));
    bench.refuses = 0;
    bench.policy = 403;
    EXPECT_EQ(bench.keep("one").error().code, ErrorCode::denied)
        << "whether the policy is installed is not known";
    EXPECT_EQ(bench.said, (Texts{"dry POST"}));
}

TEST(Registration, whose_answer_is_lost_is_believed_to_be_as_it_was) {
    Bench bench;
    ASSERT_TRUE(bench.keep("one"));
    bench.lost = true;
    EXPECT_FALSE(bench.keep("one two"));
    EXPECT_EQ(bench.made->known(), "one");
    bench.lost = false;
    ASSERT_TRUE(bench.keep("one two"));
    EXPECT_EQ(bench.made->known(), "one two");
}

TEST(Registration, is_spared_by_the_policy) {
    Bench bench;
    bench.policy = 200;
    ASSERT_TRUE(bench.keep("one"));
    EXPECT_TRUE(bench.made->spared());
    EXPECT_TRUE(bench.said.empty());
    EXPECT_TRUE(bench.made->known().empty());
}

}  // namespace
}  // namespace parley::kube
