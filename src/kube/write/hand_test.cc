#include "kube/write/hand.h"

#include "http/imposter.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;
using http::Reply;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
const NodeId kNode{Name::of("node-1")};
const cluster::Stamp kStamp{{1, 2}, 3, false};

std::string node(const std::string& version) {
    return R"({"metadata":{"name":"node-1","uid":"0af1c2d3-0000-4000-8000-0000000000aa",)"
           R"("resourceVersion":")" +
           version + R"("},"spec":{}})";
}

/// A hand before a server that shows node-1 in version 41 and answers changes as told.
struct Bench {
    explicit Bench(Reply to_change = {.headers = kJson, .body = "{}"})
        : change(std::move(to_change)), server(loop.executor(), [this](const http::Request& asked) {
              if (asked.method == "GET") return Reply{.headers = kJson, .body = node(version)};
              const bool dry = asked.target.find("dryRun=All") != std::string::npos;
              return dry ? dry_run : change;
          }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto made = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(made);
        hand = std::make_unique<Hand>(*std::move(made));
    }

    Result<void> taint(std::uint64_t only_if) {
        const Precondition same{uid_of("0af1c2d3-0000-4000-8000-0000000000aa"), only_if};
        return loop.ask(hand->apply(SetTaint{kNode, Taint::no_schedule}, same, kStamp));
    }
    static Uid uid_of(const std::string&) { return {0x0af1c2d3'0000'4000, 0x8000'0000000000aa}; }

    /// "PATCH", "PATCH dry" for every change that was asked for.
    std::vector<std::string> changes() const {
        std::vector<std::string> out;
        for (const http::Request& each : server.requests()) {
            const bool dry = each.target.find("dryRun=All") != std::string::npos;
            if (each.method != "GET") out.push_back(each.method + (dry ? " dry" : ""));
        }
        return out;
    }

    Reply change;
    Reply dry_run{.headers = kJson, .body = "{}"};
    std::string version = "41";
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<Hand> hand;
};

using Texts = std::vector<std::string>;

TEST(Hand, reads_its_target_and_changes_that_very_version) {
    Bench bench;
    const auto live = bench.loop.ask(bench.hand->read(SetTaint{kNode, Taint::no_schedule}));
    ASSERT_TRUE(live) << live.error().message;
    EXPECT_EQ(live->version, 41U);
    EXPECT_FALSE(live->applied);
    EXPECT_TRUE(bench.taint(41));
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
}

TEST(Hand, sends_nothing_for_what_it_did_not_read) {
    Bench bench;
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::conflict) << "never read";
    ASSERT_TRUE(bench.loop.ask(bench.hand->read(SetTaint{kNode, Taint::no_schedule})));
    EXPECT_EQ(bench.taint(40).error().code, ErrorCode::conflict) << "another version";
    EXPECT_TRUE(bench.changes().empty());
    EXPECT_TRUE(bench.taint(41));
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::conflict) << "it is no longer that version";
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH"}));
}

TEST(Hand, tries_a_verb_once_by_a_dry_run_and_stops_where_that_is_refused) {
    Bench bench;
    bench.dry_run = {.status = 403, .headers = kJson, .body = "{}"};
    const auto look = [&] {
        return bench.loop.ask(bench.hand->read(SetTaint{kNode, Taint::no_schedule}));
    };
    ASSERT_TRUE(look());
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::denied);
    EXPECT_EQ(bench.changes(), Texts{"PATCH dry"});
    bench.dry_run = {.status = 500, .headers = kJson, .body = "{}"};
    ASSERT_TRUE(look());
    EXPECT_EQ(bench.taint(41).error().code, ErrorCode::unavailable) << "surely nothing was done";
    bench.dry_run = {.headers = kJson, .body = "{}"};
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(look());
        EXPECT_TRUE(bench.taint(41));
    }
    EXPECT_EQ(bench.changes(), (Texts{"PATCH dry", "PATCH dry", "PATCH dry", "PATCH", "PATCH"}));
}

TEST(Hand, says_of_every_answer_what_is_to_be_done) {
    struct Case {
        Reply reply;
        ErrorCode code;
    };
    const std::string budget = R"({"kind":"Status","details":{"causes":[{"reason":)"
                               R"("DisruptionBudget"}]}})";
    for (const Case& each : std::initializer_list<Case>{
             {{.status = 409, .headers = kJson, .body = "{}"}, ErrorCode::conflict},
             {{.status = 404, .headers = kJson, .body = "{}"}, ErrorCode::gone},
             {{.status = 403, .headers = kJson, .body = "{}"}, ErrorCode::denied},
             {{.status = 422, .headers = kJson, .body = "{}"}, ErrorCode::denied},
             {{.status = 429, .headers = kJson, .body = "{}"}, ErrorCode::unavailable},
             {{.status = 429, .headers = kJson, .body = budget}, ErrorCode::blocked},
             {{.status = 500, .headers = kJson, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.status = 503, .headers = kJson, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.status = 504, .headers = kJson, .body = "{}"}, ErrorCode::unknown_outcome},
             {{.headers = {{"Content-Type", "text/html"}}, .body = "<p>"}, ErrorCode::malformed},
             {{.manner = Reply::Manner::reset}, ErrorCode::unknown_outcome},
             {{.headers = kJson, .body = "{}", .manner = Reply::Manner::cut},
              ErrorCode::unknown_outcome}}) {
        Bench bench(each.reply);
        ASSERT_TRUE(bench.loop.ask(bench.hand->read(SetTaint{kNode, Taint::no_schedule})));
        const auto answer = bench.taint(41);
        ASSERT_FALSE(answer) << each.reply.status;
        EXPECT_EQ(answer.error().code, each.code) << each.reply.status << answer.error().message;
        EXPECT_EQ(bench.changes().size(), 2U) << "it never tries again";
    }
}

TEST(Hand, a_pod_is_evicted_only_after_a_dry_run_each_time) {
    Bench bench;
    const EvictPod evict{Bench::uid_of(""), "web-1", Name::of("shop")};
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(bench.loop.ask(bench.hand->read(evict)));
        EXPECT_TRUE(bench.loop.ask(bench.hand->apply(evict, {evict.pod, 41}, kStamp)));
    }
    EXPECT_EQ(bench.changes(), (Texts{"POST dry", "POST", "POST dry", "POST"}));
}

}  // namespace
}  // namespace parley::kube
