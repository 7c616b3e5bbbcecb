#include "kube/write/seen.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

constexpr const char* kUid = "0af1c2d3-0000-4000-8000-0000000000aa";

std::string object(const std::string& meta, const std::string& rest) {
    return std::string(R"({"metadata":{"name":"x","uid":")") + kUid +
           R"(","resourceVersion":"41")" + meta + "}" + rest + "}";
}

Seen seen_of(const std::string& meta, const std::string& rest = "") {
    const auto seen = read_seen(object(meta, rest));
    EXPECT_TRUE(seen) << seen.error().message;
    return seen.value_or(Seen{});
}

TEST(Seen, has_an_identity_and_a_version) {
    const Seen seen = seen_of("");
    EXPECT_EQ(seen.uid_text, kUid);
    EXPECT_EQ(seen.uid.text(), kUid);
    EXPECT_EQ(seen.version, 41U);
    EXPECT_FALSE(seen.terminating);
    EXPECT_FALSE(seen.mark);
    EXPECT_TRUE(seen_of(R"(,"deletionTimestamp":"2025-03-01T13:00:00Z")").terminating);
}

TEST(Seen, without_them_is_refused) {
    for (const char* body : {"", "[]", "{}", "{", R"({"metadata":{"uid":"u"}})",
                             R"({"metadata":{"uid":"u","resourceVersion":"x"}})",
                             R"({"metadata":{"uid":"u","resourceVersion":"0"}})",
                             R"({"metadata":{"resourceVersion":"4"}})"}) {
        EXPECT_FALSE(read_seen(body)) << body;
    }
}

TEST(Seen, knows_our_taint_and_where_it_stands) {
    const Seen none = seen_of("", R"(,"spec":{})");
    EXPECT_FALSE(none.has_taints);
    const Seen others = seen_of("", R"(,"spec":{"taints":[{"key":"a","effect":"NoSchedule"}]})");
    EXPECT_TRUE(others.has_taints);
    EXPECT_TRUE(others.ours.empty());
    EXPECT_EQ(others.taint, model::Taint::none);
    const Seen soft =
        seen_of("", R"(,"spec":{"taints":[{"key":"a","effect":"NoSchedule"},)"
                    R"({"key":"parley.dev/quarantine","effect":"PreferNoSchedule"}]})");
    EXPECT_EQ(soft.ours, std::vector<std::size_t>{1});
    EXPECT_EQ(soft.taint, model::Taint::prefer_no_schedule);
    const Seen both =
        seen_of("", R"(,"spec":{"taints":[)"
                    R"({"key":"parley.dev/quarantine","effect":"NoSchedule"},)"
                    R"({"key":"parley.dev/quarantine","effect":"PreferNoSchedule"}]})");
    EXPECT_EQ(both.ours, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(both.taint, model::Taint::no_schedule);
}

TEST(Seen, counts_replicas_that_are_available) {
    const Seen seen = seen_of("", R"(,"spec":{"replicas":5},"status":{"availableReplicas":4})");
    EXPECT_EQ(seen.replicas, 5);
    EXPECT_EQ(seen.available, 4);
    EXPECT_EQ(seen_of("", R"(,"spec":{},"status":{})").replicas, 1) << "as the API defaults it";
    EXPECT_FALSE(read_seen(object("", R"(,"spec":{"replicas":5.5})")));
    EXPECT_FALSE(read_seen(object("", R"(,"spec":{"replicas":-1})")));
    EXPECT_FALSE(read_seen(object("", R"(,"spec":{"replicas":99999999999})")));
}

TEST(Seen, reads_what_each_container_asks_for) {
    const Seen seen = seen_of(
        "",
        R"(,"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"250m","memory":"1Gi"},)"
        R"("limits":{"cpu":1}}},{"name":"b"}]},"status":{"phase":"Running"})");
    ASSERT_EQ(seen.containers.size(), 2U);
    const model::ContainerResize first{Name::of("a"), 250, 1000, std::int64_t{1} << 30, {}};
    EXPECT_EQ(seen.containers[0], first);
    EXPECT_EQ(seen.containers[1], model::ContainerResize{.container = Name::of("b")});
    EXPECT_FALSE(seen.ended);
    EXPECT_TRUE(seen_of("", R"(,"status":{"phase":"Succeeded"})").ended);
    EXPECT_FALSE(read_seen(object(
        "", R"(,"spec":{"containers":[{"name":"a","resources":{"limits":{"cpu":"much"}}}]})")));
}

TEST(Seen, reads_our_mark_and_the_deletion_cost) {
    const Seen seen =
        seen_of(R"(,"annotations":{"parley.dev/decision":"0123456789abcdef0123456789abcdef",)"
                R"("parley.dev/expires":"2025-03-01T13:00:00Z","parley.dev/kind":"throttle",)"
                R"("parley.dev/changes":"cpu_limit_m a: 1000 > 850",)"
                R"("controller.kubernetes.io/pod-deletion-cost":"-7"})");
    ASSERT_TRUE(seen.mark);
    EXPECT_EQ(seen.mark->kind, model::ActionKind::throttle);
    EXPECT_EQ(seen.mark->changes.size(), 1U);
    EXPECT_TRUE(seen.has_annotations);
    EXPECT_EQ(seen.deletion_cost, -7);
    const Seen half = seen_of(R"(,"annotations":{"parley.dev/decision":"x"})");
    EXPECT_FALSE(half.mark);
    EXPECT_TRUE(half.has_annotations);
    EXPECT_EQ(half.deletion_cost, std::nullopt);
}

}  // namespace
}  // namespace parley::kube
