#include "web/run/record_walk.h"

#include "fake/disk.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(RecordWalk, counts_the_restarts_of_ten_minutes_by_node) {
    fake::Disk disk;
    kit::Recording recording(disk, "run", {});
    kit::Round first = kit::round_at(10);
    first.input.snapshot.restarts = {{first.slot(7), {}, first.input.now - minutes(11), 9},
                                     {first.slot(7), {}, first.input.now, 3},
                                     {first.slot(3), {}, first.input.now, 4}};
    recording.keep(first);
    kit::Round second = kit::round_at(11);
    second.input.snapshot.restarts = {{second.slot(7), {}, second.input.now, 1}};
    recording.keep(second);
    auto reader = store::RunReader::open(disk, "run");
    ASSERT_TRUE(reader.has_value());
    RecordWalk walk(*std::move(reader));
    auto next = walk.next();
    ASSERT_TRUE(next && *next);
    const std::map<Slot, std::int32_t> at_first = {{first.slot(7), 3}, {first.slot(3), 4}};
    EXPECT_EQ((*next)->restarts, at_first);
    next = walk.next();
    ASSERT_TRUE(next && *next);
    const std::map<Slot, std::int32_t> later = {{second.slot(7), 4}, {second.slot(3), 4}};
    EXPECT_EQ((*next)->restarts, later);
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
