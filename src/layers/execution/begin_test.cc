#include "layers/execution/begin.h"

#include "layers/execution/kit_test.h"
#include "layers/execution/ledger_fold.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;

const Proposal kMigrate = proposes(Role::safety, Migrate{}, node_id("node-1"));
const Proposal kQueue = proposes(Role::admission, Admission{AdmissionWish::queue}, WholeCluster{});

std::vector<Step> begun(Kit& kit, const Verdict& verdict) {
    std::vector<Step> steps;
    begin(verdict, kit.forecast, kit.input, kit.policy, kit.memory, steps);
    return steps;
}

TEST(Begin, opens_what_was_accepted) {
    Kit kit;
    kit.add_node("node-1");
    const auto steps = begun(kit, accepts(kMigrate));
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Read>(steps[0].next));
    ASSERT_EQ(kit.memory.ledger.open.size(), 1U);
    EXPECT_EQ(kit.memory.ledger.open[0], steps[0].action);
    EXPECT_EQ(steps[0].action.id, id_at(kit.input, 1));
    ASSERT_EQ(kit.memory.derived.windows.size(), 1U);
    EXPECT_EQ(kit.memory.derived.windows[0].id, steps[0].action.id);
    EXPECT_FALSE(kit.memory.derived.windows[0].would);
}

TEST(Begin, disruptive_actions_cool_down_longer_and_are_counted) {
    Kit kit;
    kit.add_node("node-1");
    begun(kit, accepts(kMigrate));
    EXPECT_EQ(kit.memory.ledger.cool_downs,
              (std::vector<CoolDown>{
                  {node_id("node-1"), ActionKind::migrate, kNow + kit.policy.guard.cool_down}}));
    EXPECT_EQ(kit.memory.ledger.spent,
              (std::vector<Spend>{{kNow, ActionKind::migrate, node_id("node-1")}}));
    Kit gentle;
    begun(gentle, accepts(kQueue));
    EXPECT_EQ(gentle.memory.ledger.cool_downs[0].until,
              kNow + gentle.policy.guard.cool_down_gentle);
    EXPECT_TRUE(gentle.memory.ledger.spent.empty());
}

TEST(Begin, an_admission_becomes_a_standing_order) {
    Kit kit;
    kit.memory.ledger.orders = {{{0, 9}, 1, AdmissionWish::reject, kNow + minutes(5), "before"}};
    const auto steps = begun(kit, accepts(kQueue));
    EXPECT_EQ(
        kit.memory.ledger.orders,
        (std::vector<StandingOrder>{{steps[0].action.id, 100, AdmissionWish::queue,
                                     kNow + kit.policy.admission.order_lasts, "a test wants it"}}));
    begun(kit, accepts(proposes(Role::admission, Admission{AdmissionWish::admit}, WholeCluster{})));
    EXPECT_TRUE(kit.memory.ledger.orders.empty()) << "admit lifts it";
}

TEST(Begin, admitting_again_undoes_the_order) {
    Kit kit;
    const OpenAction queued = begun(kit, accepts(kQueue))[0].action;
    OpenAction& open = kit.memory.ledger.open[0];
    Verdict admits;
    const Proposal admit =
        proposes(Role::admission, Admission{AdmissionWish::admit}, WholeCluster{});
    admits.judged.push_back({admit, Idle{"the shortage eased"}, {}, 1});
    EXPECT_TRUE(begun(kit, admits).empty()) << "what is on its way is let go on";
    open.state = ActionState::confirmed;
    open.at = 2;
    for (PlannedStep& step : open.plan) step.ours = true;
    const auto steps = begun(kit, admits);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].action.id, queued.id);
    EXPECT_TRUE(steps[0].action.undoing);
    EXPECT_EQ(steps[0].action, kit.memory.ledger.open[0]);
    EXPECT_TRUE(kit.memory.ledger.orders.empty());
    EXPECT_TRUE(begun(kit, admits).empty()) << "once";
}

TEST(Begin, in_observe_and_dry_run_it_would_send) {
    for (const Mode mode : {Mode::observe, Mode::dry_run}) {
        Kit kit;
        kit.add_node("node-1");
        kit.input.controls.mode = mode;
        const auto steps = begun(kit, accepts(kMigrate));
        ASSERT_EQ(steps.size(), 1U);
        EXPECT_EQ(steps[0].action.state, ActionState::would_send);
        EXPECT_TRUE(std::holds_alternative<Done>(steps[0].next));
        EXPECT_TRUE(kit.memory.ledger.open.empty());
        EXPECT_EQ(kit.memory.ledger.cool_downs.size(), 1U) << "the rhythm is the same";
        EXPECT_TRUE(kit.memory.derived.windows[0].would);
        begun(kit, accepts(kQueue));
        EXPECT_TRUE(kit.memory.ledger.orders.empty()) << "nothing is held back";
    }
}

TEST(Begin, what_the_guard_holds_is_only_shown) {
    Kit kit;
    kit.add_node("node-1");
    Verdict verdict = accepts(kMigrate);
    verdict.judged[0].guard.held = Refused{"cool-down", "node-1 cools down"};
    const auto steps = begun(kit, verdict);
    ASSERT_EQ(steps.size(), 1U);
    EXPECT_EQ(steps[0].action.state, ActionState::held);
    EXPECT_EQ(steps[0].action.note, "node-1 cools down");
    EXPECT_TRUE(std::holds_alternative<Wait>(steps[0].next));
    EXPECT_EQ(kit.memory.ledger, Ledger{});
    EXPECT_TRUE(kit.memory.derived.windows.empty());
}

TEST(Begin, no_more_than_the_ledger_holds) {
    Kit kit;
    kit.add_node("node-1");
    kit.memory.ledger.open.resize(kOpenMax - 1);
    EXPECT_NE(begun(kit, accepts(kMigrate))[0].action.state, ActionState::failed);
    const auto steps = begun(kit, accepts(kQueue));
    EXPECT_EQ(steps[0].action.state, ActionState::failed);
    EXPECT_EQ(steps[0].action.note, "not begun: 64 actions are open already");
    EXPECT_EQ(kit.memory.ledger.open.size(), kOpenMax);
    EXPECT_TRUE(kit.memory.ledger.orders.empty());
}

TEST(Begin, saving_leaves_half_of_the_ledger_to_what_cannot_wait) {
    Kit kit;
    kit.add_node("node-1");
    kit.memory.ledger.open.resize(20);
    for (OpenAction& open : kit.memory.ledger.open) open.note = std::string(6000, 'x');
    const Proposal dvfs = proposes(Role::efficiency, Dvfs{}, node_id("node-1"));
    EXPECT_EQ(begun(kit, accepts(dvfs))[0].action.note,
              "not begun: the ledger is full with 20 open actions");
    EXPECT_NE(begun(kit, accepts(kMigrate))[0].action.state, ActionState::failed);
}

TEST(Begin, a_lowered_clock_is_given_back_when_demand_rises) {
    struct Row {
        const char* name;
        std::optional<double> demand;
        ActionState state;
        bool given_back;
        Profile profile = Profile::parley;
    };
    using enum ActionState;
    for (const Row& row :
         {Row{"at_the_bound", 0.375, confirmed, true}, Row{"below_it", 0.3749, confirmed, false},
          Row{"not_known", std::nullopt, confirmed, false},
          Row{"still_under_way", 0.9, sent, false},
          Row{"prototype_at_the_bound", 0.375, confirmed, true, Profile::prototype},
          Row{"prototype_below_it", 0.3749, confirmed, false, Profile::prototype}}) {
        SCOPED_TRACE(row.name);
        Kit kit;
        if (row.profile == Profile::prototype) {
            kit.policy.profile = row.profile;  // Its bound is fixed in this profile.
        } else {
            kit.policy.efficiency.dvfs_below = 0.30;
        }
        const Slot slot = kit.add_node("node-1");
        kit.forecast.nodes = {{.node = slot, .demand = row.demand}};
        kit.memory.ledger.open = {{.action = Dvfs{650'000},
                                   .target = node_id("node-1"),
                                   .undo = {SetClock{node_id("node-1"), 1'000'000}},
                                   .state = row.state,
                                   .expires = kNow + minutes(30)}};
        const auto steps = begun(kit, {});
        EXPECT_EQ(kit.memory.ledger.open[0].undoing, row.given_back);
        EXPECT_EQ(steps.size(), row.given_back ? 1U : 0U);
        if (row.given_back) EXPECT_EQ(steps[0].action.note, "demand 0.38 is over 0.38 again");
    }
}

TEST(Begin, names_the_best_loser) {
    Kit kit;
    kit.add_node("node-1");
    const Proposal idle = proposes(Role::efficiency, Noop{}, WholeCluster{});
    const Verdict verdict = accepts(kMigrate, {idle, kQueue});
    EXPECT_EQ(best_loser(verdict), kQueue);
    begun(kit, verdict);
    EXPECT_EQ(kit.memory.derived.windows[0].loser, "AgentC:admission:queue");
    EXPECT_FALSE(best_loser(accepts(kMigrate, {idle})));
}

TEST(Begin, ids_hold_run_epoch_round_and_place) {
    Kit kit;
    kit.input.run = 0x0123456789abcdef;
    kit.input.round = 0x2a;
    EXPECT_EQ(id_at(kit.input, 0).text(),
              "0123456789abcdef"
              "0000"
              "0000002a"
              "0000");
    EXPECT_EQ(id_at(kit.input, 3).text(),
              "0123456789abcdef"
              "0000"
              "0000002a"
              "0003");
    kit.input.controls.epoch = 0x1f;
    EXPECT_EQ(id_at(kit.input, 3).text(),
              "0123456789abcdef"
              "001f"
              "0000002a"
              "0003");
    ++kit.input.seed;  // Is in the run's id already.
    EXPECT_EQ(id_at(kit.input, 3).text(),
              "0123456789abcdef"
              "001f"
              "0000002a"
              "0003");
}

TEST(Begin, ids_of_a_run_recorded_without_one_differ_by_seed_round_and_place) {
    Kit kit;
    EXPECT_EQ(kit.input.run, 0U);
    const DecisionId first = id_at(kit.input, 0);
    EXPECT_EQ(id_at(kit.input, 0), first);
    EXPECT_NE(id_at(kit.input, 1), first);
    ++kit.input.round;
    EXPECT_NE(id_at(kit.input, 0), first);
    --kit.input.round;
    ++kit.input.seed;
    EXPECT_NE(id_at(kit.input, 0), first);
}

}  // namespace
}  // namespace parley::execution
