#include "layers/execution/prototype_reward.h"

#include "base/math.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

const NodeId kOne = node_id("node-1");
const NodeId kTwo = node_id("node-2");

PrototypeRow row(double risk = 0, double demand = 0.5, std::int64_t queue = 0) {
    return {
        .nodes =
            {{.id = kOne, .cpu = 0.5, .memory = 0.4, .net = 0.2, .risk = risk, .demand = demand},
             {.id = kTwo, .cpu = 0.3, .memory = 0.2, .risk = 0.1, .demand = 0.2}},
        .queue = queue};
}

PrototypeReward reward(const PrototypeRow& row, Role role, Action action, Target target = kOne) {
    const Proposal chosen = proposes(role, std::move(action), std::move(target));
    return prototype_reward(row, &chosen, Weights{});
}

TEST(PrototypeReward, every_agent_starts_at_one) {
    const PrototypeReward none = prototype_reward(row(), nullptr, Weights{});
    EXPECT_EQ(none.safety, 1);
    EXPECT_EQ(none.efficiency, 1);
    EXPECT_EQ(none.admission, 1);
    EXPECT_DOUBLE_EQ(none.total, 1.0 + 0.6 + 0.8);
}

TEST(PrototypeReward, of_safety_goes_by_the_risk_of_its_node) {
    struct Row {
        Action action;
        double risk;
        double reward;
    };
    for (const auto& [action, risk, expected] : std::initializer_list<Row>{{Migrate{}, 0.70, 11},
                                                                           {Migrate{}, 0.69, 1},
                                                                           {Migrate{}, 0.40, 1},
                                                                           {Migrate{}, 0.39, -19},
                                                                           {Replicate{}, 0.83, 9},
                                                                           {Replicate{}, 0.82, 1},
                                                                           {Throttle{}, 0.50, 4},
                                                                           {Throttle{}, 0.49, 1},
                                                                           {Noop{}, 0.99, 1}}) {
        EXPECT_EQ(reward(row(risk), Role::safety, action).safety, expected)
            << text_of(action) << " at " << risk;
    }
    EXPECT_EQ(reward(row(0.9), Role::admission, Admission{}).safety, 1) << "others' action";
}

TEST(PrototypeReward, of_safety_falls_with_violations_and_dead_tasks) {
    PrototypeRow r = row(0.9);
    r.violations = 10;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).safety, 1 - (5 + 5 * math::log(11)));
    EXPECT_EQ(reward(r, Role::safety, Migrate{}).safety, 1 + 10 + 5 - (5 + 5 * math::log(11)));
    r.violations = 120;
    EXPECT_EQ(reward(r, Role::safety, Migrate{}).safety, 1 + 10 + 16 - (5 + 5 * math::log(121)));
    r.violations = 100'000;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).safety, 1 - 35);
    r = row();
    r.dead_task = true;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).safety, -99);
}

TEST(PrototypeReward, of_efficiency_goes_by_the_highest_demand) {
    for (const auto& [demand, expected] : std::initializer_list<std::pair<double, double>>{
             {0.34, 6}, {0.35, 1}, {0.75, 1}, {0.76, -29}}) {
        for (const Action& action :
             {Action(PowerState{}), Action(Dvfs{}), Action(MemoryBalloon{})}) {
            EXPECT_EQ(reward(row(0, demand), Role::efficiency, action, kTwo).efficiency, expected)
                << text_of(action) << " at " << demand;
        }
    }
    EXPECT_EQ(reward(row(0, 0.1), Role::efficiency, Noop{}).efficiency, 1);
}

TEST(PrototypeReward, of_admission_goes_by_the_queue) {
    struct Row {
        Action action;
        std::int64_t queue;
        double reward;
    };
    const auto wish = [](AdmissionWish decision) { return Admission{decision}; };
    using enum AdmissionWish;
    for (const auto& [action, queue_length, expected] :
         std::initializer_list<Row>{{wish(admit), 79, 6},
                                    {wish(admit), 80, 1},
                                    {wish(admit), 120, 1},
                                    {wish(admit), 121, -49},
                                    {wish(deprioritize), 80, 4},
                                    {wish(deprioritize), 79, 1},
                                    {ResourceCap{}, 80, 5},
                                    {ResourceCap{}, 79, 1},
                                    {wish(reject), 59, -19},
                                    {wish(reject), 60, 1},
                                    {wish(queue), 8, 1}}) {
        EXPECT_EQ(reward(row(0, 0.5, queue_length), Role::admission, action).admission, expected)
            << text_of(action) << " at " << queue_length;
    }
}

TEST(PrototypeReward, live_terms_need_live_metrics) {
    PrototypeRow r = row();
    r.watts = 300;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).efficiency, 3);
    r.watts = 600;
    r.completed = 50;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).efficiency, 1);
    EXPECT_EQ(prototype_reward(r, nullptr, {}).admission, 6);
    r.completed = 1000;
    EXPECT_EQ(prototype_reward(r, nullptr, {}).admission, 11);
}

TEST(PrototypeRow, takes_what_is_missing_for_zero) {
    Kit kit;
    const Slot node = kit.add_node("node-1");
    kit.node(node).cpu_requested_m = 4000;
    kit.node(node).memory_requested = std::int64_t{8} << 30;
    Forecast forecast;
    forecast.nodes = {{.node = node}};
    const PrototypeRow r = prototype_row(kit.input, forecast, kit.policy);
    ASSERT_EQ(r.nodes.size(), 1U);
    EXPECT_EQ(r.nodes[0].risk, 0);
    EXPECT_EQ(r.queue, 0);
    EXPECT_EQ(r.watts, 80 + 60 + 30);
    EXPECT_FALSE(r.dead_task);
    kit.pod(kit.add_pod(kit.add_workload(workload_id("web"), 1), node)).terminating = true;
    EXPECT_TRUE(prototype_row(kit.input, forecast, kit.policy).dead_task);
    kit.policy.namespaces = {"other"};
    EXPECT_FALSE(prototype_row(kit.input, forecast, kit.policy).dead_task);
}

}  // namespace
}  // namespace parley::execution
