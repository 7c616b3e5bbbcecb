#include "web/serve/viewers.h"

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace parley::web {
namespace {

Shared text(std::string bytes) { return std::make_shared<const std::string>(std::move(bytes)); }

struct Pair {
    std::array<int, 2> ends{};
    Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0); }
    ~Pair() {
        ::close(ends[0]);
        ::close(ends[1]);
    }
    std::string read() const {
        std::array<char, 4096> bytes{};
        const ssize_t got = ::recv(ends[1], bytes.data(), bytes.size(), MSG_DONTWAIT);
        return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
    }
};

struct Room {
    boost::asio::io_context loop;
    Metrics metrics{"test"};
    Viewers viewers{loop.get_executor(), metrics};

    std::shared_ptr<Viewer> enter(const Pair& pair, const std::string& run) {
        auto viewer = std::make_shared<Viewer>(loop.get_executor(), run);
        viewer->socket = pair.ends[0];
        viewers.add(viewer);
        return viewer;
    }
    void settle() {
        loop.restart();
        loop.poll();
    }
};

TEST(Viewers, messages_that_come_together_are_sent_together_to_those_who_follow_that_run) {
    Room room;
    const Pair one;
    const Pair two;
    room.enter(one, "a");
    room.enter(two, "b");
    room.viewers.send("a", text("x"));
    room.viewers.send("a", text("y"));
    EXPECT_EQ(one.read(), "") << "not before the loop has nothing else to do";
    room.settle();
    EXPECT_EQ(one.read(), "xy");
    EXPECT_EQ(two.read(), "");
}

TEST(Viewers, one_who_reads_nothing_is_cut_and_delays_nobody) {
    Room room;
    const Pair stalled;
    const Pair quick;
    const auto slow = room.enter(stalled, "a");
    bool closed = false;
    slow->close = [&] { closed = true; };
    const auto fast = room.enter(quick, "a");
    const Shared message = text(std::string(4'000, 'x'));
    std::size_t got = 0;
    for (int i = 0; i < 2'000 && !slow->cut; ++i) {
        room.viewers.send("a", message);
        room.settle();
        for (std::string bytes = quick.read(); !bytes.empty(); bytes = quick.read()) {
            got += bytes.size();
        }
        EXPECT_EQ(got, message->size() * static_cast<std::size_t>(i + 1));
    }
    EXPECT_TRUE(slow->cut);
    EXPECT_TRUE(closed);
    EXPECT_FALSE(fast->cut);
    EXPECT_LE(slow->queue.bytes(), ClientQueue::kBytesMax);
}

TEST(Viewers, who_has_left_is_cut) {
    Room room;
    auto pair = std::make_unique<Pair>();
    const auto viewer = room.enter(*pair, "a");
    ::shutdown(pair->ends[0], SHUT_RDWR);
    room.viewers.send("a", text("x"));
    room.settle();
    EXPECT_TRUE(viewer->cut);
    room.viewers.remove(viewer);
    EXPECT_EQ(room.viewers.size(), 0U);
}

}  // namespace
}  // namespace parley::web
