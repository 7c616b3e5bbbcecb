#include "layers/execution/stranded.h"

#include "layers/execution/begin.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

/// Two pods of a Deployment were moved off node-1 by us, and one of their successors waits.
struct Moved {
    Kit kit;
    Slot web = kNoSlot;
    Slot waiting = kNoSlot;

    Moved() {
        const Slot node = kit.add_node("node-1");
        web = kit.add_workload(workload_id("web"), 2);
        kit.add_pod(web, node);
        kit.add_pod(web, node);
        std::vector<Step> steps;
        begin(accepts(proposes(Role::safety, Migrate{}, node_id("node-1"))), kit.forecast,
              kit.input, kit.policy, kit.memory, steps);
        OpenAction& action = open();
        for (PlannedStep& step : action.plan) step.ours = true;
        action.state = ActionState::confirmed;
        action.confirmed = kNow;
        action.at = static_cast<std::uint32_t>(action.plan.size());
        waiting = kit.add_pod(web, kNoSlot);
        PodRow& pod = kit.pod(waiting);
        pod.phase = PodPhase::pending;
        pod.ready = false;
        pod.created = kNow + seconds(10);
        kit.input.now = pod.created + kit.policy.guard.pending_abort + milliseconds(1);
    }
    OpenAction& open() { return kit.memory.ledger.open.at(0); }
    std::string says() { return stranded(open(), kit.input, kit.policy); }
};

const std::string kSentence = "1 pod of shop/web found no node for over 2m00s after our eviction";

TEST(Stranded, names_pods_that_wait_over_two_minutes_after_our_eviction) {
    struct Case {
        const char* name;
        void (*spoil)(Moved&);
        bool found;
    };
    const Case cases[] = {
        {"as_it_is", [](Moved&) {}, true},
        {"two_minutes_are_no_more_than_two",
         [](Moved& m) { m.kit.input.now = m.kit.input.now - milliseconds(1); }, false},
        {"it_has_a_node_and_starts", [](Moved& m) { m.kit.pod(m.waiting).node = 0; }, false},
        {"it_runs", [](Moved& m) { m.kit.pod(m.waiting).phase = PodPhase::running; }, false},
        {"it_goes", [](Moved& m) { m.kit.pod(m.waiting).terminating = true; }, false},
        {"it_waited_before_us",
         [](Moved& m) { m.open().confirmed = m.kit.pod(m.waiting).created + seconds(1); }, false},
        {"nothing_was_evicted_by_us",
         [](Moved& m) {
             for (PlannedStep& step : m.open().plan) step.ours = false;
         },
         false},
        {"a_job", [](Moved& m) { m.kit.workload(m.web).batch = true; }, false},
        {"another_of_the_same_name_elsewhere",
         [](Moved& m) { m.kit.workload(m.web).id.space = Name::of("other"); }, false},
        {"a_later_action_took_the_workload_over",
         [](Moved& m) {
             for (Window& window : m.kit.memory.derived.windows) window.leaves.clear();
         },
         true},
        {"a_ledger_of_before_has_no_namespaces",
         [](Moved& m) {
             for (PlannedStep& step : m.open().plan) {
                 if (auto* evict = std::get_if<EvictPod>(&step.request)) evict->space = {};
             }
         },
         true},
        {"undone_already", [](Moved& m) { m.open().undoing = true; }, false},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        Moved moved;
        c.spoil(moved);
        EXPECT_EQ(moved.says(), c.found ? kSentence : "");
    }
}

TEST(Stranded, pods_undo_the_action_and_lift_our_taint) {
    Moved moved;
    // It was about to do something else in this round.
    std::vector<Step> steps{{moved.open(), Read{}}};
    release_stranded(moved.kit.input, moved.kit.policy, moved.kit.memory, steps);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].action, moved.open());
    EXPECT_TRUE(moved.open().undoing);
    EXPECT_EQ(moved.open().ended, ActionState::failed);
    EXPECT_EQ(moved.open().note, kSentence);
    ASSERT_FALSE(moved.open().undo.empty());
    EXPECT_EQ(moved.open().undo[0], Request(SetTaint{node_id("node-1"), Taint::none}));
    release_stranded(moved.kit.input, moved.kit.policy, moved.kit.memory, steps);
    EXPECT_EQ(steps.size(), 1U) << "once";
}

TEST(Stranded, is_looked_at_in_every_round) {
    Moved moved;
    std::vector<Step> steps;
    begin({}, moved.kit.forecast, moved.kit.input, moved.kit.policy, moved.kit.memory, steps);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_TRUE(steps[0].action.undoing);
}

}  // namespace
}  // namespace parley::execution
