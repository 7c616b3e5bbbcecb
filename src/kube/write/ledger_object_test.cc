#include "kube/write/ledger_object.h"

#include "http/imposter.h"
#include "http/test_loop.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using http::Reply;

const std::vector<http::Header> kJson = {{"Content-Type", "application/json"}};
const LedgerPlace kPlace;

model::Ledger ledger(std::uint64_t version, bool stopped = false) {
    model::Ledger out;
    out.version = version;
    out.epoch = 3;
    out.stopped = stopped;
    return out;
}

/// A server that keeps one ConfigMap as the API server does.
struct Bench {
    Bench()
        : server(loop.executor(), [this](const http::Request& asked) { return answer(asked); }) {
        Access access;
        access.server = {.tls = false, .host = "127.0.0.1", .port = server.port()};
        auto made = Api::make(loop.executor(), access, {.user_agent = "parley/test"});
        EXPECT_TRUE(made);
        store = std::make_unique<LedgerObject>(*std::move(made), kPlace);
    }

    Reply answer(const http::Request& asked) {
        if (asked.method == "GET") {
            if (stored.empty()) return {.status = 404, .headers = kJson, .body = "{}"};
            return {.headers = kJson, .body = stored};
        }
        const std::string was = R"("resourceVersion":")" + std::to_string(version) + '"';
        const bool stale =
            asked.method == "POST" ? !stored.empty() : asked.body.find(was) == std::string::npos;
        if (stale) return {.status = 409, .headers = kJson, .body = "{}"};
        if (refuses != 0) return {.status = refuses, .headers = kJson, .body = "{}"};
        const auto read = asked.method == "POST" ? Result<StoredLedger>(StoredLedger{})
                                                 : read_ledger_body(asked.body);
        EXPECT_TRUE(read);
        put(asked.body);
        if (silent) return {.manner = Reply::Manner::reset};
        return {.headers = kJson, .body = stored};
    }

    /// What was sent, with a new resourceVersion.
    void put(const std::string& body) {
        ++version;
        stored = body;
        const std::string meta = R"("namespace":"parley-system")";
        const std::size_t at = stored.find(R"("resourceVersion":")");
        if (at != std::string::npos) {
            const std::size_t end = stored.find('"', at + 19);
            stored.replace(at + 19, end - at - 19, std::to_string(version));
        } else {
            stored.insert(stored.find(meta) + meta.size(),
                          R"(,"resourceVersion":")" + std::to_string(version) + '"');
        }
    }

    Result<model::Ledger> read() { return loop.ask(store->read_ledger()); }
    Result<void> swap(std::uint64_t expected, model::Ledger next) {
        return loop.ask(store->swap_ledger(expected, std::move(next)));
    }

    std::string stored;
    int version = 100;
    int refuses = 0;
    bool silent = false;  ///< Stores what is written, and does not answer.
    http::TestLoop loop;
    http::Imposter server;
    std::unique_ptr<LedgerObject> store;
};

TEST(LedgerObject, is_empty_at_first_and_then_what_was_written) {
    Bench bench;
    EXPECT_EQ(bench.read().value(), model::Ledger{});
    EXPECT_TRUE(bench.swap(0, ledger(1)));
    EXPECT_TRUE(bench.swap(1, ledger(2, true)));
    EXPECT_EQ(bench.read().value(), ledger(2, true));
    EXPECT_NE(bench.stored.find(R"("version":"2","epoch":"3","stopped":"true","open":"")"),
              std::string::npos);
}

TEST(LedgerObject, is_written_only_over_what_was_read) {
    Bench bench;
    EXPECT_EQ(bench.swap(0, ledger(1)).error().code, ErrorCode::conflict) << "never read";
    ASSERT_TRUE(bench.read());
    EXPECT_EQ(bench.swap(7, ledger(8)).error().code, ErrorCode::conflict);
    ASSERT_TRUE(bench.swap(0, ledger(1)));
    bench.put(ledger_body(kPlace, ledger(9), std::to_string(bench.version)));  // Another leader.
    EXPECT_EQ(bench.swap(1, ledger(2)).error().code, ErrorCode::conflict);
    EXPECT_EQ(bench.swap(1, ledger(2)).error().code, ErrorCode::conflict) << "until it is read";
    EXPECT_EQ(bench.read().value(), ledger(9));
    EXPECT_TRUE(bench.swap(9, ledger(10)));
}

TEST(LedgerObject, two_that_begin_at_once_do_not_both_write_it) {
    Bench bench;
    ASSERT_TRUE(bench.read());
    bench.put(ledger_body(kPlace, ledger(1), ""));
    EXPECT_EQ(bench.swap(0, ledger(1, true)).error().code, ErrorCode::conflict);
    EXPECT_EQ(bench.read().value(), ledger(1));
}

TEST(LedgerObject, a_write_without_an_answer_is_read_once_more) {
    Bench bench;
    ASSERT_TRUE(bench.read());
    bench.silent = true;
    EXPECT_TRUE(bench.swap(0, ledger(1))) << "it is there";
    bench.silent = false;
    bench.refuses = 503;
    EXPECT_EQ(bench.swap(1, ledger(2)).error().code, ErrorCode::unknown_outcome);
    bench.refuses = 0;
    EXPECT_EQ(bench.swap(1, ledger(2)).error().code, ErrorCode::conflict)
        << "what was sent may still come: it is read before anything else";
    ASSERT_TRUE(bench.read());
    EXPECT_TRUE(bench.swap(1, ledger(2)));
}

TEST(LedgerObject, what_is_not_ours_is_refused_with_what_to_do) {
    const std::string meta = R"({"metadata":{"resourceVersion":"5"})";
    for (const std::string& body :
         {std::string("{}"), meta + "}",
          meta + R"(,"data":{"format":"parley-ledger-2"},)"
                 R"("binaryData":{"ledger":""}})",
          meta + R"(,"data":{"format":"parley-ledger-1"},"binaryData":{"ledger":"!"}})",
          meta + R"(,"data":{"format":"parley-ledger-1"},"binaryData":{"ledger":"AAAA"}})",
          std::string("[")}) {
        Bench bench;
        bench.stored = body;
        const auto read = bench.read();
        ASSERT_FALSE(read) << body;
        EXPECT_EQ(read.error().code, ErrorCode::malformed);
        EXPECT_FALSE(bench.swap(0, ledger(1))) << "it is not overwritten";
    }
}

}  // namespace
}  // namespace parley::kube
