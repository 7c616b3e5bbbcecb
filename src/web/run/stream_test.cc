#include "web/run/stream.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

Shared text(std::string bytes) { return std::make_shared<const std::string>(std::move(bytes)); }

TEST(Stream, frames_an_event) {
    EXPECT_EQ(frame_event("round", 142, "{}"), "id: 142\nevent: round\ndata: {}\n\n");
    EXPECT_EQ(frame_event("status", 0, "{}"), "event: status\ndata: {}\n\n");
    EXPECT_EQ(frame_event("a", 0, "one\ntwo\r\nthree\rfour"),
              "event: a\ndata: one\ndata: two\ndata: three\ndata: four\n\n")
        << "no line of the data begins a field of its own";
    EXPECT_EQ(frame_event("a", 0, ""), "event: a\ndata: \n\n");
    EXPECT_TRUE(frame_ping().starts_with(":"));
}

TEST(Stream, the_last_event_is_a_round) {
    EXPECT_EQ(last_event_id("142"), 142U);
    for (const char* bad : {"", "0", "-1", "1e3", "142\r\n", "99999999999999999999"}) {
        EXPECT_EQ(last_event_id(bad), std::nullopt) << bad;
    }
}

TEST(ClientQueue, sends_byte_by_byte) {
    ClientQueue queue;
    ASSERT_TRUE(queue.push(text("abc")) && queue.push(text("de")) && queue.push(text("f")));
    EXPECT_EQ(queue.bytes(), 6U);
    std::string got;
    while (!queue.empty()) {
        got += (*queue.at(0))[queue.sent_of_first()];
        queue.sent(1);
    }
    EXPECT_EQ(got, "abcdef");
    EXPECT_EQ(queue.bytes(), 0U);
    ASSERT_TRUE(queue.push(text("abc")) && queue.push(text("de")));
    queue.sent(4);
    EXPECT_EQ(queue.size(), 1U);
    EXPECT_EQ(queue.sent_of_first(), 1U);
    EXPECT_EQ(queue.bytes(), 1U);
}

TEST(ClientQueue, is_bounded_by_messages_and_by_bytes) {
    ClientQueue many;
    for (std::size_t i = 0; i < ClientQueue::kMessagesMax; ++i) ASSERT_TRUE(many.push(text("x")));
    EXPECT_FALSE(many.push(text("x")));
    many.sent(1);
    EXPECT_TRUE(many.push(text("x")));
    ClientQueue large;
    EXPECT_TRUE(large.push(text(std::string(ClientQueue::kBytesMax, 'x'))));
    EXPECT_FALSE(large.push(text("x")));
    EXPECT_FALSE(ClientQueue().push(text(std::string(ClientQueue::kBytesMax + 1, 'x'))));
}

TEST(Recent, gives_what_was_missed_or_says_that_it_cannot) {
    Recent recent(3);
    EXPECT_TRUE(recent.after(0)->empty());
    for (std::uint64_t n = 1; n <= 5; ++n) recent.add(n, text(std::to_string(n)));
    EXPECT_EQ(recent.after(1), std::nullopt) << "2 is gone";
    EXPECT_EQ(recent.after(2)->size(), 3U);
    EXPECT_EQ(*recent.after(4)->front(), "5");
    EXPECT_TRUE(recent.after(5)->empty());
    EXPECT_TRUE(recent.after(9)->empty()) << "of another run, or of the future";
}

}  // namespace
}  // namespace parley::web
