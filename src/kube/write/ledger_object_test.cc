#include "kube/write/ledger_object.h"

#include "kube/write/one_object_test.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

const LedgerPlace kPlace;

model::Ledger ledger(std::uint64_t version, bool stopped = false) {
    model::Ledger out;
    out.version = version;
    out.epoch = 3;
    out.stopped = stopped;
    return out;
}

struct Bench : OneObject {
    Bench() { store = std::make_unique<LedgerObject>(api(), kPlace); }

    Result<model::Ledger> read() { return loop.ask(store->read_ledger()); }
    Result<void> swap(std::uint64_t expected, model::Ledger next) {
        return loop.ask(store->swap_ledger(expected, std::move(next)));
    }

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
