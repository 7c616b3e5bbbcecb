#include "kube/decode/decode_pod_status.h"

#include "kube/decode/decode_kit_test.h"

namespace parley::kube {
namespace {

using model::Ending;

Pod pod_of(const std::string& json) { return read_one<Pod>(Kind::pod, json); }

TEST(DecodePodStatus, reads_when_it_started_and_when_it_became_ready) {
    const Pod pod = pod_of(full_pod());
    EXPECT_EQ(pod.started.from(pod.created), pod.created + seconds(2));
    EXPECT_EQ(pod.ready_changed.from(pod.created), pod.created + seconds(53));
    const Pod fresh = pod_of(R"({"metadata":{"name":"a-b","uid":"u","resourceVersion":"1"},
"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Pending","startTime":null,
"conditions":[{"type":"Ready","status":"False","lastTransitionTime":null}]}})");
    EXPECT_FALSE(fresh.started.known() || fresh.ready_changed.known());
}

TEST(DecodePodStatus, a_container_that_has_ended_now_did_not_end_as_it_did_before) {
    const std::string now = replaced(full_pod(), R"({"waiting":{"reason":"CrashLoopBackOff"}})",
                                     R"({"terminated":{"exitCode":2,"reason":"Error"}})");
    const Pod pod = pod_of(now);
    EXPECT_EQ(seen_of(pod, "app").ending, Ending::error);
    EXPECT_EQ(seen_of(pod, "app").exit_code, 2);
    EXPECT_FALSE(seen_of(pod, "app").ended.known()) << "nobody says when";
    EXPECT_FALSE(pod.crash_trouble);
}

TEST(DecodePodStatus, what_a_container_waited_for_before_is_no_trouble_now) {
    const Pod pod =
        pod_of(replaced(full_pod(), R"("lastState":{"terminated")",
                        R"("lastState":{"waiting":{"reason":"ErrImagePull"},"terminated")"));
    EXPECT_FALSE(pod.image_trouble);
}

TEST(DecodePodStatus, the_API_server_says_who_is_taken_from_its_owner) {
    const auto with = [](const std::string& status) {
        return pod_of(R"({"metadata":{"name":"a-b","uid":"u","resourceVersion":"1"},
"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running","conditions":[
{"type":"DisruptionTarget","status":")" +
                      status + R"(","reason":"EvictionByEvictionAPI"}]}})");
    };
    EXPECT_TRUE(with("True").disrupted);
    EXPECT_FALSE(with("False").disrupted);
    EXPECT_FALSE(pod_of(full_pod()).disrupted);
}

TEST(DecodePodStatus, a_time_that_is_none_is_a_fault) {
    EXPECT_NE(fault_of(Kind::pod, replaced(full_pod(), "2025-03-01T12:00:09Z", "yesterday")), "");
}

}  // namespace
}  // namespace parley::kube
