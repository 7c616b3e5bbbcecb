#include "kube/decode/pod_resources.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace parley::kube {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

ContainerSize asks(const char* name, std::int64_t cpu_m, std::int64_t memory = 0) {
    return {.name = name, .request = {cpu_m, memory}, .limit = {}};
}
ContainerSize sidecar(const char* name, std::int64_t cpu_m) {
    ContainerSize container = asks(name, cpu_m);
    container.is_sidecar = true;
    return container;
}
ContainerActual has(const char* name, std::int64_t allocated_m, std::int64_t in_force_m) {
    return {.name = name, .known = true, .request = {in_force_m, 0}, .allocated = {allocated_m, 0}};
}

struct Case {
    const char* name;
    PodSize pod;
    std::int64_t cpu_m;
    std::int64_t memory = 0;
};

const Case kCases[] = {
    {"nothing", {}, 0},
    {"one", {.containers = {asks("a", 250, 64)}}, 250, 64},
    {"sum", {.containers = {asks("a", 250, 64), asks("b", 100, 32)}}, 350, 96},
    {"init_below_the_sum", {.containers = {asks("a", 500)}, .init = {asks("i", 400)}}, 500},
    {"init_above_the_sum", {.containers = {asks("a", 500)}, .init = {asks("i", 900)}}, 900},
    {"init_one_after_the_other",
     {.containers = {asks("a", 500)}, .init = {asks("i", 600), asks("j", 700)}},
     700},
    {"each_resource_for_itself",
     {.containers = {asks("a", 500, 10)}, .init = {asks("i", 100, 900)}},
     500,
     900},
    {"sidecar_runs_on", {.containers = {asks("a", 500)}, .init = {sidecar("s", 100)}}, 600},
    {"sidecar_before_init",
     {.containers = {asks("a", 500)}, .init = {sidecar("s", 100), asks("i", 550)}},
     650},
    {"sidecar_after_init",
     {.containers = {asks("a", 500)}, .init = {asks("i", 550), sidecar("s", 100)}},
     600},
    {"sidecars_add_up",
     {.containers = {asks("a", 100)},
      .init = {sidecar("s", 100), sidecar("t", 200), asks("i", 50)}},
     400},
    {"overhead_on_top",
     {.containers = {asks("a", 500)}, .init = {asks("i", 900)}, .overhead = {50, 7}},
     950,
     7},
    {"the_pod_itself_asks",
     {.containers = {asks("a", 500, 64)}, .overhead = {10, 0}, .whole_request = {800, {}}},
     810,
     64},
    {"the_pod_may_ask_for_less_than_init",
     {.containers = {asks("a", 100)}, .init = {asks("i", 900)}, .whole_request = {300, {}}},
     300},
    {"limit_stands_for_the_request",
     {.containers = {{.name = "a", .request = {}, .limit = {400, 40}}}},
     400,
     40},
    {"a_request_of_zero_is_one",
     {.containers = {{.name = "a", .request = {0, 0}, .limit = {400, 40}}}},
     0},
    {"no_resize", {.containers = {asks("a", 500)}, .actual = {has("a", 500, 500)}}, 500},
    {"growing", {.containers = {asks("a", 900)}, .actual = {has("a", 500, 500)}}, 900},
    {"shrinking", {.containers = {asks("a", 300)}, .actual = {has("a", 300, 500)}}, 500},
    {"allocated_but_not_in_force",
     {.containers = {asks("a", 300)}, .actual = {has("a", 700, 500)}},
     700},
    {"infeasible",
     {.containers = {asks("a", 9000)}, .actual = {has("a", 500, 500)}, .resize_infeasible = true},
     500},
    {"status_without_resources",
     {.containers = {asks("a", 900)},
      .actual = {{.name = "a", .request = {}, .allocated = {5000, 0}}}},
     900},
    {"status_of_another", {.containers = {asks("a", 900)}, .actual = {has("b", 5000, 0)}}, 900},
    {"a_sidecar_is_resized",
     {.containers = {asks("a", 100)}, .init = {sidecar("s", 100)}, .actual = {has("s", 300, 300)}},
     400},
    {"an_init_container_never_is",
     {.containers = {asks("a", 100)}, .init = {asks("i", 200)}, .actual = {has("i", 900, 900)}},
     200},
    {"no_overflow", {.containers = {asks("a", kMost), asks("b", kMost)}}, kAmountMax},
};

class SchedulerRequest : public testing::TestWithParam<Case> {};

TEST_P(SchedulerRequest, is_what_the_scheduler_counts) {
    const Amounts sum = scheduler_request(GetParam().pod);
    EXPECT_EQ(sum.cpu_m, GetParam().cpu_m);
    EXPECT_EQ(sum.memory, GetParam().memory);
}
INSTANTIATE_TEST_SUITE_P(, SchedulerRequest, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

TEST(LimitOf, is_none_where_one_that_runs_on_has_none) {
    const ContainerSize limited{.name = "a", .request = {}, .limit = {400, 40}};
    ContainerSize aside = limited;
    aside.is_sidecar = true;
    EXPECT_EQ(limit_of({.containers = {limited, limited}}), (Amounts{800, 80}));
    EXPECT_EQ(limit_of({.containers = {limited}, .init = {aside}}), (Amounts{800, 80}));
    EXPECT_EQ(limit_of({.containers = {limited}, .init = {asks("i", 1)}}), (Amounts{400, 40}));
    EXPECT_EQ(limit_of({.containers = {limited}, .init = {sidecar("s", 1)}}), (Amounts{0, 0}));
    EXPECT_EQ(limit_of({.containers = {limited, asks("b", 1)}}), (Amounts{0, 0}));
    EXPECT_EQ(limit_of({.containers = {asks("b", 1)}, .whole_limit = {700, {}}}),
              (Amounts{700, 0}));
    EXPECT_EQ(limit_of({}), (Amounts{0, 0}));
}

TEST(PodSize, cleared_is_as_new) {
    PodSize pod{.containers = {asks("a", 1)},
                .init = {asks("b", 1)},
                .actual = {has("a", 1, 1)},
                .overhead = {1, 1},
                .whole_request = {1, 1},
                .whole_limit = {1, 1},
                .resize_infeasible = true};
    pod.clear();
    EXPECT_EQ(scheduler_request(pod), Amounts());
    EXPECT_FALSE(pod.resize_infeasible);
}

}  // namespace
}  // namespace parley::kube
