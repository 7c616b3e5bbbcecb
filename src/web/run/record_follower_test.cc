#include "web/run/record_follower.h"

#include "base/clock.h"
#include "fake/disk.h"
#include "store/journal_head.h"
#include "web/run/round_lookup.h"
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

/// A complete run of 60 rounds whose journal was cut in its middle.
void record_and_cut(fake::Disk& disk, std::uint64_t tenths = 5) {
    kit::record(disk, 60);
    const std::string path = "runs/tour-7/journal/000001.log";
    const std::string bytes = *read_file(disk, path);
    ASSERT_TRUE(write_file_atomically(disk, path, bytes.substr(0, bytes.size() * tenths / 10)));
}

TEST(RecordFollower, a_run_whose_journal_was_cut_is_damaged_and_no_shorter) {
    fake::Disk disk;
    record_and_cut(disk);
    Followed run(disk);
    run.read_all();
    const RunCard card = run.card();
    ASSERT_GT(card.newest_round, 0U);
    ASSERT_LT(card.newest_round, 60U);
    EXPECT_EQ(card.last_round, 60U);
    EXPECT_EQ(card.damaged, std::to_string(60 - card.newest_round) +
                                " of 60 rounds are damaged and cannot be read: " +
                                std::to_string(card.newest_round + 1) + " to 60.");
    EXPECT_EQ(card.reason, kEndLost) << "nobody knows whether it was killed";
    const auto lost = run.ask([](const RunKnown& known) { return find_round(known, 58); });
    ASSERT_FALSE(lost);
    EXPECT_TRUE(lost.error().message.starts_with("Round 58 is damaged and cannot be read; "));
}

TEST(RecordFollower, a_journal_that_was_cut_to_nothing_is_no_run_that_has_not_begun) {
    fake::Disk disk;
    record_and_cut(disk, 0);
    Followed run(disk);
    run.read_all();
    EXPECT_EQ(run.card().damaged, "60 of 60 rounds are damaged and cannot be read: 1 to 60.");
    const auto none = run.ask([](const RunKnown& known) { return find_round(known, {}); });
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, run.card().damaged);
}

TEST(RecordFollower, without_its_head_a_cut_run_is_as_long_as_its_derived_files_tell) {
    fake::Disk disk;
    record_and_cut(disk);
    ASSERT_TRUE(disk.remove("runs/tour-7/journal/head"));
    ASSERT_TRUE(write_file_atomically(disk, "runs/tour-7/events.jsonl", "{\"round\":57}\n"));
    Followed run(disk);
    run.read_all();
    EXPECT_EQ(run.card().last_round, 57U);
    EXPECT_TRUE(run.card().damaged.starts_with("At least ")) << run.card().damaged;
    EXPECT_EQ(run.card().reason, kEndLost);
}

TEST(RecordFollower, where_only_frames_are_counted_more_rounds_may_be_said_than_there_were) {
    fake::Disk disk;
    record_and_cut(disk);
    auto head = store::read_head(disk, "runs/tour-7/journal");
    ASSERT_TRUE(head);
    head->round.reset();  // As it was written at first.
    ASSERT_TRUE(write_file_atomically(disk, "runs/tour-7/journal/head", text_of(*head)));
    Followed run(disk);
    run.read_all();
    EXPECT_GE(run.card().last_round, 60U);
    EXPECT_TRUE(run.card().damaged.starts_with("At most ")) << run.card().damaged;
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
