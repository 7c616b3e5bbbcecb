#include "web/run/served_run.h"

#include "base/clock.h"
#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

void record(Disk& disk, std::uint64_t rounds, bool finished = true) {
    kit::Recording recording(disk, "runs/tour-7", {});
    for (std::uint64_t n = 1; n <= rounds; ++n) {
        kit::Round round = kit::round_at(n);
        recording.keep(round);
    }
    if (finished) recording.finish(rounds);
}

void read_all(ServedRun& run) {
    for (int i = 0; i < 100 && run.read_more(seconds(10)); ++i) {
    }
}

TEST(ServedRun, a_finished_run_is_read_from_its_record) {
    fake::Disk disk;
    record(disk, 130);
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

TEST(ServedRun, a_run_that_nobody_writes_any_more_was_killed) {
    fake::Disk disk;
    record(disk, 12, false);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    read_all(run);
    EXPECT_EQ(run.card().status, RunState::killed);
    EXPECT_EQ(run.card().rounds, 12U) << "its last round is there as well";
}

TEST(ServedRun, a_run_that_is_being_written_is_followed) {
    fake::Disk disk;
    kit::Recording recording(disk, "runs/tour-7", {});
    for (std::uint64_t n = 1; n <= 5; ++n) {
        kit::Round round = kit::round_at(n);
        recording.keep(round);
    }
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    std::vector<std::uint64_t> told;
    run.listen([&](std::uint64_t id, const Shared&) {
        if (id != 0) told.push_back(id);
    });
    read_all(run);
    EXPECT_EQ(run.card().status, RunState::running);
    EXPECT_EQ(run.newest(), 4U) << "the fifth may still grow";
    read_all(run);
    read_all(run);
    EXPECT_EQ(run.newest(), 5U) << "nothing more came for a while";
    kit::Round round = kit::round_at(6);
    recording.keep(round);
    recording.finish(6);
    read_all(run);
    EXPECT_EQ(run.card().status, RunState::complete);
    EXPECT_EQ(told, (std::vector<std::uint64_t>{4, 5, 6})) << "what was there before is not news";
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

TEST(ServedRun, says_who_stopped_it_and_after_which_round) {
    fake::Disk disk;
    std::optional<StopWord> word;
    RunHooks hooks;
    hooks.stopped = [&] { return word; };
    ServedRun run(disk, {"demo", ""}, kit::header({}), std::move(hooks));
    const auto take = [&](std::uint64_t n, bool stopped) {
        kit::Round round = kit::round_at(n);
        round.input.controls.stop = stopped;
        run.take(kit::seen(round));
    };
    take(1, false);
    take(2, false);
    EXPECT_FALSE(run.card().stopped.has_value());
    word = StopWord{.by = "user 0 at a terminal"};
    EXPECT_EQ(run.card().stopped->after_round, std::nullopt) << "nothing tells of it yet";
    take(3, true);
    take(4, true);
    EXPECT_EQ(run.card().stopped->by, "user 0 at a terminal");
    EXPECT_EQ(run.card().stopped->after_round, 2U);
    EXPECT_NE(run.greeting(4)[0]->find("\"after_round\":2"), std::string::npos);
    take(5, false);
    word = StopWord{.by = "session 2", .after_round = 5};
    take(6, false);
    take(7, true);
    EXPECT_EQ(run.card().stopped->after_round, 5U) << "as whoever pressed it saw it";
}

TEST(ServedRun, the_newest_rounds_of_a_long_record_are_there_before_the_rest_was_read) {
    fake::Disk disk;
    record(disk, 230);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    EXPECT_TRUE(run.read_more(Duration{})) << "its end first";
    for (int i = 0; i < 100 && !run.was_read(); ++i) run.read_more(milliseconds(1));
    ASSERT_TRUE(run.was_read());
    EXPECT_EQ((*run.round(std::nullopt))->decision->round, 230U);
    EXPECT_EQ(run.card().first_round, 201U) << "from the last keyframe on";
    EXPECT_NE(run.card().reading.find("Rounds before 201 are being read"), std::string::npos);
    EXPECT_EQ((*run.round(7))->decision->round, 7U) << "any round can be opened meanwhile";
    EXPECT_EQ(run.all_read().error().code, ErrorCode::unavailable);
    run.note(explanation::EventKind::stage, "somebody pressed stop");
    read_all(run);
    EXPECT_EQ(run.card().reading, "");
    EXPECT_EQ(run.card().first_round, 1U);
    EXPECT_EQ(run.card().rounds, 230U);
    EXPECT_TRUE(run.all_read().has_value());
    EXPECT_TRUE(run.detail().gaps.empty());
    const auto found = run.ask_index(
        [](const RunIndex& index) { return index.events({.find = "somebody pressed"}).total; });
    EXPECT_EQ(found, 1U) << "what was said meanwhile is not lost";
}

TEST(ServedRun, time_that_is_up_between_the_last_round_and_the_end_loses_neither) {
    fake::Disk disk;
    record(disk, 5);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    for (int i = 0; i < 1'000 && !run.was_read(); ++i) run.read_more(microseconds(1));
    EXPECT_TRUE(run.was_read());
    EXPECT_EQ(run.card().status, RunState::complete);
    EXPECT_EQ(run.card().rounds, 5U);
}

TEST(ServedRun, a_run_that_grows_while_it_is_read_loses_no_round) {
    fake::Disk disk;
    kit::Recording recording(disk, "runs/tour-7", {});
    std::uint64_t written = 0;
    const auto write = [&](std::uint64_t until) {
        while (written < until) {
            kit::Round round = kit::round_at(++written);
            recording.keep(round);
        }
    };
    write(120);
    ServedRun run(disk, {"tour-7", "runs/tour-7"}, RunHooks{});
    for (int i = 0; i < 30; ++i) {
        run.read_more(milliseconds(1));
        write(120 + static_cast<std::uint64_t>(i));
    }
    write(160);
    recording.finish(160);
    for (int i = 0; i < 200 && run.card().status == RunState::running; ++i) {
        read_all(run);
        nap(milliseconds(20));
    }
    EXPECT_EQ(run.card().rounds, 160U);
    EXPECT_EQ(run.card().reading, "");
    EXPECT_TRUE(run.detail().gaps.empty());
}

}  // namespace
}  // namespace parley::web
