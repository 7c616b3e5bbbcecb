#include "apps/running/run_to_end.h"

#include "apps/session/scenario_file.h"
#include "apps/session/session.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace parley::app {
namespace {

class RunToEnd : public testing::Test {
protected:
    void SetUp() override { std::filesystem::remove_all(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::unique_ptr<Session> open(bool resume) {
        SessionOptions options{.scenario = *load_scenario(real_disk(), "failing-node", 1)};
        options.folder = folder_;
        options.resume = resume;
        options.twins = false;
        auto opened = Session::open(options);
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? *std::move(opened) : nullptr;
    }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "run_to_end";
};

Result<void> make_all(Session& session, std::uint64_t last, Tally tally, RunSummary& summary) {
    return run_to_end(
        session, last, std::move(tally),
        [&](store::RunStatus status, const std::string& why) {
            return session.finish(status, why);
        },
        summary);
}

std::int64_t judged(const RunSummary& summary) {
    std::int64_t all = 0;
    for (const AgentTally& each : summary.agents)
        all += each.accepted + each.held + each.lost + each.refused + each.idle;
    return all;
}

TEST_F(RunToEnd, makes_every_round_and_says_what_they_came_to) {
    const auto session = open(false);
    ASSERT_TRUE(session);
    RunSummary summary;
    ASSERT_TRUE(make_all(*session, 4, {}, summary));
    EXPECT_EQ(summary.status, "complete");
    EXPECT_EQ(summary.rounds, 4U);
    EXPECT_GT(judged(summary), 0);
    EXPECT_FALSE(summary.last.empty());
}

TEST_F(RunToEnd, a_run_that_goes_on_counts_what_was_recorded_before) {
    RunSummary first;
    ASSERT_TRUE(make_all(*open(false), 4, {}, first));
    const auto session = open(true);
    ASSERT_TRUE(session);
    auto tally = tally_of_record(real_disk(), folder_);
    ASSERT_TRUE(tally) << tally.error().message;
    RunSummary before;
    tally->fill(before);
    EXPECT_EQ(judged(before), judged(first));
    RunSummary whole;
    ASSERT_TRUE(make_all(*session, 6, *std::move(tally), whole));
    EXPECT_EQ(whole.rounds, 6U);
    EXPECT_GT(judged(whole), judged(first));
}

TEST(NothingLeft, says_that_a_run_has_its_rounds_already_and_how_to_go_on) {
    EXPECT_EQ(nothing_left(60, 3),
              "note: no round was made: the run has 60 rounds already, and --rounds 3 counts from "
              "its first. To go on: --rounds 63\n");
    EXPECT_EQ(
        nothing_left(1, 1),
        "note: no round was made: the run has 1 round already, and --rounds 1 counts from its "
        "first. To go on: --rounds 2\n");
    EXPECT_EQ(nothing_left(2, 3), "");
    EXPECT_EQ(nothing_left(0, 1), "");
}

/// A round that does not come at once, and then an error.
class Failing final : public Rounds {
public:
    Result<bool> next() override {
        if (++asked_ == 1) return false;
        if (asked_ == 2) return true;
        return fail(ErrorCode::unavailable, "the disk is full");
    }
    std::shared_ptr<const Published> last() const override {
        return std::make_shared<const Published>();
    }
    std::uint64_t rounds() const override { return asked_ < 2 ? 0 : 1; }

private:
    int asked_ = 0;
};

TEST_F(RunToEnd, a_round_that_fails_ends_it_and_is_recorded_as_the_reason) {
    Failing rounds;
    std::string reason;
    RunSummary summary;
    const auto done = run_to_end(
        rounds, 4, {},
        [&](store::RunStatus status, const std::string& why) {
            EXPECT_EQ(status, store::RunStatus::failed);
            reason = why;
            return Result<void>();
        },
        summary);
    ASSERT_FALSE(done);
    EXPECT_EQ(reason, "the disk is full");
    EXPECT_EQ(summary.status, "failed");
    EXPECT_EQ(summary.rounds, 1U);
}

TEST_F(RunToEnd, what_is_no_record_has_no_tally) {
    EXPECT_FALSE(tally_of_record(real_disk(), folder_));
}

}  // namespace
}  // namespace parley::app
