#include "layers/execution/sender.h"

#include "base/run.h"
#include "fake/cluster.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

struct SenderTest : testing::Test {
    fake::Writer writer;
    std::atomic<bool> stop = false;
    Sender sender{writer, stop};
    Request request = SetClock{node_id("node-1"), 650'000};
    Precondition only_if{{1, 1}, 41};
};

TEST_F(SenderTest, sends_once_whatever_comes_back) {
    const std::vector<Send> once{{request, only_if}};
    EXPECT_TRUE(run(sender.send(request, only_if, {})));
    EXPECT_EQ(writer.asked, once);
    writer.asked.clear();
    writer.script.push_back(fail(ErrorCode::unknown_outcome, "cut"));
    EXPECT_EQ(run(sender.send(request, only_if, {})).error().code, ErrorCode::unknown_outcome);
    EXPECT_EQ(writer.asked, once);
}

TEST_F(SenderTest, reads_the_kill_switch_right_before) {
    stop = true;
    EXPECT_EQ(run(sender.send(request, only_if, {})).error().code, ErrorCode::unavailable);
    EXPECT_TRUE(writer.asked.empty());
    const cluster::Stamp undo{{0, 0xd1}, 3, true};
    EXPECT_TRUE(run(sender.send(request, only_if, undo))) << "what we changed may be given back";
    EXPECT_EQ(writer.stamps, std::vector{undo});
}

}  // namespace
}  // namespace parley::execution
