#include "kube/access/child.h"

#include "base/clock.h"
#include "kube/access/kubeconfig_kit_test.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>

namespace parley::kube {
namespace {

using How = ChildEnd::How;

/// What else a child may do is tried by exec_plugin_test.cc.
class Running : public testing::Test {
protected:
    ChildEnd run(const std::string& body) {
        run_.path = scratch_.script("child", body);
        const auto end = run_child(run_);
        EXPECT_TRUE(end) << message_of(end);
        return end ? *end : ChildEnd{};
    }

    Scratch scratch_;
    ChildRun run_{.environment = {{"PATH", "/usr/bin:/bin"}}, .limit = seconds(20)};
};

TEST_F(Running, says_how_it_ended) {
    struct Case {
        const char* body;
        How how;
        int code;
        const char* output;
    };
    for (const Case& each :
         std::initializer_list<Case>{{"echo done\n", How::exited, 0, "done\n"},
                                     {"echo no; exit 75\n", How::exited, 75, "no\n"},
                                     {"kill -KILL $$\n", How::signalled, SIGKILL, ""},
                                     {"kill -SEGV $$\n", How::signalled, SIGSEGV, ""}}) {
        const ChildEnd end = run(each.body);
        EXPECT_EQ(end.how, each.how) << each.body;
        EXPECT_EQ(end.code, each.code) << each.body;
        EXPECT_EQ(end.output, each.output) << each.body;
    }
}

TEST_F(Running, ends_when_somebody_stops_it) {
    const auto stop = std::make_shared<std::atomic<bool>>(false);
    run_.stop = stop;
    const TimePoint before = wall_now();
    std::thread other([&] {
        while (wall_now() - before < milliseconds(100)) std::this_thread::yield();
        stop->store(true);
    });
    EXPECT_EQ(run("sleep 60\n").how, How::stopped);
    other.join();
    EXPECT_LT(wall_now() - before, seconds(15));
}

TEST_F(Running, is_ended_when_it_takes_too_long_or_writes_too_much) {
    run_.limit = milliseconds(300);
    EXPECT_EQ(run("sleep 60\n").how, How::too_long);
    run_.limit = seconds(20);
    run_.output_max = 4096;
    const ChildEnd much = run("head -c 10000000 /dev/zero; echo end\n");
    EXPECT_EQ(much.how, How::too_much);
    EXPECT_LT(much.output.size(), 100'000U);
}

TEST_F(Running, fails_only_where_it_cannot_begin) {
    run_.path = scratch_.path("none");
    const auto end = run_child(run_);
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::denied);
    EXPECT_FALSE(can_run(run_.path));
    EXPECT_FALSE(can_run(scratch_.folder()));
    EXPECT_FALSE(can_run(scratch_.write("text", "")));
    EXPECT_TRUE(can_run(scratch_.script("fine", "")));
}

TEST(LastWords, are_one_plain_line_without_secrets) {
    EXPECT_EQ(last_words(""), "");
    EXPECT_EQ(last_words("no\n\x1b[31mtoken=" + kCanary + " host\n"), ": no token=(hidden) host");
    EXPECT_LT(last_words(std::string(100'000, 'x')).size(), 410U);
}

}  // namespace
}  // namespace parley::kube
