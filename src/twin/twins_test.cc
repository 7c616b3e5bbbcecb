#include "twin/twins.h"

#include "twin/kit_test.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::twin {
namespace {

using namespace model;

struct Acting : Kit {
    Slot a = add_node("a");
    Slot b = add_node("b");
    Slot web = add_work(work_id("web"), 1);
    Uid pod = add_pod(web, a);
    Twins twins{StakesRules{}};
    OpenAction action;

    Acting() {
        action.id = {0, 5};
        action.action = Migrate{};
        action.target = node_id("a");
        action.plan = {{PutMark{node_id("a"), {0, 5}}, {}},
                       {SetTaint{node_id("a"), Taint::no_schedule}, {}},
                       {EvictPod{.pod = pod, .name = "web-1"}, {}}};
    }
    std::vector<TwinSample> at(Duration later) {
        seen.taken = kNow + later;
        return twins.sample(seen.taken, seen);
    }
    static const WorkCounters& web_in(const std::vector<TwinSample>& samples, Branch branch) {
        const auto sample = std::ranges::find(samples, branch, &TwinSample::branch);
        const auto leaf =
            std::ranges::find(sample->leaves, Target(work_id("web")), &LeafCounters::leaf);
        return *leaf->work;
    }
};

TEST(LiveTwins, follow_what_acting_and_doing_nothing_come_to) {
    Acting kit;
    kit.twins.fork(kit.action, {node_id("a"), work_id("web")}, {}, kit.seen);
    const auto start = kit.at(seconds(0));
    ASSERT_EQ(start.size(), 2U);
    EXPECT_EQ(start[0].leaves.size(), 2U);
    EXPECT_EQ(Acting::web_in(start, Branch::noop).reserved_core_ms, 0) << "they begin at nothing";
    const auto later = kit.at(seconds(3));
    EXPECT_EQ(Acting::web_in(later, Branch::noop).disruptions, 0);
    EXPECT_EQ(Acting::web_in(later, Branch::acted).disruptions, 1);
    EXPECT_EQ(Acting::web_in(later, Branch::noop).reserved_core_ms, 750);
}

TEST(LiveTwins, say_which_lines_they_do_not_model) {
    Acting kit;
    kit.twins.fork(kit.action, {node_id("a"), work_id("web")}, {}, kit.seen);
    const auto samples = kit.at(seconds(3));
    const LineSet work = Acting::web_in(samples, Branch::noop).uncounted;
    EXPECT_TRUE(work.has(CostLine::lost_requests));
    EXPECT_FALSE(work.has(CostLine::core_hours));
    EXPECT_TRUE(samples[0].leaves[0].node->uncounted.has(CostLine::energy));
    EXPECT_FALSE(samples[0].leaves[0].node->uncounted.has(CostLine::node_hours));
}

TEST(LiveTwins, list_jobs_that_come_after_an_order_began) {
    Acting kit;
    kit.action.target = WholeCluster{};
    kit.action.plan = {
        {SetAdmission{.mode = AdmissionWish::queue, .decision = {0, 5}, .until = kNow + minutes(1)},
         {}}};
    kit.twins.fork(kit.action, {WholeCluster{}}, {}, kit.seen);
    (void)kit.at(seconds(0));
    const Slot late = kit.add_work(job_id("late"), 0);
    kit.work(late).held = 1;
    kit.work(late).mark = Mark{.decision = {0, 5}};
    const auto samples = kit.at(seconds(3));
    ASSERT_EQ(samples[1].leaves.size(), 1U);
    EXPECT_EQ(samples[1].leaves[0].leaf, Target(job_id("late")));
    EXPECT_EQ(samples[1].leaves[0].work->pending_ms, 3000);
    EXPECT_EQ(samples[0].leaves[0].work->pending_ms, 0);
    EXPECT_TRUE(samples[0].leaves[0].work->uncounted.has(CostLine::core_hours));
}

TEST(LiveTwins, the_plan_of_the_best_loser_is_a_third_future) {
    Acting kit;
    kit.twins.fork(kit.action, {work_id("web")}, {{SetTaint{node_id("a"), Taint::no_schedule}, {}}},
                   kit.seen);
    EXPECT_EQ(kit.at(seconds(3)).size(), 3U);
    kit.twins.drop(kit.action.id);
    EXPECT_TRUE(kit.at(seconds(6)).empty());
}

TEST(LiveTwins, follow_no_more_than_they_may) {
    Acting kit;
    kit.twins = Twins(StakesRules{}, {.actions_max = 1});
    kit.twins.fork(kit.action, {work_id("web")}, {}, kit.seen);
    kit.action.id = {0, 6};
    kit.twins.fork(kit.action, {work_id("web")}, {}, kit.seen);
    EXPECT_EQ(kit.at(seconds(3)).size(), 2U);
    kit.twins = Twins(StakesRules{}, {.pods_max = 0});
    kit.twins.fork(kit.action, {work_id("web")}, {}, kit.seen);
    EXPECT_TRUE(kit.at(seconds(6)).empty());
}

}  // namespace
}  // namespace parley::twin
