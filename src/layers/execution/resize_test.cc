#include "layers/execution/resize.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

constexpr std::int64_t kMi = std::int64_t{1} << 20;

ContainerSpec asks(const char* name, std::int64_t memory_mi, std::int64_t limit_mi = 0) {
    ContainerSpec spec{.name = Name::of(name), .memory_request = memory_mi * kMi};
    if (limit_mi > 0) spec.memory_limit = limit_mi * kMi;
    return spec;
}

/// One pod of these containers, which may have been measured.
struct Pod : Kit {
    Slot node = add_node("node-1");
    Slot slot = add_pod(add_workload(workload_id("web"), 1), node);

    explicit Pod(std::vector<ContainerSpec> containers) { shape(slot, std::move(containers)); }

    /// What the second container used, so long ago.
    void measure(std::int64_t memory_mi, Duration ago) {
        ContainerRow row{.pod = slot, .at = 1};
        row.state.put_use(pod(slot).created, {0, memory_mi * kMi, kNow - ago, seconds(15)});
        input.snapshot.containers.insert(row);
    }
    const PodRow& row() { return pod(slot); }
    std::vector<ContainerSeen> seen() { return Containers(input.snapshot, node).of(row()); }

    std::string throttle() {
        const auto resized = throttled(row(), Name::of("shop"), seen());
        return resized ? text_of(Request(resized->there)) + " / " + text_of(Request(resized->back))
                       : "";
    }
    std::string balloon(std::int64_t to_mi) {
        const auto resized = ballooned(row(), Name::of("shop"), seen(), to_mi * kMi, policy, kNow);
        return resized ? text_of(Request(resized->there)) + " / " + text_of(Request(resized->back))
                       : "";
    }
};

TEST(Resize, a_throttle_is_for_containers_that_run_and_have_a_limit_above_their_request) {
    const auto container = [](const char* name, std::optional<std::int64_t> request,
                              std::optional<std::int64_t> limit,
                              ContainerKind kind = ContainerKind::main) {
        return ContainerSpec{
            .name = Name::of(name), .kind = kind, .cpu_request_m = request, .cpu_limit_m = limit};
    };
    EXPECT_EQ(Pod({container("a", 100, 1000)}).throttle(),
              "resize web-1 to 850m CPU limit / resize web-1 to 1000m CPU limit");
    EXPECT_EQ(Pod({container("a", 900, 1000)}).throttle(),
              "resize web-1 to 900m CPU limit / resize web-1 to 1000m CPU limit");
    EXPECT_EQ(Pod({container("a", 1000, 1000)}).throttle(), "");
    EXPECT_EQ(Pod({container("a", {}, 1000)}).throttle(), "") << "then it asks for its limit";
    EXPECT_EQ(Pod({container("a", 100, {})}).throttle(), "");
    EXPECT_EQ(Pod({container("a", 100, 1000, ContainerKind::init)}).throttle(), "");
    EXPECT_EQ(Pod({container("a", 100, 1000), container("b", 1, {}),
                   container("c", 10, 100, ContainerKind::sidecar)})
                  .throttle(),
              "resize web-1 to a 850m CPU limit; c 85m CPU limit / "
              "resize web-1 to a 1000m CPU limit; c 100m CPU limit");
}

TEST(Resize, a_throttle_leaves_the_qos_class_as_it_is) {
    ContainerSpec spec = asks("a", 100, 100);
    spec.cpu_request_m = 900;
    spec.cpu_limit_m = 1000;
    EXPECT_EQ(Pod({spec}).throttle(),
              "resize web-1 to 901m CPU limit / resize web-1 to 1000m CPU limit");
    spec.cpu_limit_m = 901;
    EXPECT_EQ(Pod({spec}).throttle(), "");
}

TEST(Resize, a_balloon_lowers_each_container_by_its_part) {
    EXPECT_EQ(Pod({asks("a", 1000)}).balloon(750),
              "resize web-1 to 750Mi memory request / resize web-1 to 1000Mi memory request");
    EXPECT_EQ(Pod({asks("a", 900), asks("b", 100)}).balloon(750),
              "resize web-1 to a 675Mi memory request; b 75Mi memory request / "
              "resize web-1 to a 900Mi memory request; b 100Mi memory request");
    EXPECT_EQ(Pod({asks("a", 1000)}).balloon(1000), "");
    EXPECT_EQ(Pod({asks("a", 0)}).balloon(750), "");
}

TEST(Resize, a_limit_that_is_its_request_goes_with_it) {
    EXPECT_EQ(Pod({asks("a", 1000, 1000)}).balloon(750),
              "resize web-1 to 750Mi memory request, 750Mi memory limit / "
              "resize web-1 to 1000Mi memory request, 1000Mi memory limit");
    EXPECT_EQ(Pod({asks("a", 1000, 1001)}).balloon(750),
              "resize web-1 to 750Mi memory request / resize web-1 to 1000Mi memory request");
}

TEST(Resize, of_several_containers_a_limit_is_lowered_only_to_what_leaves_a_margin) {
    struct Case {
        std::int64_t used_mi;
        Duration ago;
        bool lowered;
    };
    // 400Mi of 800Mi would be 300Mi; with a margin of 15 % that is room for 260Mi.
    for (const Case& c : {Case{260, seconds(60), true}, Case{261, seconds(60), false},
                          Case{260, seconds(61), false}}) {
        Pod pod({asks("a", 400), asks("b", 400, 400)});
        EXPECT_EQ(pod.balloon(600).find("; b "), std::string::npos) << "never measured";
        pod.measure(c.used_mi, c.ago);
        EXPECT_EQ(pod.balloon(600).find("; b 300Mi memory request, 300Mi memory limit") !=
                      std::string::npos,
                  c.lowered)
            << pod.balloon(600);
    }
}

TEST(Resize, a_scaling_keeps_the_proportion_of_limits_and_names_containers) {
    const ContainerSpec both{.name = Name::of("app"),
                             .cpu_request_m = 200,
                             .cpu_limit_m = 400,
                             .memory_request = 100 * kMi,
                             .memory_limit = 100 * kMi};
    const ContainerSpec init{
        .name = Name::of("init"), .kind = ContainerKind::init, .cpu_request_m = 200};
    const ContainerSpec plain{.name = Name::of("log"), .cpu_request_m = 50};
    const auto text = [](std::vector<ContainerSpec> containers, std::vector<ContainerSize> sizes) {
        Pod pod(std::move(containers));
        const auto resized =
            scaled(pod.row(), Name::of("shop"), *shape_of(pod.input.snapshot, pod.row()), sizes);
        return resized ? text_of(Request(resized->there)) + " / " + text_of(Request(resized->back))
                       : "";
    };
    const auto cpu = [](const char* name, std::int64_t to) {
        return ContainerSize{Name::of(name), Extent{0, to}, std::nullopt};
    };
    EXPECT_EQ(
        text({both}, {{Name::of("app"), Extent{200, 300}, Extent{100 * kMi, 150 * kMi}}}),
        "resize web-1 to 300m CPU request, 600m CPU limit, 150Mi memory request, 150Mi memory "
        "limit / resize web-1 to 200m CPU request, 400m CPU limit, 100Mi memory request, "
        "100Mi memory limit");
    EXPECT_EQ(text({plain}, {cpu("log", 70)}),
              "resize web-1 to 70m CPU request / resize web-1 to 50m CPU request");
    EXPECT_EQ(text({both}, {cpu("app", 200)}), "") << "it asks for that already";
    EXPECT_EQ(text({both}, {cpu("nobody", 300)}), "");
    EXPECT_EQ(text({init}, {cpu("init", 300)}), "") << "it has ended by now";
    ContainerSpec wide = both;
    wide.cpu_request_m = 1;
    wide.cpu_limit_m = std::int64_t{1} << 60;
    EXPECT_EQ(text({wide}, {cpu("app", 100)}),
              "resize web-1 to 100m CPU request, 1000000000000000000m CPU limit / resize web-1 to "
              "1m CPU request, 1152921504606846976m CPU limit");
    ContainerSpec tight = both;
    tight.cpu_limit_m = 201;
    EXPECT_EQ(text({tight}, {cpu("app", 10)}),
              "resize web-1 to 10m CPU request, 11m CPU limit / resize web-1 to 200m CPU request, "
              "201m CPU limit");
}

}  // namespace
}  // namespace parley::execution
