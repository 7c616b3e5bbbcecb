#include "web/run/served_run.h"

#include "fake/disk.h"
#include "web/run/run_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

void read_all(ServedRun& run) {
    for (int i = 0; i < 100 && run.read_more(seconds(10)); ++i) {
    }
}

TEST(ServedRun, a_finished_run_is_read_from_its_record) {
    fake::Disk disk;
    kit::record(disk, 130);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    EXPECT_EQ(run.round(5).error().code, ErrorCode::unavailable) << "it was not read yet";
    read_all(run);
    const RunCard card = run.card();
    EXPECT_EQ(card.status, RunState::complete);
    EXPECT_EQ(card.rounds, 130U);
    EXPECT_EQ(card.title, "made-up, seed 7");
    EXPECT_FALSE(card.can_stop);
    EXPECT_EQ((*run.round(std::nullopt))->decision->round, 130U);
    EXPECT_EQ((*run.round(3))->decision->round, 3U) << "older than what is kept in memory";
    EXPECT_EQ(run.round(131).error().code, ErrorCode::gone);
    const RoundView view = run.view(**run.round(10));
    EXPECT_EQ(view.round, 10U);
    EXPECT_EQ(view.newest_round, 130U);
}

TEST(ServedRun, what_is_no_run_says_why) {
    fake::Disk disk;
    ASSERT_TRUE(make_directories(disk, "runs/tour-7/journal").has_value());
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    read_all(run);
    EXPECT_FALSE(run.card().problem.empty());
    EXPECT_FALSE(run.round(std::nullopt).has_value());
    EXPECT_FALSE(run.detail().errors.empty());
}

TEST(ServedRun, a_live_run_keeps_recent_rounds_and_greets_viewers) {
    fake::Disk disk;
    ServedRun run(disk, {"demo", ""}, kit::header({}), RunHooks{});
    EXPECT_EQ(run.greeting(std::nullopt).size(), 1U) << "the status alone";
    for (std::uint64_t n = 1; n <= 200; ++n) run.take(kit::seen(kit::round_at(n)));
    EXPECT_TRUE(run.round(200).has_value());
    EXPECT_EQ(run.round(1).error().code, ErrorCode::gone) << "nothing is recorded";
    EXPECT_EQ(run.greeting(std::nullopt).size(), 2U);
    EXPECT_EQ(run.greeting(197).size(), 4U) << "198, 199 and 200";
    EXPECT_EQ(run.greeting(200).size(), 1U);
    EXPECT_NE(run.greeting(std::nullopt)[1]->find("\"more\":true"), std::string::npos)
        << "whoever is new must fetch the map";
    std::string last;
    run.listen([&](std::uint64_t, const Shared& message) { last = *message; });
    run.finish(RunState::stopped, "by a person");
    EXPECT_NE(last.find("event: status"), std::string::npos);
    EXPECT_NE(last.find("\"status\":\"stopped\""), std::string::npos);
}

TEST(ServedRun, any_round_can_be_opened_while_earlier_ones_are_being_read) {
    fake::Disk disk;
    kit::record(disk, 230);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    for (int i = 0; i < 100 && !run.was_read(); ++i) run.read_more(milliseconds(1));
    ASSERT_TRUE(run.was_read());
    EXPECT_EQ((*run.round(std::nullopt))->decision->round, 230U);
    EXPECT_EQ((*run.round(7))->decision->round, 7U);
    EXPECT_EQ(run.all_read().error().code, ErrorCode::unavailable);
    read_all(run);
    EXPECT_TRUE(run.all_read().has_value());
    std::vector<std::uint64_t> rounds;
    ASSERT_TRUE(run.each(3, 5, [&](const SeenRoundPtr& each) {
        const std::uint64_t number = each->decision->round;
        if (number >= 3) rounds.push_back(number);
    }));
    EXPECT_EQ(rounds, (std::vector<std::uint64_t>{3, 4, 5})) << "from the record";
}

}  // namespace
}  // namespace parley::web
