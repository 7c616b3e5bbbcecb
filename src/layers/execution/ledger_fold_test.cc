#include "layers/execution/ledger_fold.h"

#include "layers/execution/begin.h"
#include "layers/execution/kit_test.h"
#include "model/coded.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::execution {
namespace {

using namespace model;
using enum ActionState;

/// Mark and one step, with an undo for both.
OpenAction throttling(std::uint64_t number, std::string_view node, ActionState state,
                      std::uint32_t done) {
    OpenAction a;
    a.id = {0, number};
    a.action = Throttle{};
    a.target = node_id(node);
    a.plan = {{PutMark{node_id(node), a.id, {}}, {}},
              {SetTaint{node_id(node), Taint::prefer_no_schedule}, {}}};
    a.undo = {SetTaint{node_id(node), Taint::none}, PutMark{node_id(node), {}, {}}};
    for (std::uint32_t i = 0; i < done; ++i) a.plan[i].ours = true;
    if (done > 1) a.confirmed = kNow;
    a.at = done;
    a.state = state;
    a.deadline = kNow + minutes(2);
    a.expires = kNow + minutes(10);
    return a;
}

TEST(LedgerFold, folds_events_in_their_order) {
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", planned, 0)};
    const DecisionId id{0, 1};
    Live live{.exists = true, .version = 3};
    kit.input.events = {{id, kNow, Seen{live, ""}}, {id, kNow, Answered{}}};
    const Remembered remembered = remember(kit.input, kit.memory);
    ASSERT_EQ(kit.memory.ledger.open.size(), 1U);
    EXPECT_EQ(kit.memory.ledger.open[0].state, marked);
    EXPECT_EQ(kit.memory.ledger.open[0].at, 1U);
    ASSERT_EQ(remembered.steps.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<Read>(remembered.steps[0].next));
    EXPECT_EQ(remembered.steps[0].action, kit.memory.ledger.open[0]);
    EXPECT_TRUE(remembered.ended.empty());
}

TEST(LedgerFold, an_answer_to_what_was_never_sent_is_an_alarm) {
    const DecisionId id{0, 1};
    for (const ActionState state : {planned, marked, held, blocked, unknown, confirmed, sent}) {
        Kit kit;
        kit.memory.ledger.open = {throttling(1, "node-1", state, 1)};
        kit.input.events = {{id, kNow, Answered{}}};
        const Remembered remembered = remember(kit.input, kit.memory);
        EXPECT_EQ(remembered.alarms.size(), state == sent ? 0U : 1U) << enum_name(state);
        if (remembered.alarms.empty()) continue;
        EXPECT_EQ(remembered.alarms[0].kind, AlarmKind::record_contradicts);
        EXPECT_EQ(remembered.alarms[0].layer, 5);
        EXPECT_EQ(remembered.alarms[0].about, Target(node_id("node-1")));
    }
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", held, 1)};
    kit.input.events = {{id, kNow, Answered{.ok = false, .message = "no read"}}};
    EXPECT_TRUE(remember(kit.input, kit.memory).alarms.empty()) << "a read that failed";
}

TEST(LedgerFold, only_what_we_carried_out_was_applied) {
    struct Row {
        bool ours;
        StepFate fate;
        bool fits;
    };
    using enum StepFate;
    const Row rows[] = {{false, StepFate::open, true},
                        {true, StepFate::open, true},
                        {true, applied, true},
                        {false, applied, false},
                        {false, found_done, true},
                        {true, found_done, false},
                        {false, moot, true},
                        {true, moot, false},
                        {false, given_up, true},
                        {true, given_up, false},
                        {false, StepFate::failed, true},
                        {true, StepFate::failed, false}};
    for (const Row& row : rows) {
        Kit kit;
        kit.memory.ledger.open = {throttling(1, "node-1", confirmed, 2)};
        for (PlannedStep& step : kit.memory.ledger.open[0].plan) step.fate = applied;
        kit.memory.ledger.open[0].plan[1].ours = row.ours;
        kit.memory.ledger.open[0].plan[1].fate = row.fate;
        EXPECT_EQ(remember(kit.input, kit.memory).alarms.empty(), row.fits)
            << row.ours << enum_name(row.fate);
    }
}

TEST(LedgerFold, ignores_events_of_actions_it_does_not_know) {
    Kit kit;
    kit.input.events = {{{0, 9}, kNow, Answered{}}};
    EXPECT_TRUE(remember(kit.input, kit.memory).steps.empty());
}

TEST(LedgerFold, a_new_start_reads_what_was_sent) {
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", sent, 1)};
    kit.input.controls.started_anew = true;
    const Remembered remembered = remember(kit.input, kit.memory);
    EXPECT_EQ(kit.memory.ledger.open[0].state, unknown);
    EXPECT_TRUE(std::holds_alternative<Read>(remembered.steps[0].next));
}

TEST(LedgerFold, keeps_an_effect_until_it_is_undone) {
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", confirmed, 2)};
    EXPECT_TRUE(remember(kit.input, kit.memory).steps.empty());
    EXPECT_EQ(kit.memory.ledger.open.size(), 1U);
    kit.input.now = kNow + minutes(10);
    EXPECT_EQ(remember(kit.input, kit.memory).steps.size(), 1U);
    EXPECT_TRUE(kit.memory.ledger.open[0].undoing);
    const DecisionId id{0, 1};
    Live live{.exists = true, .mark = id, .applied = true};
    kit.input.events = {{id, kit.input.now, Seen{live, ""}},
                        {id, kit.input.now, Seen{{.exists = true}, ""}}};
    const Remembered remembered = remember(kit.input, kit.memory);
    EXPECT_TRUE(kit.memory.ledger.open.empty());
    ASSERT_EQ(remembered.ended.size(), 1U);
    EXPECT_EQ(remembered.ended[0].state, confirmed);
}

TEST(LedgerFold, what_two_changed_is_the_newer_ones_to_undo) {
    Kit kit;
    OpenAction older = throttling(1, "node-1", confirmed, 2);
    older.undo[0] = SetTaint{node_id("node-1"), Taint::none};
    OpenAction newer = throttling(2, "node-1", marked, 1);
    newer.undo[0] = SetTaint{node_id("node-1"), Taint::prefer_no_schedule};
    kit.memory.ledger.open = {older, newer};
    remember(kit.input, kit.memory);
    const auto& open = kit.memory.ledger.open;
    EXPECT_EQ(open[0].undo, std::vector<Request>{older.undo[0]}) << "only the mark was replaced";
    kit.memory.ledger.open[1].plan[1].ours = true;
    kit.memory.ledger.open[1].at = 2;
    kit.memory.ledger.open[1].state = confirmed;
    const Remembered remembered = remember(kit.input, kit.memory);
    ASSERT_EQ(open.size(), 1U) << "the older has nothing left to undo";
    EXPECT_EQ(remembered.ended[0].id, older.id);
    EXPECT_EQ(open[0].undo[0], older.undo[0]) << "and the newer restores what the older found";
}

// Giving back the clock used to remove the mark of the memory requests that still stood.
TEST(LedgerFold, the_mark_goes_back_to_an_older_one_that_still_stands) {
    Kit kit;
    OpenAction older = throttling(1, "node-1", confirmed, 2);
    older.plan[0].ours = older.plan[1].ours = true;
    OpenAction newer = throttling(2, "node-1", confirmed, 1);
    newer.plan[0].ours = true;
    newer.plan[1].request = SetClock{node_id("node-1"), 650'000};
    newer.undo[0] = SetClock{node_id("node-1"), 1'000'000};
    kit.memory.ledger.open = {older, newer};
    remember(kit.input, kit.memory);
    auto& open = kit.memory.ledger.open;
    const Request nobody = PutMark{node_id("node-1"), {}, {}};
    const Request to_older = PutMark{node_id("node-1"), older.id, older.expires};
    EXPECT_EQ(open[0].undo, std::vector<Request>{older.undo[0]});
    EXPECT_EQ(open[1].undo, (std::vector<Request>{newer.undo[0], to_older}));
    open.pop_back();
    remember(kit.input, kit.memory);
    EXPECT_EQ(open[0].undo, (std::vector<Request>{older.undo[0], nobody}));
}

// A balloon that found everything done used to remove the mark of the one that had done it.
TEST(LedgerFold, what_begins_and_ends_in_one_round_gives_the_mark_back) {
    struct Row {
        const char* name;
        std::function<void(OpenAction&)> change;
        bool back;
    };
    const Row rows[] = {
        {"stands", [](OpenAction&) {}, true},
        {"is being undone", [](OpenAction& a) { a.undoing = true; }, false},
        {"never marked it", [](OpenAction& a) { a.plan[0].ours = false; }, false},
        {"has not taken effect", [](OpenAction& a) { a.state = held; }, false},
        {"is elsewhere", [](OpenAction& a) { a.target = node_id("node-2"); }, false},
    };
    for (const Row& row : rows) {
        Kit kit;
        OpenAction older = throttling(1, "node-1", confirmed, 2);
        row.change(older);
        kit.memory.ledger.open = {older, throttling(2, "node-1", planned, 0)};
        const DecisionId id{0, 2};
        kit.input.events = {{id, kNow, Seen{{.exists = true, .mark = older.id}, ""}},
                            {id, kNow, Answered{}},
                            {id, kNow, Seen{{.exists = true, .mark = id, .applied = true}, ""}}};
        remember(kit.input, kit.memory);
        const OpenAction& newer = kit.memory.ledger.open.back();
        ASSERT_TRUE(newer.undoing) << row.name;
        EXPECT_EQ(newer.ended, moot);
        PutMark back{node_id("node-1"), {}, {}};
        if (row.back) back = PutMark{node_id("node-1"), older.id, older.expires};
        EXPECT_EQ(newer.undo, std::vector<Request>{back}) << row.name;
    }
}

TEST(LedgerFold, two_that_end_at_once_leave_no_mark) {
    Kit kit;
    OpenAction newer = throttling(2, "node-1", confirmed, 2);
    newer.plan[1].request = SetClock{node_id("node-1"), 650'000};
    newer.undo[0] = SetClock{node_id("node-1"), 1'000'000};
    kit.memory.ledger.open = {throttling(1, "node-1", confirmed, 2), newer};
    kit.input.now = kNow + minutes(10);
    remember(kit.input, kit.memory);
    EXPECT_EQ(kit.memory.ledger.open[1].undo.back(), Request(PutMark{node_id("node-1"), {}, {}}));
}

TEST(LedgerFold, a_newer_one_that_did_nothing_takes_nothing) {
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", confirmed, 2),
                              throttling(2, "node-1", planned, 0)};
    remember(kit.input, kit.memory);
    EXPECT_EQ(kit.memory.ledger.open[0].undo.size(), 2U);
}

TEST(LedgerFold, forgets_what_is_over_at_its_very_moment) {
    Kit kit;
    Ledger& ledger = kit.memory.ledger;
    ledger.cool_downs = {{node_id("a"), ActionKind::migrate, kNow},
                         {node_id("b"), ActionKind::migrate, kNow + microseconds(1)}};
    ledger.spent = {{kNow - hours(24), ActionKind::migrate, node_id("a")},
                    {kNow - hours(24) + microseconds(1), ActionKind::migrate, node_id("b")}};
    remember(kit.input, kit.memory);
    ASSERT_EQ(ledger.cool_downs.size(), 1U);
    EXPECT_EQ(ledger.cool_downs[0].target, Target(node_id("b")));
    ASSERT_EQ(ledger.spent.size(), 1U);
    EXPECT_EQ(ledger.spent[0].target, Target(node_id("b")));
}

TEST(LedgerFold, what_somebody_else_contests_rests_by_the_event_that_shows_it) {
    const DecisionId id{0, 1};
    const Live unmarked{.exists = true, .version = 3};
    Kit kit;
    kit.memory.ledger.open = {throttling(1, "node-1", marked, 1)};
    kit.input.events = {{id, kNow - seconds(3), Seen{unmarked, ""}}};
    remember(kit.input, kit.memory);
    ASSERT_EQ(kit.memory.ledger.open.size(), 1U);
    EXPECT_TRUE(kit.memory.ledger.open[0].undoing);
    const CoolDown rests{node_id("node-1"), ActionKind::noop, kNow - seconds(3) + minutes(30)};
    EXPECT_EQ(kit.memory.ledger.cool_downs, std::vector<CoolDown>{rests});

    Ledger ledger;
    OpenAction twice = throttling(2, "node-1", sent, 1);
    twice.plan[1].request = SetReplicas{workload_id("web"), 5};
    twice.plan[1].fate = StepFate::failed;
    const Answered conflict{.ok = false, .code = ErrorCode::conflict, .message = "no"};
    advance_in(ledger, twice, {twice.id, kNow, conflict});
    ASSERT_EQ(ledger.cool_downs.size(), 2U) << "the target, and what was contested";
    EXPECT_EQ(ledger.cool_downs[0].target, Target(node_id("node-1")));
    EXPECT_EQ(ledger.cool_downs[1].target, Target(workload_id("web")));
}

TEST(LedgerFold, an_order_holds_as_long_as_its_action) {
    const auto left = [](TimePoint until, bool open, bool undone) {
        Kit kit;
        OpenAction action = throttling(1, "node-1", confirmed, 2);
        if (undone) action.expires = kNow;
        if (open) kit.memory.ledger.open = {action};
        kit.memory.ledger.orders = {{{0, 1}, 1, AdmissionWish::queue, until, ""}};
        remember(kit.input, kit.memory);
        return kit.memory.ledger.orders.size();
    };
    EXPECT_EQ(left(kNow + microseconds(1), true, false), 1U);
    EXPECT_EQ(left(kNow, true, false), 0U) << "it expired";
    EXPECT_EQ(left(kNow + minutes(1), false, false), 0U) << "its action is gone";
    EXPECT_EQ(left(kNow + minutes(1), true, true), 0U) << "its action is being undone";
}

TEST(LedgerFold, a_stop_is_lifted_by_who_lifts_the_switch_and_an_epoch_never_falls) {
    Kit kit;
    kit.input.controls.stop = true;
    kit.input.controls.epoch = 4;
    kit.input.controls.ledger_version = 17;
    remember(kit.input, kit.memory);
    EXPECT_TRUE(kit.memory.ledger.stopped);
    EXPECT_EQ(kit.memory.ledger.epoch, 4U);
    EXPECT_EQ(kit.memory.ledger.version, 17U);
    kit.input.controls.stop = false;
    kit.input.controls.epoch = 3;
    remember(kit.input, kit.memory);
    EXPECT_FALSE(kit.memory.ledger.stopped);
    EXPECT_EQ(kit.memory.ledger.epoch, 4U);
}

TEST(LedgerFold, a_note_is_cut_at_a_character) {
    OpenAction action;
    action.note = std::string(kNoteBytesMax, 'x');
    trim_note(action);
    EXPECT_EQ(action.note.size(), kNoteBytesMax);
    action.note = std::string(kNoteBytesMax - 1, 'x') + "\u00e9 and more";
    trim_note(action);
    EXPECT_EQ(action.note, std::string(kNoteBytesMax - 1, 'x'));
}

/// Nodes full of pods with the longest names there can be, an action on each, for a day.
TEST(LedgerFold, stays_below_its_size_whatever_is_begun) {
    Kit kit;
    const std::string longest(200, 'n');
    std::vector<std::string> nodes;
    for (int i = 0; i < 200; ++i) nodes.push_back(longest + std::to_string(i));
    const Slot web = kit.add_workload(workload_id(longest), 5);
    for (const std::string& node : nodes) kit.add_node(node);
    for (Slot node = 0; node < 200; ++node) {
        for (int pod = 0; pod < 30; ++pod) kit.add_pod(web, node);
    }
    std::size_t refused = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const auto proposal = proposes(Role::safety, Migrate{}, node_id(nodes[i]));
        std::vector<Step> steps;
        begin(accepts(proposal), kit.forecast, kit.input, kit.policy, kit.memory, steps);
        if (steps.back().action.state == failed) ++refused;
        // The rest is for notes, cool-downs and spends of open actions.
        ASSERT_LT(encode(kit.memory.ledger).size(), kLedgerBytesFull + 1024);
        for (OpenAction& action : kit.memory.ledger.open) {
            action.note = std::string(kNoteBytesMax, 'x');
        }
        ++kit.input.round;
        kit.input.now = kit.input.now + seconds(3);
        ASSERT_LT(encode(kit.memory.ledger).size(), kLedgerBytesMax);
    }
    EXPECT_GT(refused, 0U);
    EXPECT_GT(kit.memory.ledger.open.size(), 3U);
}

}  // namespace
}  // namespace parley::execution
