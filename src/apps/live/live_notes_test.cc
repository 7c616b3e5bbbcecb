#include "apps/live/live_notes.h"

#include <gtest/gtest.h>

namespace parley::app {
namespace {

TEST(LiveNotes, every_moment_of_an_action_has_a_reason_and_a_name_of_its_own) {
    ActionNote note{.id = {7, 142},
                    .kind = model::ActionKind::memory_balloon,
                    .target = model::NodeId{Name::of("node-07")},
                    .uid = {1, 2},
                    .text = "memory_balloon node-07."};
    const auto say = [&](Moment moment) {
        note.moment = moment;
        const kube::EventNote event = event_of(note, {seconds(5).us});
        EXPECT_EQ(event.about, note.target);
        EXPECT_EQ(event.uid, note.uid);
        EXPECT_EQ(event.note, note.text);
        EXPECT_EQ(event.action, "MemoryBalloon");
        EXPECT_EQ(event.at, TimePoint{seconds(5).us});
        return event.reason + " " + event.id + (event.gives_back ? " gives back" : "");
    };
    const std::string id = "0000000000000007000000000000008e";
    EXPECT_EQ(say(Moment::began), "ParleyMemoryBalloon " + id + "-began");
    EXPECT_EQ(say(Moment::done), "ParleyDone " + id + "-done");
    EXPECT_EQ(say(Moment::gave_up), "ParleyGaveUp " + id + "-gave-up");
    EXPECT_EQ(say(Moment::undone), "ParleyUndone " + id + "-undone gives back");
    EXPECT_EQ(say(Moment::not_undone), "ParleyNotUndone " + id + "-not-undone gives back");
}

TEST(LiveNotes, losses_are_counted_in_words) {
    EXPECT_EQ(lost_text(0, ""), "");
    EXPECT_EQ(
        lost_text(1, "403"),
        "1 Event about actions was not written, the last one because of this: 403; the record "
        "has all of it");
    EXPECT_TRUE(lost_text(2, "403").starts_with("2 Events about actions were not written"));
}

}  // namespace
}  // namespace parley::app
