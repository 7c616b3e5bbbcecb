#include "layers/execution/others.h"

#include "layers/execution/action_machine.h"
#include "layers/execution/kit_test.h"
#include "layers/execution/ledger_fold.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::execution {
namespace {

using namespace model;
using enum ActionState;

constexpr DecisionId kId{0, 0xd1};

/// A real cluster in which decision d1 replicates node-1: it has marked and tainted the node,
/// marked shop/web, set 6 replicas instead of 4 and lowered the CPU limit of one pod; it waits for
/// copies. All of that was seen long ago.
struct Stage {
    Kit kit;
    Slot node = kit.add_node("node-1");
    Slot web = kit.add_workload(workload_id("web"), 6);
    Slot pod = kNoSlot;

    Stage() {
        kit.workload(web).cpu_limit_m = 850;
        pod = kit.add_pod(web, node);
        kit.input.controls.simulated = false;
        kit.input.snapshot.sources.push_back(
            {.source = Source::api, .condition = SourceCondition::ok});
        kit.node(node).quarantined = true;
        kit.node(node).mark = Mark{kId, {}};
        kit.workload(web).mark = Mark{kId, {}};
        kit.memory.ledger.open = {replicating()};
    }

    ResizePod limit(std::int64_t m) {
        return {kit.pod(pod).uid,
                Name::of("shop"),
                kit.pod(pod).name.text(),
                {{Name::of("main"), {}, m, {}, {}}}};
    }

    OpenAction replicating() {
        OpenAction a;
        a.id = kId;
        a.action = Replicate{};
        a.target = node_id("node-1");
        a.uid = kit.node(node).uid;
        a.plan = {{PutMark{node_id("node-1"), kId, {}}, {}},
                  {SetTaint{node_id("node-1"), Taint::no_schedule}, {}},
                  {PutMark{workload_id("web"), kId, {}}, {}},
                  {SetReplicas{workload_id("web"), 6}, {workload_id("web"), 6}},
                  {limit(850), {}},
                  {SetReplicas{workload_id("web"), 4}, {}}};
        a.undo = {SetReplicas{workload_id("web"), 4}, PutMark{.target = workload_id("web")},
                  limit(1000), SetTaint{node_id("node-1"), Taint::none},
                  PutMark{.target = node_id("node-1")}};
        for (std::size_t i = 0; i < 5; ++i) a.plan[i].ours = true;
        a.at = 5;
        a.state = marked;
        a.confirmed = kNow - minutes(1);
        a.deadline = kNow + minutes(9);
        a.expires = kNow + minutes(29);
        return a;
    }

    OpenAction& action() { return kit.memory.ledger.open.at(0); }

    /// What the action notes; "goes on" if nobody interferes.
    std::string look() {
        step_back(kit.input, kit.memory.ledger);
        return action().undoing ? action().note : "goes on";
    }

    std::string resting() {
        std::string out;
        for (const CoolDown& each : kit.memory.ledger.cool_downs) {
            EXPECT_EQ(each.kind, ActionKind::noop);
            EXPECT_EQ(each.until, kNow + minutes(30));
            out += (out.empty() ? "" : " ") + text_of(each.target);
        }
        return out;
    }
};

struct Case {
    const char* name;
    std::function<void(Stage&)> meanwhile;
    std::string note;
    std::string resting = "";
};

const std::string kBack = "stepped back: ";

const Case kCases[] = {
    {"nobody_interferes", [](Stage&) {}, "goes on"},
    {"kubectl_cordon", [](Stage& s) { s.kit.node(s.node).cordoned = true; },
     kBack + "node-1 was cordoned by somebody else meanwhile", "node-1"},
    {"an_autoscaler_drains_it", [](Stage& s) { s.kit.node(s.node).maintenance = true; },
     kBack + "node-1 is being drained by somebody else meanwhile", "node-1"},
    {"the_node_opts_out", [](Stage& s) { s.kit.node(s.node).left_alone = true; },
     kBack + "node-1 has come to ask to be left alone", "node-1"},
    {"a_cordon_after_the_plan_is_done",
     [](Stage& s) {
         s.kit.node(s.node).cordoned = true;
         s.action().plan.pop_back();
         s.action().state = confirmed;
     },
     "goes on"},
    {"kubectl_taint", [](Stage& s) { s.kit.node(s.node).quarantined = false; },
     kBack + "our taint on node-1 was taken away by somebody else", "node-1"},
    {"another_effect",
     [](Stage& s) {
         s.kit.node(s.node).quarantined = false;
         s.kit.node(s.node).avoided = true;
     },
     kBack + "our taint on node-1 was changed by somebody else", "node-1"},
    {"a_taint_after_the_plan_is_done",
     [](Stage& s) {
         s.kit.node(s.node).quarantined = false;
         s.action().state = confirmed;
     },
     kBack + "our taint on node-1 was taken away by somebody else", "node-1"},
    {"mark_removed", [](Stage& s) { s.kit.node(s.node).mark.reset(); },
     kBack + "our mark on node-1 was removed or replaced", "node-1"},
    {"mark_of_nobody", [](Stage& s) { s.kit.node(s.node).mark = Mark{{0, 0xd2}, {}}; },
     kBack + "our mark on node-1 was removed or replaced", "node-1"},
    {"mark_of_a_newer_one_of_ours",
     [](Stage& s) {
         s.kit.node(s.node).mark = Mark{{0, 0xd2}, {}};
         OpenAction newer;
         newer.id = {0, 0xd2};
         s.kit.memory.ledger.open.push_back(newer);
     },
     "goes on"},
    {"mark_of_a_scaling",
     [](Stage& s) { s.kit.workload(s.web).mark = Mark{{0, 0xd2}, {}, ActionKind::scale}; },
     "goes on"},
    {"workload_unmarked", [](Stage& s) { s.kit.workload(s.web).mark.reset(); },
     kBack + "our mark on shop/web was removed or replaced", "node-1 shop/web"},
    {"kubectl_scale", [](Stage& s) { s.kit.workload(s.web).wanted = 10; },
     kBack + "shop/web wants 10 replicas, not the 6 that we set", "node-1 shop/web"},
    {"gitops_puts_it_back", [](Stage& s) { s.kit.workload(s.web).wanted = 4; },
     kBack + "shop/web wants 4 replicas, not the 6 that we set", "node-1 shop/web"},
    {"an_hpa_comes", [](Stage& s) { s.kit.workload(s.web).scale_owner = ScaleOwner::hpa; },
     kBack + "the replicas of shop/web have come to be set by somebody else", "node-1 shop/web"},
    {"it_is_left_to_us", [](Stage& s) { s.kit.workload(s.web).scale_owner = ScaleOwner::parley; },
     "goes on"},
    {"it_opts_out", [](Stage& s) { s.kit.workload(s.web).protect = true; },
     kBack + "shop/web has been protected meanwhile", "node-1 shop/web"},
    {"somebody_resizes_the_pod",
     [](Stage& s) {
         s.kit.workload(s.web).cpu_limit_m = 700;
         s.kit.as_template(s.pod);
     },
     kBack + "pod web-1 has another size than we gave it", "node-1 shop/web"},
    {"the_pod_is_gone", [](Stage& s) { s.kit.input.snapshot.pods.erase(s.pod); }, "goes on"},
    {"the_node_is_another",
     [](Stage& s) {
         s.kit.node(s.node).uid = {9, 9};
         s.kit.node(s.node).cordoned = true;
         s.kit.node(s.node).quarantined = false;
         s.kit.node(s.node).mark.reset();
     },
     "goes on"},
    {"two_at_once",
     [](Stage& s) {
         s.kit.node(s.node).cordoned = true;
         s.kit.workload(s.web).wanted = 10;
     },
     kBack + "node-1 was cordoned by somebody else meanwhile, and 1 more", "node-1 shop/web"},
};

class Others : public testing::TestWithParam<Case> {};

TEST_P(Others, win) {
    Stage stage;
    GetParam().meanwhile(stage);
    EXPECT_EQ(stage.look(), GetParam().note);
    EXPECT_EQ(stage.resting(), GetParam().resting);
}
INSTANTIATE_TEST_SUITE_P(, Others, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

TEST(StepBack, leaves_what_others_have_set_and_gives_back_the_rest) {
    Stage scaled;
    scaled.kit.workload(scaled.web).wanted = 10;
    scaled.look();
    EXPECT_EQ(scaled.action().undo,
              (std::vector<Request>{PutMark{.target = workload_id("web")}, scaled.limit(1000),
                                    SetTaint{node_id("node-1"), Taint::none},
                                    PutMark{.target = node_id("node-1")}}));
    EXPECT_EQ(scaled.action().ended, failed);
    Stage resized;
    resized.kit.workload(resized.web).cpu_limit_m = 700;
    resized.kit.as_template(resized.pod);
    resized.look();
    EXPECT_EQ(resized.action().undo.size(), 4U);
    EXPECT_EQ(resized.action().undo[0], Request(SetReplicas{workload_id("web"), 4}));
    Stage cordoned;
    cordoned.kit.node(cordoned.node).cordoned = true;
    cordoned.look();
    EXPECT_EQ(cordoned.action().undo.size(), 5U) << "all of it is still ours";
}

TEST(StepBack, takes_nothing_for_others_doing_that_may_not_be_seen_yet) {
    const auto looks = [](const std::function<void(Stage&)>& with) {
        Stage stage;
        stage.kit.node(stage.node).quarantined = false;
        with(stage);
        return stage.look() != "goes on";
    };
    EXPECT_TRUE(looks([](Stage&) {}));
    EXPECT_TRUE(looks([](Stage& s) { s.action().confirmed = kNow - kShownAfter; }));
    EXPECT_FALSE(
        looks([](Stage& s) { s.action().confirmed = kNow - kShownAfter + microseconds(1); }));
    EXPECT_FALSE(looks([](Stage& s) { s.action().confirmed = {}; }));
    EXPECT_FALSE(looks([](Stage& s) { s.action().state = sent; }));
    EXPECT_FALSE(looks([](Stage& s) { s.action().state = unknown; }));
    EXPECT_FALSE(looks([](Stage& s) { s.kit.input.events = {{kId, kNow, Answered{}}}; }));
    EXPECT_TRUE(looks([](Stage& s) { s.kit.input.events = {{{0, 7}, kNow, Answered{}}}; }));
    EXPECT_TRUE(looks([](Stage& s) { s.kit.input.events = {{kId, kNow, Seen{}}}; }));
    EXPECT_FALSE(
        looks([](Stage& s) { s.kit.input.snapshot.sources[0].condition = SourceCondition::late; }));
    EXPECT_FALSE(looks([](Stage& s) { s.kit.input.snapshot.sources.clear(); }));
    EXPECT_FALSE(looks([](Stage& s) { s.kit.input.controls.started_anew = true; }));
    EXPECT_FALSE(looks([](Stage& s) { s.kit.input.controls.simulated = true; }));
    EXPECT_FALSE(looks([](Stage& s) { s.action().plan[1].ours = false; })) << "it was not ours";
}

/// Also in the first round of a process, and for whatever the process before it began.
TEST(StepBack, overwrites_no_replicas_but_those_that_it_was_decided_on) {
    const auto with = [](std::int32_t wanted, bool anew) {
        Stage stage;
        stage.action().at = 2;
        for (std::size_t i = 2; i < 5; ++i) stage.action().plan[i].ours = false;
        stage.kit.workload(stage.web).wanted = wanted;
        stage.kit.input.controls.started_anew = anew;
        return stage.look();
    };
    for (const bool anew : {false, true}) {
        EXPECT_EQ(with(4, anew), "goes on");
        EXPECT_EQ(with(6, anew), "goes on") << "that is what we want, and may have been us";
        EXPECT_EQ(with(10, anew),
                  "stepped back: shop/web wants 10 replicas by now, not the 4 that this was "
                  "decided on");
    }
}

/// At once, and by what we set: a replicate that awaits its copies would shrink the workload next.
TEST(StepBack, replicas_that_somebody_sets_while_copies_are_awaited_are_theirs) {
    Stage stage;
    stage.action().at = 3;
    stage.action().awaiting = true;
    for (std::size_t i = 4; i < 6; ++i) stage.action().plan[i].ours = false;
    stage.kit.input.events = {{kId, kNow, Answered{}}};  // Too soon to look at all that we set.
    stage.kit.workload(stage.web).wanted = 4;
    EXPECT_EQ(stage.look(), "goes on") << "the snapshot may be older";
    stage.kit.workload(stage.web).wanted = 10;
    EXPECT_EQ(stage.look(), "stepped back: shop/web wants 10 replicas, not the 6 that we set");
    for (const Request& undo : stage.action().undo) {
        EXPECT_FALSE(std::holds_alternative<SetReplicas>(undo)) << "it was set back to 4";
    }
}

TEST(StepBack, does_not_watch_what_was_given_back_already) {
    Stage stage;
    stage.action().plan[5].ours = true;
    stage.action().at = 6;
    stage.action().state = confirmed;
    stage.kit.workload(stage.web).wanted = 10;
    EXPECT_EQ(stage.look(), "goes on");
}

/// The process before may have come further than its ledger says.
TEST(StepBack, in_the_first_round_of_a_process_looks_through_the_plan_first) {
    Stage stage;
    stage.action().at = 0;
    stage.action().state = planned;
    for (PlannedStep& step : stage.action().plan) step.ours = false;
    stage.kit.workload(stage.web).wanted = 4;
    stage.kit.node(stage.node).cordoned = true;
    stage.kit.input.controls.started_anew = true;
    const Remembered remembered = remember(stage.kit.input, stage.kit.memory);
    ASSERT_EQ(remembered.steps.size(), 1U);
    EXPECT_FALSE(remembered.steps[0].action.undoing);
    EXPECT_EQ(subject_of(remembered.steps[0].action), stage.action().plan[0].request);
    EXPECT_EQ(stage.action().note, kBack + "node-1 was cordoned by somebody else meanwhile");
}

TEST(StepBack, is_part_of_every_round) {
    Stage stage;
    stage.kit.workload(stage.web).wanted = 10;
    const Remembered remembered = remember(stage.kit.input, stage.kit.memory);
    ASSERT_EQ(remembered.steps.size(), 1U);
    EXPECT_TRUE(remembered.steps[0].action.undoing);
    EXPECT_TRUE(std::holds_alternative<Read>(remembered.steps[0].next));
    EXPECT_EQ(stage.kit.memory.ledger.cool_downs.size(), 2U);
}

}  // namespace
}  // namespace parley::execution
