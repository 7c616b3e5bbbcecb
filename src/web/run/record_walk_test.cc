#include "web/run/record_walk.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(RestartWindow, counts_ten_minutes_and_begins_with_what_was_remembered) {
    kit::Round round;
    round.fold(7).restarts[0] = {round.input.now - minutes(9), {}, 2};
    round.fold(7).restarts[1] = {round.input.now - minutes(11), {}, 5};
    RestartWindow window;
    window.meet(round.memory.derived, round.input.now);
    round.input.snapshot.restarts = {{round.slot(7), {}, round.input.now, 1},
                                     {round.slot(3), {}, round.input.now, 4}};
    window.take(round.input);
    EXPECT_EQ(window.counts().at(round.slot(7)), 3);
    EXPECT_EQ(window.counts().at(round.slot(3)), 4);
    round.input.snapshot.restarts.clear();
    round.input.now = round.input.now + minutes(10);
    window.take(round.input);
    EXPECT_EQ(window.counts().at(round.slot(7)), 1) << "exactly ten minutes still count";
}

TEST(RecordWalk, a_round_that_may_still_grow_is_kept_back) {
    fake::Disk disk;
    kit::Recording recording(disk, "run", {});
    kit::Round first = kit::round_at(10);
    recording.keep(first);
    auto reader = store::RunReader::open(disk, "run");
    ASSERT_TRUE(reader.has_value());
    RecordWalk walk(*std::move(reader));
    EXPECT_EQ(*walk.next(false), nullptr);
    kit::Round second = kit::round_at(11);
    recording.keep(second);
    ASSERT_TRUE(walk.look_again().has_value());
    auto next = walk.next(false);
    ASSERT_TRUE(next && *next);
    EXPECT_EQ((*next)->decision->round, 10U);
    EXPECT_EQ(*walk.next(false), nullptr);
    next = walk.next(true);
    ASSERT_TRUE(next && *next) << "asked for, it is given";
    EXPECT_EQ((*next)->decision->round, 11U);
}

TEST(RecordWalk, what_came_back_later_belongs_to_its_round) {
    fake::Disk disk;
    kit::Recording recording(disk, "run", {});
    kit::Round round = kit::round_at(10);
    recording.keep(round);
    auto reader = store::RunReader::open(disk, "run");
    ASSERT_TRUE(reader.has_value());
    RecordWalk walk(*std::move(reader));
    EXPECT_EQ(*walk.next(false), nullptr);
    recording.keep(round, round.all_sent());
    ASSERT_TRUE(walk.look_again().has_value());
    (void)walk.next(false);
    recording.finish(2);
    ASSERT_TRUE(walk.look_again().has_value());
    const auto next = walk.next(false);
    ASSERT_TRUE(next && *next) << "the run has ended: nothing more can come";
    EXPECT_EQ((*next)->events.size(), 6U);
}

}  // namespace
}  // namespace parley::web
