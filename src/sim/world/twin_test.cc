#include "sim/world/twin.h"

#include "model/coded.h"
#include "sim/scenario/builtin_scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::sim {
namespace {

const model::NodeId kNode{Name::of("node-03")};
const model::WorkloadId kWeb{Name::of("shop"), model::WorkloadKind::deployment, Name::of("web")};

World calm() { return World(std::make_shared<Scenario>(*builtin_scenario("calm")), 7); }

model::OpenAction slow_down() {
    model::OpenAction action;
    action.id = {1, 2};
    action.plan = {{.request = model::SetClock{kNode, 650'000}}};
    return action;
}

const model::TwinSample* find(const std::vector<model::TwinSample>& samples, model::Branch branch) {
    const auto found = std::ranges::find(samples, branch, &model::TwinSample::branch);
    return found == samples.end() ? nullptr : &*found;
}

TEST(Twins, a_twin_that_does_nothing_is_the_world_itself) {
    World live = calm();
    Twins twins(live);
    twins.fork(slow_down(), {kNode, kWeb}, {}, {});
    for (std::int64_t s = 3; s <= 120; s += 3) {
        const TimePoint now{seconds(s).us};
        live.advance(now);
        const auto samples = twins.sample(now, {});
        const auto* noop = find(samples, model::Branch::noop);
        ASSERT_NE(noop, nullptr);
        ASSERT_EQ(noop->leaves.size(), 2U);
        EXPECT_EQ(noop->leaves[0].node, live.node_counters(kNode)) << s;
        EXPECT_EQ(noop->leaves[1].work, live.work_counters(kWeb)) << s;
    }
}

TEST(Twins, a_twin_that_acts_is_the_world_that_acted) {
    World live = calm();
    Twins twins(live);
    twins.fork(slow_down(), {kNode}, {}, {});
    (void)twins.sample(live.now(), {});
    ASSERT_TRUE(live.apply(model::SetClock{kNode, 650'000}, {}));
    const TimePoint later{seconds(300).us};
    live.advance(later);
    const auto samples = twins.sample(later, {});
    EXPECT_EQ(find(samples, model::Branch::acted)->leaves[0].node, live.node_counters(kNode));
    EXPECT_NE(find(samples, model::Branch::noop)->leaves[0].node, live.node_counters(kNode));
    EXPECT_EQ(find(samples, model::Branch::loser), nullptr);
}

TEST(Twins, the_queue_is_every_job_there_is) {
    World live = calm();
    Twins twins(live);
    twins.fork(slow_down(), {model::WholeCluster{}}, {}, {});
    const auto samples = twins.sample(live.now(), {});
    EXPECT_FALSE(find(samples, model::Branch::noop)->leaves.empty());
    for (const auto& leaf : find(samples, model::Branch::noop)->leaves) {
        EXPECT_EQ(std::get<model::WorkloadId>(leaf.leaf).kind, model::WorkloadKind::job);
    }
}

TEST(Twins, are_followed_until_dropped_and_never_too_many) {
    World live = calm();
    Twins twins(live, {.actions_max = 1});
    twins.fork(slow_down(), {kNode}, {}, {});
    model::OpenAction second = slow_down();
    second.id = {3, 4};
    twins.fork(second, {kNode}, {}, {});
    EXPECT_EQ(twins.sample(live.now(), {}).size(), 2U) << "one action, two branches";
    twins.drop({1, 2});
    EXPECT_TRUE(twins.sample(live.now(), {}).empty());
}

}  // namespace
}  // namespace parley::sim
