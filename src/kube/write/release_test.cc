#include "kube/write/release.h"

#include <gtest/gtest.h>

namespace parley::kube {
namespace {

using namespace model;
using Texts = std::vector<std::string>;

const DecisionId kId{7, 9};

Mark mark(std::vector<MarkedChange> changes) {
    return {kId, TimePoint{} + hours(1), ActionKind::migrate, std::move(changes)};
}

MarkedChange change(MarkedField field, std::int64_t old, std::int64_t wanted,
                    const char* container = "") {
    return {field, Name::of(container), old, wanted};
}

Texts steps(const Release& release) {
    Texts out;
    for (const Request& each : release.steps) out.push_back(text_of(each));
    return out;
}

TEST(Release, a_node_loses_our_taint_and_then_our_mark) {
    MarkedObject node{.kind = Kind::node, .name = "worker-1"};
    node.seen.taint = Taint::no_schedule;
    node.seen.mark = mark({change(MarkedField::taint, 0, static_cast<int>(Taint::no_schedule))});
    EXPECT_EQ(steps(release_of(node)), (Texts{"lift quarantine of worker-1", "unmark worker-1"}));
    EXPECT_EQ(release_of(node).decision, kId);
    node.seen.taint = Taint::none;  // Already done, by a kill between the two.
    EXPECT_EQ(steps(release_of(node)), Texts{"unmark worker-1"});
    EXPECT_TRUE(release_of(node).left.empty());
}

TEST(Release, what_somebody_else_set_since_stays_theirs) {
    MarkedObject web{.kind = Kind::deployment, .space = "shop", .name = "web"};
    web.seen.mark = mark({change(MarkedField::replicas, 3, 4)});
    for (const auto& [now, want] :
         std::vector<std::pair<int, Texts>>{{4, {"shop/web to 3", "unmark shop/web"}},
                                            {3, {"unmark shop/web"}},
                                            {9, {"unmark shop/web"}}}) {
        web.seen.replicas = now;
        EXPECT_EQ(steps(release_of(web)), want) << now;
        EXPECT_EQ(release_of(web).left.size(), now == 9 ? 1U : 0U);
    }
    EXPECT_EQ(release_of(web).left[0],
              "replicas is 9, which somebody else has set since: it stays");
}

TEST(Release, a_job_that_is_held_is_resumed_unless_somebody_did) {
    MarkedObject job{.kind = Kind::job, .space = "batch", .name = "night"};
    job.seen.mark = mark({change(MarkedField::suspend, 0, 1)});
    job.seen.suspended = true;
    EXPECT_EQ(steps(release_of(job)), (Texts{"resume batch/job/night", "unmark batch/job/night"}));
    job.seen.suspended = false;
    EXPECT_EQ(steps(release_of(job)), Texts{"unmark batch/job/night"});
}

TEST(Release, a_pod_gets_back_each_size_that_is_still_ours) {
    MarkedObject pod{.kind = Kind::pod, .space = "shop", .name = "web-1"};
    pod.seen.containers = {{.container = Name::of("a"), .cpu_limit_m = 850, .memory_limit = 5},
                           {.container = Name::of("b"), .cpu_limit_m = 77}};
    pod.seen.mark = mark({change(MarkedField::cpu_limit_m, 1000, 850, "a"),
                          change(MarkedField::memory_limit, 9, 5, "a"),
                          change(MarkedField::cpu_limit_m, 500, 425, "b"),
                          change(MarkedField::cpu_m, 5, 4, "gone")});
    const Release release = release_of(pod);
    ASSERT_EQ(release.steps.size(), 2U);
    const auto& resize = std::get<ResizePod>(release.steps[0]);
    ASSERT_EQ(resize.containers.size(), 1U);
    EXPECT_EQ(
        resize.containers[0],
        (ContainerResize{.container = Name::of("a"), .cpu_limit_m = 1000, .memory_limit = 9}));
    EXPECT_EQ(steps(release)[1], "unmark web-1");
    EXPECT_EQ(release.left,
              (Texts{"cpu_limit_m of b is 77, which somebody else has set since: it stays",
                     "cpu_m of gone is not there any more"}));
    pod.seen.ended = true;
    EXPECT_EQ(steps(release_of(pod)), Texts{"unmark web-1"});
}

TEST(Release, what_only_a_provider_can_give_back_keeps_its_mark) {
    MarkedObject node{.kind = Kind::node, .name = "worker-1"};
    node.seen.taint = Taint::no_schedule;
    node.seen.mark = mark({change(MarkedField::power, 2, 0),
                           change(MarkedField::taint, 0, static_cast<int>(Taint::no_schedule))});
    EXPECT_EQ(steps(release_of(node)), Texts{"lift quarantine of worker-1"});
    EXPECT_EQ(release_of(node).left,
              Texts{"power is set by a provider, and none is named: --config FILE names one; the "
                    "mark stays"});
}

TEST(Release, power_and_clock_are_given_back_where_their_provider_says_that_ours_stand) {
    struct Case {
        PowerWish power;
        std::int64_t clock;
        Texts steps;
        std::size_t left;
    };
    const auto number = [](PowerWish wish) { return static_cast<std::int64_t>(wish); };
    for (const Case& each : std::initializer_list<Case>{
             {PowerWish::sleep,
              650'000,
              {"power on worker-1", "clock of worker-1 to 90%", "unmark worker-1"},
              0},
             {PowerWish::on, 900'000, {"unmark worker-1"}, 0},
             {PowerWish::off, 700'000, {"unmark worker-1"}, 2}}) {
        MarkedObject node{.kind = Kind::node, .name = "worker-1"};
        node.provided = {.power = number(each.power), .clock_ppm = each.clock};
        node.seen.mark =
            mark({change(MarkedField::power, number(PowerWish::on), number(PowerWish::sleep)),
                  change(MarkedField::clock_ppm, 900'000, 650'000)});
        EXPECT_EQ(steps(release_of(node)), each.steps) << each.clock;
        EXPECT_EQ(release_of(node).left.size(), each.left) << each.clock;
    }
}

TEST(Release, what_we_woke_stays_awake) {
    MarkedObject node{.kind = Kind::node, .name = "worker-1"};
    const auto number = [](PowerWish wish) { return static_cast<std::int64_t>(wish); };
    node.provided.power = number(PowerWish::on);
    node.seen.mark =
        mark({change(MarkedField::power, number(PowerWish::sleep), number(PowerWish::on))});
    EXPECT_EQ(steps(release_of(node)), Texts{"unmark worker-1"});
    EXPECT_TRUE(release_of(node).left.empty());
}

TEST(Release, by_a_mark_that_was_edited_nothing_is_given_back) {
    MarkedObject node{.kind = Kind::node, .name = "worker-1"};
    node.seen.has_annotations = true;
    EXPECT_TRUE(release_of(node).steps.empty());
    EXPECT_EQ(release_of(node).left.size(), 1U);
}

TEST(Release, is_for_all_for_one_decision_or_for_what_is_expired) {
    MarkedObject node{.kind = Kind::node, .name = "worker-1"};
    node.seen.mark = mark({});
    const TimePoint before = TimePoint{} + minutes(59);
    const TimePoint after = TimePoint{} + minutes(60);
    EXPECT_TRUE(is_meant(node, {}, before));
    EXPECT_FALSE(is_meant(node, {.expired_only = true}, before));
    EXPECT_TRUE(is_meant(node, {.expired_only = true}, after));
    EXPECT_TRUE(is_meant(node, {.decision = kId}, before));
    EXPECT_FALSE(is_meant(node, {.decision = DecisionId{7, 8}}, after));
    node.seen.mark.reset();
    EXPECT_TRUE(is_meant(node, {}, before)) << "so that it is said";
    EXPECT_FALSE(is_meant(node, {.expired_only = true}, after));
}

}  // namespace
}  // namespace parley::kube
