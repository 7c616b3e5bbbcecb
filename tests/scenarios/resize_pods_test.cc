// A throttle and a balloon on the simulated cluster, pod by pod: planned from what was observed,
// carried out, and given back to what each pod had.

#include "layers/execution/action_machine.h"
#include "layers/execution/plan.h"
#include "layers/observation/snapshot_builder.h"
#include "sim/scenario/builtin_scenarios.h"
#include "sim/world/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace parley::scenarios {
namespace {

using namespace model;

/// A world as it is observed, and an action carried out on it without a guard.
struct Stage {
    sim::World world{std::make_shared<const sim::Scenario>(*sim::builtin_scenario("calm", 7)), 7};
    observation::SnapshotBuilder builder{observation::ObservationLimits{}};
    Policy policy;
    RoundInput input;

    Stage() {
        using enum ActionKind;
        policy.allow.push_back({"*", {throttle, memory_balloon}});
        input.controls.mode = Mode::act;
        for (int i = 0; i < 8; ++i) look();
    }

    void look() {
        world.advance(world.now() + seconds(15));
        cluster::Batch batch;
        world.collect(batch);
        builder.take(batch, world.now());
        input.now = world.now();
        input.snapshot = builder.finish(++input.round, world.now());
    }

    /// What each pod is to ask for, as its containers say.
    std::map<std::string, PodShape> shapes() const {
        std::map<std::string, PodShape> out;
        input.snapshot.pods.for_each([&](Slot, const PodRow& pod) {
            out[pod.name.text()] = input.snapshot.shapes.at(pod.shape);
        });
        return out;
    }

    /// Until it rests; how many requests were sent.
    int carry_on(OpenAction& action) {
        int sent = 0;
        Step step = execution::advance(action, {action.id, world.now(), Tick{}});
        for (int i = 0; i < 1'000; ++i) {
            ActionEvent event{step.action.id, world.now(), {}};
            if (const auto* send = std::get_if<Send>(&step.next)) {
                const auto applied = world.apply(send->request, send->only_if);
                EXPECT_TRUE(applied) << (applied ? "" : applied.error().message);
                sent += std::holds_alternative<ResizePod>(send->request) ? 1 : 0;
                event.what = Answered{.ok = applied.has_value()};
            } else if (std::holds_alternative<Read>(step.next)) {
                event.what = Seen{world.read(execution::subject_of(step.action)), ""};
            } else {
                break;
            }
            step = execution::advance(step.action, event);
        }
        action = step.action;
        return sent;
    }
};

class ResizedPods : public testing::TestWithParam<Action> {};

TEST_P(ResizedPods, are_given_back_what_each_had) {
    Stage stage;
    const auto before = stage.shapes();
    int resized = 0;
    for (const char* name : {"node-04", "node-05", "node-06"}) {
        const Proposal wish{.action = GetParam(), .target = NodeId{Name::of(name)}};
        OpenAction action = execution::plan(wish, stage.input, stage.policy, {1, 2});
        const auto planned =
            static_cast<int>(std::ranges::count_if(action.plan, [](const PlannedStep& s) {
                return std::holds_alternative<ResizePod>(s.request);
            }));
        EXPECT_EQ(stage.carry_on(action), planned);
        EXPECT_EQ(action.state, planned > 0 ? ActionState::confirmed : action.state);
        stage.look();
        int differ = 0;
        for (const auto& [pod, shape] : stage.shapes()) differ += shape != before.at(pod) ? 1 : 0;
        EXPECT_EQ(differ, planned) << "each of them, and nobody else";
        action = execution::give_up(action, ActionState::confirmed, "").action;
        EXPECT_EQ(stage.carry_on(action), planned);
        stage.look();
        EXPECT_EQ(stage.shapes(), before);
        resized += planned;
    }
    EXPECT_GT(resized, 3);
}

INSTANTIATE_TEST_SUITE_P(By, ResizedPods, testing::Values(Throttle{}, MemoryBalloon{}));

}  // namespace
}  // namespace parley::scenarios
