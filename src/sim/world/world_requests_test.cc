#include "sim/world/world_requests.h"

#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

#include <set>

namespace parley::sim {
namespace {

using model::Request;

/// Four nodes that can be switched; shop/web with a limit and a budget of one.
World small() {
    Scenario s = bare_nodes(4);
    WorkloadSpec web = served("test", "web", 4, 10.0);
    s.workloads.push_back(web);
    WorkloadSpec free = reserving("free", 2, 100);
    s.workloads.push_back(free);
    s.nodes.push_back({.name = "fixed", .count = 1, .zones = 1, .cpu_m = 100});
    return world_of(s);
}

struct Case {
    const char* name;
    std::function<Request(const Watched&)> request;
    const char* error;  ///< Its code; empty: applied.
};

model::Uid a_pod(const Watched& seen) { return seen.of("web").at(0).row.uid; }
model::NodeId of_pod(const Watched& seen) {
    return seen.nodes.at(key(seen.of("web").at(0).node)).id;
}
model::ResizePod resize(const model::Uid& pod, model::ContainerResize to) {
    to.container = container_name();
    return {pod, Name::of("test"), "web", {to}};
}
/// All pods of a workload are given 500m at most.
void lower_limits(World& world, const Watched& seen) {
    for (const auto& pod : seen.of("web")) {
        ASSERT_TRUE(world.apply(resize(pod.row.uid, {.cpu_limit_m = 500}), {}));
    }
}
const model::WorkloadId kWeb = deployment("web");

const Case kCases[] = {
    {"mark_node",
     [](const Watched&) { return model::PutMark{node_id("node-01"), {1, 2}, at_s(9)}; }, ""},
    {"mark_nobody", [](const Watched&) { return model::PutMark{node_id("nope"), {1, 2}, at_s(9)}; },
     "gone"},
    {"mark_namespace",
     [](const Watched&) {
         return model::PutMark{model::NamespaceId{Name::of("shop")}, {1, 2}, at_s(9)};
     },
     ""},
    {"mark_cluster",
     [](const Watched&) { return model::PutMark{model::WholeCluster{}, {1, 2}, at_s(9)}; }, ""},
    {"mark_pod",
     [](const Watched& seen) {
         return model::MarkPod{a_pod(seen), Name::of("test"), "web", {{1, 2}, at_s(9)}};
     },
     ""},
    {"mark_no_pod",
     [](const Watched&) {
         return model::MarkPod{{9, 9}, Name::of("test"), "web", {{1, 2}, at_s(9)}};
     },
     "gone"},
    {"taint",
     [](const Watched&) { return model::SetTaint{node_id("node-01"), model::Taint::no_schedule}; },
     ""},
    {"scale", [](const Watched&) { return model::SetReplicas{kWeb, 6}; }, ""},
    {"scale_below_zero", [](const Watched&) { return model::SetReplicas{kWeb, -1}; }, "denied"},
    {"scale_nobody", [](const Watched&) { return model::SetReplicas{deployment("nope"), 1}; },
     "gone"},
    {"evict", [](const Watched& w) { return model::EvictPod{a_pod(w), "web"}; }, ""},
    {"evict_nobody", [](const Watched&) { return model::EvictPod{{1, 2}, "web"}; }, "gone"},
    {"deletion_cost", [](const Watched& w) { return model::SetDeletionCost{a_pod(w), "web", -5}; },
     ""},
    {"resize", [](const Watched& w) { return resize(a_pod(w), {.cpu_limit_m = 600}); }, ""},
    {"resize_below_request",
     [](const Watched& w) { return resize(a_pod(w), {.cpu_limit_m = 499}); }, "denied"},
    {"resize_nobody", [](const Watched&) { return resize({1, 2}, {.cpu_limit_m = 600}); }, "gone"},
    {"resize_memory",
     [](const Watched& w) { return resize(a_pod(w), {.memory_request = 300 * kMib}); }, ""},
    {"limit_of_all", [](const Watched& w) { return model::SetCpuLimit{kWeb, of_pod(w), 600}; }, ""},
    {"memory_of_all",
     [](const Watched& w) { return model::SetMemoryRequest{kWeb, of_pod(w), 300 * kMib}; }, ""},
    {"power_without_a_provider",
     [](const Watched&) { return model::SetPower{node_id("fixed-01"), model::PowerWish::sleep}; },
     "denied"},
    {"clock", [](const Watched&) { return model::SetClock{node_id("node-01"), 650'000}; }, ""},
    {"clock_too_low", [](const Watched&) { return model::SetClock{node_id("node-01"), 99'999}; },
     "denied"},
    {"clock_without_a_provider",
     [](const Watched&) { return model::SetClock{node_id("fixed-01"), 650'000}; }, "denied"},
    {"admission",
     [](const Watched&) {
         return model::SetAdmission{model::AdmissionWish::queue, {1, 2}, at_s(600)};
     },
     ""},
    {"cap", [](const Watched&) { return model::SetBatchCap{850'000, 850'000, {1, 2}, at_s(600)}; },
     ""},
    {"cap_over_all",
     [](const Watched&) { return model::SetBatchCap{1'000'001, 850'000, {1, 2}, at_s(600)}; },
     "denied"},
};

TEST(Requests, are_applied_or_say_why_not_and_a_read_shows_it) {
    for (const Case& c : kCases) {
        World world = small();
        Watched seen;
        seen.look(world);
        const Request request = c.request(seen);
        const bool there = world.read(request).applied;
        const auto result = world.apply(request, {});
        EXPECT_EQ(result ? "" : std::string(enum_name(result.error().code)), c.error) << c.name;
        const model::Live live = world.read(request);
        if (result) {
            EXPECT_FALSE(there) << c.name;
            EXPECT_TRUE(live.exists && live.applied) << c.name;
        } else if (result.error().code == ErrorCode::gone) {
            EXPECT_FALSE(live.exists) << c.name;
        }
    }
}

TEST(Requests, hold_only_for_the_object_and_version_that_was_read) {
    World world = small();
    const model::SetTaint request{node_id("node-01"), model::Taint::no_schedule};
    const model::Live live = world.read(request);
    ASSERT_TRUE(live.exists);
    auto other = live.uid;
    ++other.high;
    EXPECT_EQ(world.apply(request, {other, live.version}).error().code, ErrorCode::gone);
    EXPECT_EQ(world.apply(request, {live.uid, live.version + 1}).error().code, ErrorCode::conflict);
    EXPECT_TRUE(world.apply(request, {live.uid, live.version}));
    EXPECT_EQ(world.apply(request, {live.uid, live.version}).error().code, ErrorCode::conflict);
    EXPECT_TRUE(world.apply(request, {live.uid, 0}));
    EXPECT_TRUE(world.apply(request, {}));
}

TEST(Requests, evictions_respect_the_budget_until_the_pod_is_replaced) {
    World world = small();
    Watched seen;
    seen.look(world);
    const auto pods = seen.of("web");
    ASSERT_TRUE(world.apply(model::EvictPod{pods[0].row.uid, "a"}, {}));
    const auto second = world.apply(model::EvictPod{pods[1].row.uid, "b"}, {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::blocked);
    EXPECT_TRUE(world.apply(model::EvictPod{pods[0].row.uid, "a"}, {})) << "already on its way";
    world.advance(at_s(60));
    EXPECT_TRUE(world.apply(model::EvictPod{pods[1].row.uid, "b"}, {}));
    EXPECT_EQ(world.work_counters(kWeb)->disruptions, 2);
}

TEST(Requests, marks_are_read_back_where_they_were_put) {
    World world = small();
    Watched seen;
    seen.look(world);
    const model::DecisionId id{7, 8};
    ASSERT_TRUE(world.apply(model::PutMark{of_pod(seen), id, at_s(9)}, {}));
    EXPECT_EQ(world.read(model::SetTaint{of_pod(seen), model::Taint::none}).mark, id);
    EXPECT_TRUE(world.read(model::EvictPod{a_pod(seen), "x"}).mark.none()) << "not its node's";
    const model::MarkPod marked{a_pod(seen), Name::of("test"), "x", {id, at_s(9)}};
    EXPECT_FALSE(world.read(marked).applied);
    ASSERT_TRUE(world.apply(marked, {}));
    EXPECT_EQ(world.read(model::EvictPod{a_pod(seen), "x"}).mark, id);
    EXPECT_TRUE(world.read(marked).applied);
    ASSERT_TRUE(world.apply(model::MarkPod{a_pod(seen), Name::of("test"), "x", {}}, {}));
    EXPECT_FALSE(world.read(marked).applied);
    EXPECT_TRUE(world.read(model::SetReplicas{kWeb, 1}).mark.none());
    ASSERT_TRUE(world.apply(model::PutMark{model::WholeCluster{}, id, at_s(9)}, {}));
    EXPECT_EQ(world.read(model::SetAdmission{}).mark, id);
    ASSERT_TRUE(world.apply(model::PutMark{of_pod(seen), {}, {}}, {}));
    EXPECT_TRUE(world.read(model::SetTaint{of_pod(seen), model::Taint::none}).mark.none());
}

TEST(Requests, a_lower_limit_throttles_after_a_few_seconds) {
    World world = small();
    Watched seen;
    seen.look(world);
    lower_limits(world, seen);
    world.advance(at_s(1));
    const double before = world.truth().workloads[0].utilisation;
    world.advance(at_s(6));
    EXPECT_GT(world.truth().workloads[0].utilisation, 1.5 * before);
}

TEST(Requests, all_pods_asked_in_one_moment_take_their_limit_in_one) {
    World world = small();
    Watched seen;
    seen.look(world);
    lower_limits(world, seen);
    std::set<double> utilisations;
    for (std::int64_t ms = 0; ms < 6'000; ms += 50) {
        world.advance({ms * 1'000});
        utilisations.insert(world.truth().workloads[0].utilisation);
    }
    EXPECT_EQ(utilisations.size(), 2U);
}

TEST(Requests, memory_given_back_makes_room) {
    Scenario s = bare_nodes(1);
    WorkloadSpec big = reserving("big", 1, 100);
    big.pod.memory_request_mib = 6'000;
    s.workloads.push_back(big);
    WorkloadSpec next = reserving("next", 1, 100);
    next.pod.memory_request_mib = 4'000;
    s.workloads.push_back(next);
    World world = world_of(s);
    Watched seen;
    world.advance(at_s(30));
    seen.look(world);
    const auto waiting = seen.ready("big") == 1 ? "next" : "big";
    ASSERT_EQ(seen.ready(waiting), 0);
    const auto holder = seen.of(seen.ready("big") == 1 ? "big" : "next").at(0).row.uid;
    ASSERT_TRUE(world.apply(resize(holder, {.memory_request = 1'000 * kMib}), {}));
    world.advance(at_s(60));
    seen.look(world);
    EXPECT_EQ(seen.ready(waiting), 1);
}

}  // namespace
}  // namespace parley::sim
