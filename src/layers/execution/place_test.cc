#include "layers/execution/place.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

const NodeId kOne = node_id("node-1");
const NodeId kTwo = node_id("node-2");
const WorkloadId kWeb = workload_id("web");
const WorkloadId kApi = workload_id("api");

// Each in two places, with a value of its own.
const std::vector<std::array<Request, 3>> kPlaces = {
    {PutMark{kOne, {0, 1}, {}}, PutMark{kOne, {0, 2}, {}}, PutMark{kTwo, {0, 1}, {}}},
    {SetTaint{kOne, Taint::none}, SetTaint{kOne, Taint::no_schedule}, SetTaint{kTwo, Taint::none}},
    {SetReplicas{kWeb, 1}, SetReplicas{kWeb, 2}, SetReplicas{kApi, 1}},
    {EvictPod{{1, 1}, "a"}, EvictPod{{1, 1}, "b"}, EvictPod{{1, 2}, "a"}},
    {SetDeletionCost{{1, 1}, "a", 0}, SetDeletionCost{{1, 1}, "a", 9},
     SetDeletionCost{{1, 2}, "a", 0}},
    {SetCpuLimit{kWeb, kOne, 1}, SetCpuLimit{kWeb, kOne, 2}, SetCpuLimit{kWeb, kTwo, 1}},
    {SetMemoryRequest{kWeb, kOne, 1}, SetMemoryRequest{kWeb, kOne, 2},
     SetMemoryRequest{kApi, kOne, 1}},
    {SetPower{kOne, PowerWish::on}, SetPower{kOne, PowerWish::off}, SetPower{kTwo, PowerWish::on}},
    {SetClock{kOne, 1}, SetClock{kOne, 2}, SetClock{kTwo, 1}},
    {ResizePod{{3, 1}, {}, "a", {{.cpu_limit_m = 1}}}, ResizePod{{3, 1}, {}, "a", {}},
     ResizePod{{3, 2}, {}, "a", {{.cpu_limit_m = 1}}}},
};

TEST(Place, is_the_kind_of_change_and_its_object) {
    for (const auto& [first, again, elsewhere] : kPlaces) {
        SCOPED_TRACE(text_of(first));
        EXPECT_TRUE(same_place(first, first));
        EXPECT_TRUE(same_place(first, again));
        EXPECT_FALSE(same_place(first, elsewhere));
        for (const auto& other : kPlaces) {
            if (other[0].index() != first.index()) {
                EXPECT_FALSE(same_place(first, other[0]));
            }
        }
    }
}

TEST(Place, of_an_order_is_the_whole_cluster) {
    EXPECT_TRUE(same_place(SetAdmission{AdmissionWish::queue, {0, 1}, {}},
                           SetAdmission{AdmissionWish::admit, {0, 2}, {}}));
    EXPECT_TRUE(same_place(SetBatchCap{1, 1, {}, {}}, SetBatchCap{2, 2, {}, {}}));
}

TEST(Place, on_target_is_the_object_that_bears_the_mark) {
    for (const std::size_t i : {0U, 1U, 7U, 8U}) EXPECT_TRUE(on_target(kPlaces[i][0], kOne)) << i;
    for (const auto& place : kPlaces) EXPECT_FALSE(on_target(place[2], kOne));
    EXPECT_TRUE(on_target(SetReplicas{kWeb, 1}, kWeb));
    EXPECT_FALSE(on_target(SetReplicas{kApi, 1}, kWeb));
    EXPECT_FALSE(on_target(EvictPod{{1, 1}, "a"}, kOne));
    EXPECT_FALSE(on_target(SetAdmission{}, WholeCluster{}));
}

}  // namespace
}  // namespace parley::execution
