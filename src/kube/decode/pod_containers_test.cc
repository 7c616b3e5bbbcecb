#include "kube/decode/pod_containers.h"

#include "kube/decode/decode_kit_test.h"

namespace parley::kube {
namespace {

using model::ContainerKind;
using model::Ending;

TEST(PodContainers, shapes_have_what_is_asked_and_nothing_where_nothing_is) {
    const Pod pod = read_one<Pod>(Kind::pod, full_pod());
    ASSERT_TRUE(pod.shape);
    ASSERT_EQ(pod.shape->containers.size(), 3U);
    EXPECT_EQ(pod.shape->containers[0], (model::ContainerSpec{.name = Name::of("app"),
                                                              .cpu_request_m = 250,
                                                              .cpu_limit_m = 1000,
                                                              .memory_request = 256 << 20,
                                                              .memory_limit = 512 << 20}));
    EXPECT_EQ(pod.shape->containers[1], (model::ContainerSpec{.name = Name::of("mesh"),
                                                              .kind = ContainerKind::sidecar,
                                                              .cpu_request_m = 50,
                                                              .memory_request = 32 << 20}));
    EXPECT_EQ(pod.shape->containers[2].kind, ContainerKind::init);
}

TEST(PodContainers, endings_are_of_those_that_have_something_to_tell) {
    const Pod pod = read_one<Pod>(Kind::pod, full_pod());
    EXPECT_EQ(seen_of(pod, "app").ending, Ending::oom_killed);
    EXPECT_EQ(seen_of(pod, "app").exit_code, 137);
    EXPECT_EQ(seen_of(pod, "app").ended.from(pod.created), pod.created + seconds(293));
    ASSERT_TRUE(pod.containers);
    EXPECT_EQ(pod.containers->size(), 2U) << "setup did its work at the first try";
    EXPECT_EQ(seen_of(pod, "mesh").ending, Ending::error);
    const auto quiet = read_one<Pod>(Kind::pod, R"({"metadata":{"name":"a-b","uid":"u",
"resourceVersion":"1"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Running",
"containerStatuses":[{"name":"c","restartCount":0}]}})");
    EXPECT_EQ(quiet.containers, nullptr);
}

TEST(PodContainers, pods_that_ask_alike_share_a_shape) {
    const Pod one = read_one<Pod>(Kind::pod, full_pod());
    const Pod two = read_one<Pod>(Kind::pod, full_pod());
    const Pod other = read_one<Pod>(
        Kind::pod, replaced(full_pod(), R"("limits":{"cpu":"1")", R"("limits":{"cpu":"2")"));
    EXPECT_EQ(one.shape, two.shape);
    EXPECT_NE(one.shape, other.shape);
    EXPECT_EQ(other.shape->containers[0].cpu_limit_m, 2000);
}

TEST(PodContainers, know_the_kubelets_reasons) {
    struct Case {
        const char* reason;
        Ending ending;
    };
    for (const Case& c :
         {Case{"Completed", Ending::completed}, Case{"Error", Ending::error},
          Case{"OOMKilled", Ending::oom_killed}, Case{"ContainerCannotRun", Ending::cannot_start},
          Case{"StartError", Ending::cannot_start}, Case{"ContainerStatusUnknown", Ending::lost},
          Case{"", Ending::other}, Case{"DeadlineExceeded", Ending::other}}) {
        EXPECT_EQ(ending_of(c.reason), c.ending) << c.reason;
    }
}

TEST(PodContainers, an_exit_code_that_does_not_fit_is_255) {
    for (const auto& [code, told] : std::initializer_list<std::pair<const char*, int>>{
             {"255", 255}, {"256", 255}, {"-1", 255}, {"0", 0}}) {
        const Pod pod = read_one<Pod>(Kind::pod, replaced(full_pod(), R"("exitCode":137)",
                                                          R"("exitCode":)" + std::string(code)));
        EXPECT_EQ(seen_of(pod, "app").exit_code, told) << code;
    }
}

}  // namespace
}  // namespace parley::kube
