#include "sim/world/world_resize.h"

#include "sim/world/world_requests.h"
#include "sim/world/world_test_parts.h"

#include <gtest/gtest.h>

namespace parley::sim {
namespace {

using model::ContainerResize;

/// One pod: requests 500m and 512Mi, limits as given; 0: none.
State one_pod(std::int64_t cpu_limit_m, std::int64_t memory_limit_mib) {
    Scenario s = bare_nodes(1);
    WorkloadSpec web = reserving("web", 1, 500);
    web.pod.memory_request_mib = 512;
    web.pod.cpu_limit_m = cpu_limit_m;
    web.pod.memory_limit_mib = memory_limit_mib;
    s.workloads.push_back(web);
    return state_of(s);
}

struct Case {
    const char* name;
    std::int64_t cpu_limit_m;
    std::int64_t memory_limit_mib;
    ContainerResize wanted;
    const char* why;  ///< How the refusal ends; empty: applied.
};

const Case kCases[] = {
    {"nothing", 0, 0, {}, ""},
    {"limit", 1000, 0, {.cpu_limit_m = 500}, ""},
    {"limit_below_request", 1000, 0, {.cpu_limit_m = 499}, "CPU limit below its request"},
    {"limit_where_none_is", 0, 0, {.cpu_limit_m = 900}, "and one cannot be added"},
    {"limit_taken_away", 1000, 0, {.cpu_limit_m = 0}, "which cannot be removed"},
    {"memory", 0, 1024, {.memory_request = 300 * kMib}, ""},
    {"memory_of_nothing", 0, 1024, {.memory_request = 0}, "more than 0"},
    {"memory_over_the_limit", 0, 1024, {.memory_request = 1025 * kMib}, "limit below its request"},
    {"memory_and_limit", 0, 1024, {.memory_request = 1025 * kMib, .memory_limit = 1025 * kMib}, ""},
    {"memory_at_the_node's_end", 0, 0, {.memory_request = 8'192 * kMib}, ""},
    {"memory_beyond_the_node", 0, 0, {.memory_request = 8'193 * kMib}, "on node node-01"},
    {"cpu", 0, 0, {.cpu_request_m = 4'000}, ""},
    {"cpu_beyond_the_node", 0, 0, {.cpu_request_m = 4'001}, "on node node-01"},
    {"up_to_both_limits", 500, 1024, {.memory_request = 1024 * kMib}, ""},
    {"the_same_class", 500, 512, {.memory_request = 600 * kMib, .memory_limit = 600 * kMib}, ""},
    {"no_longer_that_class", 500, 512, {.memory_request = 300 * kMib}, "another QoS class"},
};

TEST(Resize, is_answered_as_a_real_cluster_would) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.name);
        State s = one_pod(c.cpu_limit_m, c.memory_limit_mib);
        const PodState before = s.pods[0];
        ContainerResize wanted = c.wanted;
        wanted.container = container_name();
        const auto resized = resize_pod(s, 0, {wanted});
        EXPECT_EQ(has_size(s.pods[0], {wanted}), resized.has_value());
        if (resized) {
            EXPECT_STREQ(c.why, "");
        } else {
            EXPECT_EQ(resized.error().code, ErrorCode::denied);
            EXPECT_TRUE(resized.error().message.ends_with(c.why)) << resized.error().message;
            EXPECT_NE(std::string(c.why), "") << resized.error().message;
            EXPECT_EQ(s.pods[0].version, before.version) << "all of it or nothing";
        }
        const PodState& pod = s.pods[0];
        EXPECT_EQ(s.nodes[0].memory_requested, pod.memory_request);
        EXPECT_EQ(s.nodes[0].cpu_requested_m, pod.cpu_request_m);
        EXPECT_EQ(s.works[0].reserved_bytes, pod.memory_request);
        EXPECT_EQ(s.works[0].reserved_m, pod.cpu_request_m);
        EXPECT_EQ(pod.cpu_limit_m, before.cpu_limit_m) << "in force after some seconds";
    }
}

TEST(Resize, of_a_container_that_is_not_there_is_refused) {
    State s = one_pod(1000, 0);
    const auto resized = resize_pod(s, 0, {{.container = Name::of("other"), .cpu_limit_m = 600}});
    ASSERT_FALSE(resized);
    EXPECT_TRUE(resized.error().message.ends_with("has no container other"));
}

TEST(Resize, requests_of_earlier_releases_are_still_answered) {
    State s = one_pod(1000, 1024);
    const model::WorkloadId web = deployment("web");
    const model::NodeId node = s.nodes[0].id;
    ASSERT_TRUE(apply_request(s, model::SetCpuLimit{web, node, 700}, {}));
    ASSERT_TRUE(apply_request(s, model::SetMemoryRequest{web, node, 300 * kMib}, {}));
    EXPECT_EQ(s.pods[0].cpu_limit_next_m, 700);
    EXPECT_EQ(s.pods[0].memory_request, 300 * kMib);
    EXPECT_TRUE(read_request(s, model::SetCpuLimit{web, node, 700}).applied);
    EXPECT_FALSE(apply_request(s, model::SetCpuLimit{web, node, 499}, {}));
}

TEST(Resize, shows_in_the_containers_that_are_told) {
    Scenario scenario = bare_nodes(1);
    WorkloadSpec web = reserving("web", 2, 500);
    web.pod.cpu_limit_m = 1000;
    scenario.workloads.push_back(web);
    World world = world_of(scenario);
    Watched seen;
    seen.look(world);
    auto pods = seen.of("web");
    ASSERT_EQ(pods.size(), 2U);
    ASSERT_TRUE(pods[0].shape);
    EXPECT_EQ(pods[0].shape, pods[1].shape) << "one for both";
    EXPECT_EQ(pods[0].shape->containers.at(0).cpu_limit_m, 1000);
    EXPECT_EQ(pods[0].shape->containers.at(0).memory_limit, std::nullopt);
    const model::ResizePod request{
        pods[0].row.uid, {}, "web", {{.container = container_name(), .cpu_limit_m = 600}}};
    ASSERT_TRUE(world.apply(request, {}));
    seen.look(world);
    pods = seen.of("web");
    EXPECT_EQ(pods[0].shape->containers.at(0).cpu_limit_m, 600);
    EXPECT_EQ(pods[1].shape->containers.at(0).cpu_limit_m, 1000);
}

}  // namespace
}  // namespace parley::sim
