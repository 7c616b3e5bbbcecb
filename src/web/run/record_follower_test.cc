#include "web/run/record_follower.h"

#include "base/clock.h"
#include "fake/disk.h"
#include "web/run/run_card.h"
#include "web/run/run_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

/// What is known of runs/tour-7, and its follower.
struct Followed {
    explicit Followed(Disk& disk) : follower(disk, place.folder, known) {}

    void read_all() {
        for (int i = 0; i < 100 && follower.read_more(seconds(10)); ++i) {
        }
    }
    template <class F>
    auto ask(F f) const {
        return known.with(f);
    }
    RunCard card() const { return ask(card_of); }
    bool was_read() const {
        return ask([](const RunKnown& k) { return k.read; });
    }
    std::uint64_t newest() const {
        return ask([](const RunKnown& k) { return k.index->newest(); });
    }

    RunPlace place{"tour-7", "runs/tour-7"};
    RunHooks hooks;
    Guarded<RunKnown> known{place, hooks};
    RecordFollower follower;
};

TEST(RecordFollower, a_run_that_nobody_writes_any_more_was_killed) {
    fake::Disk disk;
    kit::record(disk, 12, false);
    Followed run(disk);
    run.read_all();
    EXPECT_EQ(run.card().status, RunState::killed);
    EXPECT_EQ(run.card().rounds, 12U) << "its last round is there as well";
}

TEST(RecordFollower, a_run_that_is_being_written_is_followed) {
    fake::Disk disk;
    kit::Recording recording(disk, "runs/tour-7", {});
    for (std::uint64_t n = 1; n <= 5; ++n) {
        kit::Round round = kit::round_at(n);
        recording.keep(round);
    }
    Followed run(disk);
    std::vector<std::uint64_t> told;
    run.known.with([&](RunKnown& known) {
        known.stream.listen([&](std::uint64_t id, const Shared&) {
            if (id != 0) told.push_back(id);
        });
    });
    run.read_all();
    EXPECT_EQ(run.card().status, RunState::running);
    EXPECT_EQ(run.newest(), 4U) << "the fifth may still grow";
    run.read_all();
    run.read_all();
    EXPECT_EQ(run.newest(), 5U) << "nothing more came for a while";
    kit::Round round = kit::round_at(6);
    recording.keep(round);
    recording.finish(6);
    run.read_all();
    EXPECT_EQ(run.card().status, RunState::complete);
    EXPECT_EQ(told, (std::vector<std::uint64_t>{4, 5, 6})) << "what was there before is not news";
}

TEST(RecordFollower, the_newest_rounds_of_a_long_record_are_there_before_the_rest_was_read) {
    fake::Disk disk;
    kit::record(disk, 230);
    Followed run(disk);
    EXPECT_TRUE(run.follower.read_more(Duration{})) << "its end first";
    for (int i = 0; i < 100 && !run.was_read(); ++i) run.follower.read_more(milliseconds(1));
    ASSERT_TRUE(run.was_read());
    EXPECT_EQ(run.newest(), 230U);
    EXPECT_EQ(run.card().first_round, 201U) << "from the last keyframe on";
    EXPECT_NE(run.card().reading.find("Rounds before 201 are being read"), std::string::npos);
    run.known.with([](RunKnown& known) {
        known.note(explanation::EventKind::stage, "somebody pressed stop");
    });
    run.read_all();
    EXPECT_EQ(run.card().reading, "");
    EXPECT_EQ(run.card().first_round, 1U);
    EXPECT_EQ(run.card().rounds, 230U);
    EXPECT_TRUE(run.ask([](const RunKnown& known) { return known.gaps; }).empty());
    const auto found = run.ask([](const RunKnown& known) {
        return known.index->events({.find = "somebody pressed"}).total;
    });
    EXPECT_EQ(found, 1U) << "what was said meanwhile is not lost";
}

TEST(RecordFollower, time_that_is_up_between_the_last_round_and_the_end_loses_neither) {
    fake::Disk disk;
    kit::record(disk, 5);
    Followed run(disk);
    for (int i = 0; i < 1'000 && !run.was_read(); ++i) run.follower.read_more(microseconds(1));
    EXPECT_TRUE(run.was_read());
    EXPECT_EQ(run.card().status, RunState::complete);
    EXPECT_EQ(run.card().rounds, 5U);
}

TEST(RecordFollower, a_run_that_grows_while_it_is_read_loses_no_round) {
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
    Followed run(disk);
    for (int i = 0; i < 30; ++i) {
        run.follower.read_more(milliseconds(1));
        write(120 + static_cast<std::uint64_t>(i));
    }
    write(160);
    recording.finish(160);
    for (int i = 0; i < 200 && run.card().status == RunState::running; ++i) {
        run.read_all();
        nap(milliseconds(20));
    }
    EXPECT_EQ(run.card().rounds, 160U);
    EXPECT_EQ(run.card().reading, "");
    EXPECT_TRUE(run.ask([](const RunKnown& known) { return known.gaps; }).empty());
}

TEST(RecordFollower, a_run_that_ends_while_it_is_read_is_complete_and_not_killed) {
    fake::Disk disk;
    kit::Recording recording(disk, "runs/tour-7", {});
    const auto write = [&](std::uint64_t from, std::uint64_t until) {
        for (std::uint64_t n = from; n <= until; ++n) {
            kit::Round round = kit::round_at(n);
            recording.keep(round);
        }
    };
    write(1, 120);
    Followed run(disk);
    // It has opened the record in this state, but not read it.
    run.follower.read_more(microseconds(1));
    write(121, 160);
    recording.finish(160);
    run.read_all();
    EXPECT_EQ(run.card().status, RunState::complete);
    EXPECT_EQ(run.card().rounds, 160U);
    EXPECT_EQ(run.card().reading, "");
}

TEST(RecordFollower, nobody_waits_for_the_end_of_a_run_that_was_killed) {
    fake::Disk disk;
    kit::record(disk, 12, false);
    Followed run(disk);
    const TimePoint begun = wall_now();
    EXPECT_FALSE(run.follower.read_more(hours(1)));
    EXPECT_LT((wall_now() - begun).us, minutes(1).us) << "it asks for the last round once";
    EXPECT_EQ(run.card().status, RunState::killed);
    EXPECT_EQ(run.newest(), 12U);
}

TEST(RecordFollower, what_is_no_run_is_a_problem_and_nothing_to_wait_for) {
    fake::Disk disk;
    Followed run(disk);
    EXPECT_FALSE(run.follower.read_more(seconds(10)));
    EXPECT_TRUE(run.was_read());
    EXPECT_FALSE(run.ask([](const RunKnown& known) { return known.problem; }).empty());
    kit::record(disk, 3);
    run.read_all();
    EXPECT_EQ(run.newest(), 3U) << "it is there now";
    EXPECT_EQ(run.ask([](const RunKnown& known) { return known.problem; }), "");
}

}  // namespace
}  // namespace parley::web
