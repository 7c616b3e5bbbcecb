#include "model/request.h"

#include <gtest/gtest.h>

namespace parley::model {
namespace {

TEST(Request, says_what_it_asks_for) {
    const NodeId node{Name::of("node-07")};
    const WorkloadId web{Name::of("shop"), WorkloadKind::deployment, Name::of("web")};
    EXPECT_EQ(text_of(Request(PutMark{node, {1, 2}})), "mark node-07");
    EXPECT_EQ(text_of(Request(PutMark{.target = node})), "unmark node-07");
    EXPECT_EQ(text_of(Request(MarkPod{{1, 2}, {}, "web-1", {{1, 2}}})), "mark web-1");
    EXPECT_EQ(text_of(Request(MarkPod{{1, 2}, {}, "web-1", {}})), "unmark web-1");
    EXPECT_EQ(text_of(Request(SetTaint{node, Taint::no_schedule})), "quarantine node-07");
    EXPECT_EQ(text_of(Request(SetTaint{node, Taint::none})), "lift quarantine of node-07");
    EXPECT_EQ(text_of(Request(SetReplicas{web, 7})), "shop/web to 7");
    EXPECT_EQ(text_of(Request(SetClock{node, 650'000})), "clock of node-07 to 65%");
}

}  // namespace
}  // namespace parley::model
