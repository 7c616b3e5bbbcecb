#include "kube/watch/usage_join.h"

#include "cluster/usage.h"
#include "kube/decode/decode.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

TimePoint at(std::int64_t s) { return TimePoint{} + seconds(s); }

TEST(UsageJoin, percentiles_are_those_of_the_nearest_rank) {
    EXPECT_EQ(cluster::usage_over({}, 3), (model::Usage{.missing = 3}));
    EXPECT_EQ(cluster::usage_over({5}, 0),
              (model::Usage{.sum = 5, .p50 = 5, .p90 = 5, .max = 5, .count = 1}));
    std::vector<std::int64_t> ten;
    for (std::int64_t i = 10; i >= 1; --i) ten.push_back(i);
    EXPECT_EQ(cluster::usage_over(ten, 1),
              (model::Usage{.sum = 55, .p50 = 5, .p90 = 9, .max = 10, .count = 10, .missing = 1}));
}

std::string pod_json(int number, const char* node) {
    const std::string n = std::to_string(number);
    return R"({"metadata":{"namespace":"shop","name":"web-)" + n +
           R"(","uid":"00000000-0000-4000-8000-00000000010)" + n +
           R"(","resourceVersion":"1","creationTimestamp":"2026-01-01T00:00:00Z","ownerReferences":)"
           R"([{"apiVersion":"apps/v1","kind":"StatefulSet","name":"web","controller":true,)"
           R"("uid":"00000000-0000-4000-8000-000000000200"}]},"spec":{"nodeName":")" +
           node + R"(","containers":[{"name":"a"}]},"status":{"phase":"Running"}})";
}

Picture picture_of_two_pods() {
    Picture picture;
    const auto put = [&](Kind kind, const std::string& items) -> void {
        const std::string list = std::string(facts_of(kind).name) + "List";
        auto page = decode_page(kind, R"({"kind":")" + list +
                                          R"(","metadata":{"resourceVersion":"1"},"items":[)" +
                                          items + "]}");
        ASSERT_TRUE(page) << page.error().message;
        picture.begin_list(kind);
        for (Object& each : page->items) picture.put(std::move(each), at(1));
        picture.end_list(kind);
    };
    for (const KindFacts& kind : all_kinds()) {
        if (kind.kind == Kind::node) {
            put(kind.kind,
                R"({"metadata":{"name":"node-1","uid":"00000000-0000-4000-8000-000000000001",)"
                R"("resourceVersion":"1"}})");
        } else if (kind.kind == Kind::stateful_set) {
            put(kind.kind,
                R"({"metadata":{"namespace":"shop","name":"web","resourceVersion":"1",)"
                R"("uid":"00000000-0000-4000-8000-000000000200"},"spec":{"replicas":2}})");
        } else if (kind.kind == Kind::pod) {
            put(kind.kind,
                pod_json(1, "node-1") + "," + pod_json(2, "node-1") + "," + pod_json(3, "node-1"));
        } else {
            put(kind.kind, "");
        }
    }
    (void)picture.take(at(1));
    return picture;
}

TEST(UsageJoin, joins_by_exact_name_and_counts_what_is_missing_and_unmatched) {
    const Picture picture = picture_of_two_pods();
    UsagePage nodes;
    nodes.samples = {{"", "node-1", at(10), {}, {250, 1000}}, {"", "node-11", at(10), {}, {1, 1}}};
    UsagePage pods;
    pods.samples = {{"shop", "web-1", at(8), seconds(15), {100, 10}, {{Name::of("a"), {100, 10}}}},
                    {"shop", "web-2", at(7), {}, {300, 30}},
                    {"store", "web-3", at(8), {}, {1, 1}}};
    const JoinedUsage joined = join_usage(nodes, pods, picture);
    ASSERT_EQ(joined.nodes.size(), 1U);
    EXPECT_EQ(joined.nodes[0].cpu_m, 250);
    EXPECT_EQ(joined.nodes[0].measured, at(10));
    ASSERT_EQ(joined.workloads.size(), 1U);
    EXPECT_EQ(joined.workloads[0].measured, at(7)) << "as old as its oldest";
    EXPECT_EQ(joined.workloads[0].cpu_m->sum, 400);
    EXPECT_EQ(joined.workloads[0].cpu_m->missing, 1);
    EXPECT_EQ(joined.workloads[0].memory->max, 30);
    ASSERT_EQ(joined.pods.size(), 1U) << "of the other it is not told what its containers use";
    EXPECT_EQ(joined.pods[0].pod.text(), "00000000-0000-4000-8000-000000000101");
    EXPECT_EQ(joined.pods[0].measured, at(8));
    EXPECT_EQ(joined.pods[0].window, seconds(15));
    ASSERT_EQ(joined.pods[0].containers.size(), 1U);
    EXPECT_EQ(joined.pods[0].containers[0].name, Name::of("a"));
    EXPECT_EQ(joined.pods[0].containers[0].cpu_m, 100);
    EXPECT_EQ(joined.pods[0].containers[0].memory, 10);
    EXPECT_EQ(joined.unmatched, 2U);
    EXPECT_EQ(joined.first_unmatched, "node node-11");
}

TEST(UsageJoin, says_what_is_not_whole) {
    const Picture picture = picture_of_two_pods();
    UsagePage nodes;
    nodes.samples.push_back({.name = "node-1", .measured = at(5)});
    EXPECT_EQ(join_usage(nodes, {}, picture).remarks(), "");
    const UsagePage bad{.unreadable_count = 2, .first_fault = "its usage lacks cpu or memory"};
    EXPECT_EQ(join_usage(bad, {}, picture).remarks(),
              "use of 0 of 1 nodes; 2 samples cannot be read, such as one because its usage lacks "
              "cpu or memory");
    nodes.samples.push_back({.name = "node-9", .measured = at(5)});
    EXPECT_EQ(join_usage(nodes, bad, picture).remarks(),
              "2 samples cannot be read, such as one because its usage lacks cpu or memory; 1 "
              "samples match nothing, such as node node-9");
}

}  // namespace
}  // namespace parley::kube
