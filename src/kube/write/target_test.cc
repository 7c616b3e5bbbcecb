#include "kube/write/target.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;

const NodeId kNode{Name::of("node-1")};
const WorkloadId kWeb{Name::of("shop"), WorkloadKind::deployment, Name::of("web")};

TEST(Place, refuses_what_would_be_a_path_of_its_own) {
    for (const char* name : {"", "../x", "a/b", "a?b", "A", "a b", ".a", "a."}) {
        EXPECT_EQ(place_of(Request(SetTaint{{Name::of(name)}, Taint::none})).error().code,
                  ErrorCode::malformed)
            << name;
    }
    EXPECT_FALSE(place_of(Request(EvictPod{Uid{1, 2}, "web-1", Name::of("shop/x")})));
    EXPECT_FALSE(place_of(Request(EvictPod{Uid{1, 2}, "web-1", {}})));
}

TEST(Place, says_why_a_real_cluster_cannot) {
    EXPECT_EQ(place_of(Request(SetPower{kNode})).error().code, ErrorCode::denied);
    const WorkloadId every{Name::of("shop"), WorkloadKind::daemon_set, Name::of("log")};
    EXPECT_EQ(place_of(Request(SetReplicas{every, 1})).error().code, ErrorCode::denied);
    EXPECT_EQ(place_of(Request(PutMark{.target = WholeCluster{}})).error().code, ErrorCode::gone);
    EXPECT_EQ(place_of(Request(SetTaint{kNode})).value().said, "node node-1");
    EXPECT_EQ(place_of(Request(SetReplicas{kWeb})).value().said, "deployment shop/web");
}

}  // namespace
}  // namespace parley::kube
