#include "apps/session/run_to_end.h"

#include "sim/scenario/builtin_scenarios.h"

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
        SessionOptions options{.scenario = std::make_shared<const sim::Scenario>(
                                   *sim::builtin_scenario("failing-node"))};
        options.folder = folder_;
        options.resume = resume;
        options.twins = false;
        auto opened = Session::open(options);
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? *std::move(opened) : nullptr;
    }

    std::string folder_ = testing::TempDir() + std::to_string(getpid()) + "run_to_end";
};

std::int64_t judged(const RunSummary& summary) {
    std::int64_t all = 0;
    for (const AgentTally& each : summary.agents)
        all += each.accepted + each.lost + each.refused + each.idle;
    return all;
}

TEST_F(RunToEnd, makes_every_round_and_says_what_they_came_to) {
    const auto session = open(false);
    ASSERT_TRUE(session);
    RunSummary summary;
    ASSERT_TRUE(run_to_end(*session, 4, {}, summary));
    EXPECT_EQ(summary.status, "complete");
    EXPECT_EQ(summary.rounds, 4U);
    EXPECT_GT(judged(summary), 0);
    EXPECT_FALSE(summary.last.empty());
}

TEST_F(RunToEnd, a_run_that_goes_on_counts_what_was_recorded_before) {
    RunSummary first;
    ASSERT_TRUE(run_to_end(*open(false), 4, {}, first));
    const auto session = open(true);
    ASSERT_TRUE(session);
    auto tally = tally_of_record(real_disk(), folder_);
    ASSERT_TRUE(tally) << tally.error().message;
    RunSummary before;
    tally->fill(before);
    EXPECT_EQ(judged(before), judged(first));
    RunSummary whole;
    ASSERT_TRUE(run_to_end(*session, 6, *std::move(tally), whole));
    EXPECT_EQ(whole.rounds, 6U);
    EXPECT_GT(judged(whole), judged(first));
}

TEST_F(RunToEnd, what_is_no_record_has_no_tally) {
    EXPECT_FALSE(tally_of_record(real_disk(), folder_));
}

}  // namespace
}  // namespace parley::app
