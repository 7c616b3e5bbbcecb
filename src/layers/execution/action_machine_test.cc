#include "layers/execution/action_machine.h"

#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

namespace parley::execution {
namespace {

using namespace model;
using enum ActionState;

// Decision d1 migrates node-1: mark, quarantine, evict web-1 and wait for 4 ready, evict web-2. Its
// undo lifts the quarantine and clears the mark.
constexpr TimePoint kStart{minutes(100).us};
constexpr TimePoint kDeadline = kStart + minutes(10);
constexpr TimePoint kExpiry = kStart + minutes(30);
constexpr DecisionId kId{0, 0xd1};
constexpr Uid kNode{1, 1};
constexpr Uid kPod1{3, 1};
constexpr Uid kPod2{3, 2};

/// The action with its first `done` steps carried out by us.
OpenAction migrating(std::uint32_t done, ActionState state) {
    OpenAction a;
    a.id = kId;
    a.action = Migrate{};
    a.target = node_id("node-1");
    a.uid = kNode;
    a.plan = {{PutMark{node_id("node-1"), kId, kExpiry}, {}},
              {SetTaint{node_id("node-1"), Taint::no_schedule}, {}},
              {EvictPod{kPod1, "web-1"}, {workload_id("web"), 4}},
              {EvictPod{kPod2, "web-2"}, {}}};
    a.undo = {SetTaint{node_id("node-1"), Taint::none}, PutMark{node_id("node-1"), {}, {}}};
    for (std::uint32_t i = 0; i < done; ++i) a.plan[i].ours = true;
    if (done > 1) a.confirmed = kStart;
    a.at = done;
    a.state = state;
    a.deadline = kDeadline;
    a.expires = kExpiry;
    return a;
}

OpenAction awaiting() {
    OpenAction a = migrating(3, marked);
    a.at = 2;
    a.awaiting = true;
    return a;
}

OpenAction undoing(std::uint32_t at, ActionState state) {
    OpenAction a = give_up(migrating(2, marked), expired, "its time ran out").action;
    a.at = at;
    a.state = state;
    return a;
}

std::string next_text(const Next& next) {
    if (std::holds_alternative<Wait>(next)) return "wait";
    if (std::holds_alternative<Read>(next)) return "read";
    if (std::holds_alternative<Done>(next)) return "done";
    const auto& send = std::get<Send>(next);
    return "send " + text_of(send.request) + " if " + std::to_string(send.only_if.uid.low) + "@" +
           std::to_string(send.only_if.version);
}

/// `marked 2: read`, `undo marked 0: read`.
std::string text(const Step& step) {
    return (step.action.undoing ? "undo " : "") + std::string(enum_name(step.action.state)) + " " +
           std::to_string(step.action.at) + (step.action.awaiting ? " awaiting" : "") + ": " +
           next_text(step.next);
}

Live live(Uid uid, bool applied = false) {
    return {.exists = true, .uid = uid, .version = 41, .mark = kId, .applied = applied};
}
Seen shows(Uid uid) { return {live(uid), ""}; }
Seen applied(Uid uid) { return {live(uid, true), ""}; }
Seen refused(Uid uid) { return {live(uid), "the breaker is tripped"}; }
Seen foreign(Uid uid) {
    Seen seen = shows(uid);
    seen.live.mark = {0, 0xd2};
    return seen;
}
Seen unmarked(Uid uid) {
    Seen seen = shows(uid);
    seen.live.mark = {};
    return seen;
}
Seen refused_unmarked(Uid uid) {
    Seen seen = unmarked(uid);
    seen.refused = "the breaker is tripped";
    return seen;
}
Seen gone() { return {}; }
Seen has_ready(std::int32_t ready) {
    Seen seen = shows({2, 1});
    seen.live.ready = ready;
    return seen;
}
Answered fails(ErrorCode code) { return {.ok = false, .code = code, .message = "no"}; }

using What = std::variant<Tick, Seen, Answered>;

struct Case {
    const char* name;
    OpenAction before;
    What what;
    std::string after;
    TimePoint at = kStart + seconds(30);
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class ActionMachine : public testing::TestWithParam<Case> {};

TEST_P(ActionMachine, goes_on_by_the_table) {
    const Case& c = GetParam();
    EXPECT_EQ(text(advance(c.before, {kId, c.at, c.what})), c.after);
}

const Case kForward[] = {
    {"it_reads_first", migrating(0, planned), Tick{}, "planned 0: read"},
    {"it_marks_first", migrating(0, planned), unmarked(kNode), "sent 0: send mark node-1 if 1@41"},
    {"over_a_foreign_mark_if_the_guard_agrees", migrating(0, planned), foreign(kNode),
     "sent 0: send mark node-1 if 1@41"},
    {"then_it_reads_again", migrating(0, sent), Answered{}, "marked 1: read"},
    {"then_it_sends", migrating(1, marked), shows(kNode), "sent 1: send quarantine node-1 if 1@41"},
    {"each_step_reads", migrating(1, sent), Answered{}, "marked 2: read"},
    {"an_eviction_names_the_pod", migrating(2, marked), shows(kPod1),
     "sent 2: send evict web-1 if 1@41"},
    {"and_is_waited_for", migrating(2, sent), Answered{}, "marked 2 awaiting: wait"},
    {"not_ready_yet", awaiting(), has_ready(3), "marked 2 awaiting: wait"},
    {"ready_again", awaiting(), has_ready(4), "marked 3: read"},
    {"whom_it_waits_for_is_gone", awaiting(), gone(), "marked 3: read"},
    {"it_waits_until_its_time_is_over", awaiting(), has_ready(3), "undo marked 0: read", kDeadline},
    {"it_waits_until_just_before", awaiting(), has_ready(3), "marked 2 awaiting: wait",
     kDeadline - microseconds(1)},
    {"the_last_step_confirms_it", migrating(3, sent), Answered{}, "confirmed 4: done"},
    {"guard_holds_it", migrating(1, marked), refused(kNode), "held 1: wait"},
    {"guard_holds_the_mark", migrating(0, planned), refused_unmarked(kNode), "held 0: wait"},
    {"held_is_read_again", migrating(1, held), Tick{}, "held 1: read"},
    {"held_goes_on", migrating(1, held), shows(kNode), "sent 1: send quarantine node-1 if 1@41"},
    {"found_done_by_another", migrating(1, marked), applied(kNode), "marked 2: read"},
    {"another_node_of_that_name", migrating(1, marked), shows({1, 2}), "undo marked 0: read"},
    {"node_gone", migrating(1, marked), gone(), "undo marked 0: read"},
    {"node_gone_before_the_mark", migrating(0, planned), gone(), "undo moot 0: done"},
    {"pod_gone", migrating(2, marked), gone(), "marked 2 awaiting: wait"},
    {"another_pod_of_that_name", migrating(2, marked), shows(kPod2), "marked 2 awaiting: wait"},
    {"mark_removed", migrating(1, marked), unmarked(kNode), "undo marked 0: read"},
    {"mark_replaced", migrating(1, marked), foreign(kNode), "undo marked 0: read"},
    {"a_pod_bears_no_mark", migrating(2, marked), unmarked(kPod1),
     "sent 2: send evict web-1 if 1@41"},
};
INSTANTIATE_TEST_SUITE_P(forward, ActionMachine, testing::ValuesIn(kForward),
                         [](const auto& each) { return each.param.name; });

const Case kUnknown[] = {
    {"started_anew_after_sending", migrating(1, sent), Tick{true}, "unknown 1: read"},
    {"a_tick_without_an_answer", migrating(1, sent), Tick{}, "unknown 1: read"},
    {"it_was", migrating(1, unknown), applied(kNode), "marked 2: read"},
    {"it_was_not", migrating(1, unknown), shows(kNode), "sent 1: send quarantine node-1 if 1@41"},
    {"the_pod_went", migrating(2, unknown), gone(), "marked 2 awaiting: wait"},
    {"the_mark_was_put", migrating(0, unknown), shows(kNode), "marked 1: read"},
    {"it_outlives_its_time", migrating(1, unknown), Tick{}, "unknown 1: read", kDeadline},
    {"until_a_read_settles_it", migrating(1, unknown), shows(kNode), "undo marked 0: read",
     kDeadline},
    {"or_says_that_it_was", migrating(1, unknown), applied(kNode), "marked 2: read", kDeadline},
    {"the_guard_may_hold_it", migrating(1, unknown), refused(kNode), "held 1: wait"},
};
INSTANTIATE_TEST_SUITE_P(unknown, ActionMachine, testing::ValuesIn(kUnknown),
                         [](const auto& each) { return each.param.name; });

const Case kTimes[] = {
    {"a_tick_before_the_deadline", migrating(1, marked), Tick{}, "marked 1: read",
     kDeadline - microseconds(1)},
    {"at_the_deadline_it_is_undone", migrating(1, marked), Tick{}, "undo marked 0: read",
     kDeadline},
    {"nothing_to_undo_before_the_mark", migrating(0, planned), Tick{}, "undo expired 0: done",
     kDeadline},
    {"blocked_until_the_deadline", migrating(2, blocked), Tick{}, "undo marked 0: read", kDeadline},
    {"held_until_the_deadline", migrating(2, held), Tick{}, "undo marked 0: read", kDeadline},
    {"no_send_at_the_deadline", migrating(1, marked), shows(kNode), "undo marked 0: read",
     kDeadline},
    {"but_just_before", migrating(1, marked), shows(kNode),
     "sent 1: send quarantine node-1 if 1@41", kDeadline - microseconds(1)},
    {"an_effect_stands", migrating(4, confirmed), Tick{}, "confirmed 4: wait",
     kExpiry - microseconds(1)},
    {"until_it_expires", migrating(4, confirmed), Tick{}, "undo marked 0: read", kExpiry},
    {"the_deadline_is_for_the_plan", migrating(4, confirmed), Tick{}, "confirmed 4: wait",
     kDeadline},
};
INSTANTIATE_TEST_SUITE_P(times, ActionMachine, testing::ValuesIn(kTimes),
                         [](const auto& each) { return each.param.name; });

const Case kUndo[] = {
    {"undo_reads", undoing(0, marked), Tick{}, "undo marked 0: read"},
    {"undo_sends", undoing(0, marked), shows(kNode),
     "undo sent 0: send lift quarantine of node-1 if 1@41"},
    {"undo_has_no_deadline", undoing(0, marked), shows(kNode),
     "undo sent 0: send lift quarantine of node-1 if 1@41", kExpiry + hours(5)},
    {"undo_goes_on", undoing(0, sent), Answered{}, "undo marked 1: read"},
    {"undo_was_done", undoing(0, marked), applied(kNode), "undo marked 1: read"},
    {"undo_of_what_is_gone", undoing(0, marked), gone(), "undo marked 1: read"},
    {"undo_is_held", undoing(0, marked), refused(kNode), "undo held 0: wait"},
    {"undo_started_anew", undoing(0, sent), Tick{true}, "undo unknown 0: read"},
    {"undo_of_an_unknown", undoing(0, unknown), shows(kNode),
     "undo sent 0: send lift quarantine of node-1 if 1@41"},
    {"undo_does_not_ask_for_the_mark", undoing(0, marked), foreign(kNode),
     "undo sent 0: send lift quarantine of node-1 if 1@41"},
    {"our_mark_is_cleared", undoing(1, marked), shows(kNode),
     "undo sent 1: send unmark node-1 if 1@41"},
    {"a_foreign_mark_is_not", undoing(1, marked), foreign(kNode), "undo expired 2: done"},
    {"undo_ends", undoing(1, sent), Answered{}, "undo expired 2: done"},
    {"undo_denied_tries_the_rest", undoing(0, sent), fails(ErrorCode::denied),
     "undo marked 1: read"},
    {"undo_denied_ends_as_failed", undoing(1, sent), fails(ErrorCode::denied),
     "undo failed 2: done"},
    {"undo_backs_off", undoing(0, sent), fails(ErrorCode::unavailable), "undo marked 0: wait"},
    {"nothing_after_the_end", undoing(2, expired), Tick{}, "undo expired 2: done"},
};
INSTANTIATE_TEST_SUITE_P(undo, ActionMachine, testing::ValuesIn(kUndo),
                         [](const auto& each) { return each.param.name; });

// Every code in every state that is not final, for a step on the marked node (1) and one on a pod
// (2). In `sent` it answers a request, elsewhere it is a read that failed.
struct Row {
    ErrorCode code;
    const char* sent;
    const char* on_pod;
    const char* unread;
    const char* unknown;
};
const Row kRows[] = {
    {ErrorCode::unavailable, "marked 1: wait", "marked 2: wait", "same", "same"},
    {ErrorCode::conflict, "marked 1: wait", "marked 2: wait", "same", "same"},
    {ErrorCode::unknown_outcome, "unknown 1: wait", "unknown 2: wait", "same", "same"},
    {ErrorCode::malformed, "unknown 1: wait", "unknown 2: wait", "same", "same"},
    {ErrorCode::blocked, "blocked 1: wait", "blocked 2: wait", "same", "same"},
    {ErrorCode::gone, "undo marked 0: read", "marked 2 awaiting: wait", "undo marked 0: read",
     "same"},
    {ErrorCode::expired, "undo marked 0: read", "undo marked 0: read", "undo marked 0: read",
     "same"},
    {ErrorCode::denied, "undo marked 0: read", "undo marked 0: read", "undo marked 0: read",
     "same"},
};

TEST(ActionMachineErrors, every_code_in_every_state) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(enum_name(row.code));
        const auto after = [&](const OpenAction& a) {
            return text(advance(a, {kId, kStart + seconds(30), fails(row.code)}));
        };
        EXPECT_EQ(after(migrating(1, sent)), row.sent);
        EXPECT_EQ(after(migrating(2, sent)), row.on_pod);
        for (const ActionState state : {marked, blocked, held}) {
            const std::string same = std::string(enum_name(state)) + " 1: wait";
            EXPECT_EQ(after(migrating(1, state)),
                      row.unread == std::string("same") ? same : row.unread);
        }
        EXPECT_EQ(after(migrating(1, unknown)), "unknown 1: wait");
        EXPECT_EQ(after(undoing(0, unknown)), "undo unknown 0: wait");
        for (const ActionState state : {confirmed, moot, expired, failed, would_send}) {
            const std::string same = std::string(enum_name(state)) + " 4: wait";
            EXPECT_EQ(after(migrating(4, state)), same);
        }
    }
}

TEST(ActionMachineErrors, before_the_mark_nothing_is_undone) {
    for (const auto& [code, expected] : std::initializer_list<std::pair<ErrorCode, const char*>>{
             {ErrorCode::unavailable, "planned 0: wait"},
             {ErrorCode::conflict, "planned 0: wait"},
             {ErrorCode::unknown_outcome, "unknown 0: wait"},
             {ErrorCode::malformed, "unknown 0: wait"},
             {ErrorCode::blocked, "blocked 0: wait"},
             {ErrorCode::gone, "undo moot 0: done"},
             {ErrorCode::expired, "undo failed 0: done"},
             {ErrorCode::denied, "undo failed 0: done"}}) {
        EXPECT_EQ(text(advance(migrating(0, sent), {kId, kStart, fails(code)})), expected)
            << enum_name(code);
    }
}

/// Its state after it read its target and met a conflict, as often as that.
Step after_conflicts(OpenAction action, Uid target, int times) {
    Step step{action, Wait{}};
    for (int i = 0; i < times; ++i) {
        step = advance(step.action, {kId, kStart, shows(target)});
        step = advance(step.action, {kId, kStart, fails(ErrorCode::conflict)});
    }
    return step;
}

TEST(ActionMachineErrors, of_two_who_change_a_node_the_other_wins) {
    EXPECT_EQ(text(after_conflicts(migrating(1, marked), kNode, 1)), "marked 1: wait");
    const Step step = after_conflicts(migrating(1, marked), kNode, 2);
    EXPECT_EQ(text(step), "undo marked 0: read");
    EXPECT_EQ(step.action.ended, failed);
    EXPECT_EQ(step.action.note,
              "stepped back: node-1 was changed by somebody else each time we tried to");
    EXPECT_EQ(step.action.undo, std::vector<Request>{Request(PutMark{node_id("node-1"), {}, {}})})
        << "the taint was never ours";
}

TEST(ActionMachineErrors, a_pod_changes_by_itself_which_is_no_contest) {
    EXPECT_EQ(text(after_conflicts(migrating(2, marked), kPod1, 5)), "marked 2: wait");
}

TEST(ActionMachineErrors, one_conflict_before_it_succeeds_is_forgotten) {
    Step step = after_conflicts(migrating(1, marked), kNode, 1);
    EXPECT_EQ(step.action.plan[1].fate, StepFate::failed) << "sent, and refused";
    step = advance(step.action, {kId, kStart, shows(kNode)});
    step = advance(step.action, {kId, kStart, Answered{}});
    EXPECT_EQ(text(step), "marked 2: read");
    EXPECT_EQ(step.action.plan[1].fate, StepFate::applied);
}

TEST(ActionMachineErrors, what_is_given_back_is_tried_again_ever_more_rarely) {
    Step step = advance(undoing(0, sent), {kId, kStart, fails(ErrorCode::conflict)});
    EXPECT_EQ(text(step), "undo marked 0: wait");
    EXPECT_EQ(step.action.not_before, kStart + seconds(5));
    step.action.state = sent;
    step = advance(step.action, {kId, kStart, fails(ErrorCode::conflict)});
    EXPECT_EQ(step.action.not_before, kStart + seconds(10));
}

TEST(ActionMachine, says_who_won_and_what_it_was_about) {
    const auto about = [](const OpenAction& a, What what) {
        const auto contest = contest_of(a, {kId, kStart, std::move(what)});
        return contest ? text_of(contest->about) + ": " + contest->because : "nobody";
    };
    const std::string mark = "node-1: our mark on node-1 was removed or replaced";
    EXPECT_EQ(about(migrating(1, marked), unmarked(kNode)), mark);
    EXPECT_EQ(about(migrating(1, marked), foreign(kNode)), mark);
    EXPECT_EQ(about(migrating(1, marked), shows(kNode)), "nobody");
    EXPECT_EQ(about(migrating(1, marked), gone()), "nobody");
    EXPECT_EQ(about(migrating(0, planned), unmarked(kNode)), "nobody") << "it is not marked yet";
    EXPECT_EQ(about(migrating(2, marked), unmarked(kPod1)), "nobody") << "a pod bears no such mark";
    EXPECT_EQ(about(awaiting(), unmarked(kNode)), "nobody");
    EXPECT_EQ(about(undoing(0, marked), unmarked(kNode)), "nobody") << "it ends anyway";
    EXPECT_EQ(about(migrating(1, sent), fails(ErrorCode::conflict)), "nobody") << "the first time";
    OpenAction again = migrating(1, sent);
    again.plan[1].fate = StepFate::failed;
    EXPECT_EQ(about(again, fails(ErrorCode::denied)), "nobody");
    EXPECT_EQ(about(again, fails(ErrorCode::conflict)),
              "node-1: node-1 was changed by somebody else each time we tried to");
    again.plan[1].request = SetReplicas{workload_id("web"), 5};
    EXPECT_EQ(about(again, fails(ErrorCode::conflict)).substr(0, 9), "shop/web:");
}

TEST(ActionMachine, backs_off_from_five_seconds_to_a_minute) {
    OpenAction a = migrating(2, marked);
    TimePoint at = kStart;
    for (const std::int64_t pause : {5, 10, 20, 40, 60, 60}) {
        a = advance(a, {kId, at, shows(kPod1)}).action;
        a = advance(a, {kId, at, fails(ErrorCode::blocked)}).action;
        EXPECT_EQ(a.not_before, at + seconds(pause));
        EXPECT_EQ(text(advance(a, {kId, a.not_before - microseconds(1), Tick{}})),
                  "blocked 2: wait");
        at = a.not_before;
        EXPECT_EQ(text(advance(a, {kId, at, Tick{}})), "blocked 2: read");
    }
    a = advance(a, {kId, at, shows(kPod1)}).action;
    a = advance(a, {kId, at, Answered{}}).action;
    EXPECT_EQ(a.pause, Duration{}) << "the next step starts afresh";
}

TEST(ActionMachine, waits_as_long_as_it_is_told_to) {
    Answered busy = fails(ErrorCode::unavailable);
    busy.retry_after = seconds(17);
    for (const ActionState state : {sent, marked, unknown}) {
        const Step step = advance(migrating(1, state), {kId, kStart, busy});
        EXPECT_EQ(step.action.not_before, kStart + seconds(17)) << enum_name(state);
    }
}

TEST(ActionMachine, undoes_only_what_it_did_itself) {
    OpenAction a = migrating(1, marked);
    a = advance(a, {kId, kStart, applied(kNode)}).action;  // Someone else's quarantine.
    a = give_up(a, failed, "a test").action;
    EXPECT_EQ(a.undo, std::vector<Request>{Request(PutMark{node_id("node-1"), {}, {}})});
    // A request under way may have arrived.
    a = give_up(migrating(1, sent), failed, "a test").action;
    EXPECT_EQ(a.undo.size(), 2U);
}

TEST(ActionMachine, does_not_undo_what_the_plan_took_back_itself) {
    OpenAction a = migrating(2, marked);
    a.plan = {{PutMark{node_id("node-1"), kId, kExpiry}, {}, true},
              {SetReplicas{workload_id("web"), 6}, {}, true},
              {SetReplicas{workload_id("web"), 5}, {}, false}};
    a.undo = {SetReplicas{workload_id("web"), 5}};
    EXPECT_EQ(give_up(a, expired, "").action.undo.size(), 1U);
    a.plan[2].ours = true;
    EXPECT_TRUE(give_up(a, expired, "").action.undo.empty());
}

TEST(ActionMachine, is_moot_if_all_was_done_already) {
    OpenAction a = migrating(1, marked);
    a.plan.resize(2);
    const Step step = advance(a, {kId, kStart, applied(kNode)});
    EXPECT_EQ(text(step), "undo marked 0: read") << "the mark is still ours to clear";
    EXPECT_EQ(step.action.ended, moot);
    EXPECT_EQ(step.action.confirmed, TimePoint{});
    // The reason for undoing used to be lost with the request that cleared the mark: "it never took
    // effect: ." without a reason.
    const Step clears = advance(step.action, {kId, kStart, shows(kNode)});
    EXPECT_TRUE(std::holds_alternative<Send>(clears.next));
    EXPECT_EQ(clears.action.note, "all of it was done already");
    EXPECT_EQ(advance(clears.action, {kId, kStart, Answered{}}).action.note,
              "all of it was done already");
}

TEST(ActionMachine, notes_when_the_first_effect_was_confirmed) {
    OpenAction a = advance(migrating(0, sent), {kId, kStart, Answered{}}).action;
    EXPECT_EQ(a.confirmed, TimePoint{}) << "a mark is no effect";
    a.state = sent;
    a = advance(a, {kId, kStart + seconds(3), Answered{}}).action;
    a.state = sent;
    a = advance(a, {kId, kStart + seconds(9), Answered{}}).action;
    EXPECT_EQ(a.confirmed, kStart + seconds(3));
}

TEST(ActionMachine, an_order_needs_no_object_to_bear_its_mark) {
    OpenAction a = migrating(0, planned);
    a.target = WholeCluster{};
    a.uid = {};
    a.plan = {{PutMark{WholeCluster{}, kId, kExpiry}, {}},
              {SetAdmission{AdmissionWish::queue, kId, kExpiry}, {}}};
    EXPECT_EQ(text(advance(a, {kId, kStart, gone()})), "marked 1: read");
    a.at = 1;
    EXPECT_EQ(text(advance(a, {kId, kStart, unmarked({})})),
              "sent 1: send admission queue if 0@41");
}

TEST(ActionMachine, resizes_and_gives_back_only_the_very_pod_that_was_planned) {
    const auto limit = [](Uid pod, std::int64_t m) {
        return ResizePod{pod, Name::of("shop"), "web", {{Name::of("main"), {}, m, {}, {}}}};
    };
    OpenAction a = migrating(2, marked);
    a.plan = {a.plan[0], a.plan[1], {limit(kPod1, 850), {}}, {limit(kPod2, 850), {}}};
    a.undo.insert(a.undo.begin(), {limit(kPod1, 1000), limit(kPod2, 1000)});
    Step step = advance(a, {kId, kStart, Seen{live({9, 9}), ""}});
    EXPECT_EQ(text(step), "marked 3: read") << "another one has its name: one step less";
    EXPECT_EQ(step.action.plan[2].fate, StepFate::moot);
    step = advance(step.action, {kId, kStart, Seen{live(kPod2), ""}});
    EXPECT_EQ(text(step), "sent 3: send resize web to 850m CPU limit if 2@41");
    step = advance(step.action, {kId, kStart, Answered{}});
    EXPECT_EQ(step.action.state, confirmed);
    step = give_up(step.action, confirmed, "");
    EXPECT_EQ(step.action.undo.front(), Request(limit(kPod2, 1000))) << "the other was never ours";
}

TEST(ActionMachine, says_why_it_was_given_up) {
    OpenAction a = advance(awaiting(), {kId, kStart, has_ready(3)}).action;
    EXPECT_EQ(a.note, "waits until shop/web has 4 ready, it has 3");
    a = advance(a, {kId, kDeadline, Tick{}}).action;
    EXPECT_EQ(a.note, "its time ran out: waits until shop/web has 4 ready, it has 3");
}

TEST(ActionMachine, reads_what_it_waits_for) {
    EXPECT_EQ(subject_of(migrating(2, marked)), Request(EvictPod{kPod1, "web-1"}));
    EXPECT_EQ(subject_of(awaiting()), Request(SetReplicas{workload_id("web"), 4}));
    EXPECT_EQ(subject_of(undoing(0, marked)), Request(SetTaint{node_id("node-1"), Taint::none}));
}

TEST(ActionMachine, is_finished_when_nothing_is_left_to_undo) {
    EXPECT_FALSE(finished(migrating(4, confirmed)));
    EXPECT_FALSE(finished(undoing(0, marked)));
    EXPECT_TRUE(finished(undoing(2, expired)));
    OpenAction a = migrating(4, confirmed);
    a.undo.clear();
    EXPECT_TRUE(finished(a));
    EXPECT_TRUE(finished(migrating(0, would_send)));
}

/// The fates of a plan, a letter each: open, applied, done, moot, given up, failed, unknown.
std::string fates(const OpenAction& action) {
    std::string out;
    for (const PlannedStep& step : action.plan) {
        out += "oadmgfu"[static_cast<std::size_t>(step.fate)];
    }
    return out;
}

/// The ledger says that nothing was sent yet, and a process before us has sent two steps.
TEST(ActionMachine, a_new_process_finds_its_way_and_undoes_what_it_finds_done) {
    const auto on = [](OpenAction a, ActionEvent event) {
        event.action = kId;
        event.at = kStart;
        return advance(std::move(a), event);
    };
    Step step = on(migrating(0, planned), {.what = Tick{.started_anew = true}});
    EXPECT_TRUE(step.action.resumed);
    EXPECT_EQ(text(step), "planned 0: read");
    const Live marked_by_us{.exists = true, .uid = kNode, .version = 9, .mark = kId};
    Live tainted = marked_by_us;
    tainted.applied = true;
    step = on(step.action, {.what = Seen{marked_by_us, ""}});
    step = on(step.action, {.what = Seen{tainted, ""}});
    EXPECT_EQ(step.action.at, 2U);
    EXPECT_EQ(step.action.plan[1].fate, StepFate::applied);
    step = on(step.action, {.what = Seen{{}, ""}});  // The first pod is gone.
    EXPECT_EQ(step.action.plan[2].fate, StepFate::applied);
    const OpenAction given_up = give_up(step.action, expired, "").action;
    EXPECT_EQ(given_up.undo, migrating(0, planned).undo);

    step = on(migrating(0, planned), {.what = Tick{}});
    EXPECT_FALSE(step.action.resumed);
    step = on(migrating(1, marked), {.what = Seen{tainted, ""}});
    EXPECT_EQ(step.action.plan[1].fate, StepFate::found_done) << "it is somebody else's";
}

/// Its Deployment still counts the pod that was evicted this moment.
TEST(ActionMachine, the_next_pod_is_not_evicted_before_anybody_can_have_noticed_the_first) {
    const auto at = [](OpenAction a, TimePoint when, What what) {
        return advance(std::move(a), {kId, when, std::move(what)});
    };
    Step step = at(migrating(2, sent), kStart, Answered{});
    EXPECT_EQ(text(step), "marked 2 awaiting: wait");
    step = at(step.action, kStart + kNoticedAfter - microseconds(1), Tick{});
    EXPECT_EQ(text(step), "marked 2 awaiting: wait");
    step = at(step.action, kStart + kNoticedAfter, Tick{});
    EXPECT_EQ(text(step), "marked 2 awaiting: read");
}

TEST(ActionMachine, why_it_was_given_up_is_not_lost_while_its_undo_is_held_up) {
    for (const OpenAction& before : {undoing(0, sent), undoing(0, marked)}) {
        for (const ErrorCode code : {ErrorCode::unavailable, ErrorCode::blocked,
                                     ErrorCode::conflict, ErrorCode::unknown_outcome}) {
            const OpenAction after = advance(before, {kId, kStart, fails(code)}).action;
            EXPECT_EQ(after.note, "its time ran out") << enum_name(code);
            EXPECT_TRUE(after.undoing);
        }
    }
}

TEST(ActionMachine, says_what_became_of_each_step) {
    struct Becomes {
        const char* name;
        std::vector<What> events;
        std::string fates;
        TimePoint at = kStart + seconds(30);
    };
    const What ok = Answered{};
    const What mark = unmarked(kNode);
    const What taint = shows(kNode);
    const Becomes rows[] = {
        {"nothing yet", {mark}, "oooo"},
        {"marked", {mark, ok}, "aooo"},
        {"found done", {mark, ok, applied(kNode)}, "adoo"},
        {"held", {mark, ok, refused(kNode)}, "aooo"},
        {"refused for good", {mark, ok, taint, fails(ErrorCode::denied)}, "afgg"},
        {"may not be read", {mark, ok, fails(ErrorCode::denied)}, "aggg"},
        {"nobody knows", {mark, ok, taint, fails(ErrorCode::unknown_outcome)}, "auoo"},
        {"it was applied",
         {mark, ok, taint, fails(ErrorCode::unknown_outcome), applied(kNode)},
         "aaoo"},
        {"it was not, and is sent again",
         {mark, ok, taint, fails(ErrorCode::unknown_outcome), taint},
         "aooo"},
        {"nobody waits for the answer", {mark, ok, taint, Tick{true}}, "auoo"},
        {"the node is gone", {mark, ok, gone()}, "ammm"},
        {"the node is gone when it is sent to", {mark, ok, taint, fails(ErrorCode::gone)}, "ammm"},
        {"a budget holds an eviction until its pod is gone",
         {mark, ok, taint, ok, refused(kPod1), gone()},
         "aamo"},
        {"a budget holds an eviction until others take the pod away",
         {mark, ok, taint, ok, refused(kPod1), applied(kPod1)},
         "aamo"},
        {"a budget refuses an eviction, then its pod is gone",
         {mark, ok, taint, ok, shows(kPod1), fails(ErrorCode::blocked), gone()},
         "aamo"},
        {"the pod that was evicted is gone",
         {mark, ok, taint, ok, shows(kPod1), fails(ErrorCode::unknown_outcome), gone()},
         "aaao"},
        {"its time ran out", {mark, ok, Tick{}}, "aggg", kDeadline},
        {"one pod is evicted", {mark, ok, taint, ok, shows(kPod1), ok}, "aaao"},
    };
    for (const Becomes& row : rows) {
        OpenAction action = migrating(0, planned);
        for (std::size_t i = 0; i < row.events.size(); ++i) {
            const bool last = i + 1 == row.events.size();
            const TimePoint at = last ? row.at : kStart;
            action = advance(std::move(action), {kId, at, row.events[i]}).action;
        }
        EXPECT_EQ(fates(action), row.fates) << row.name;
        for (const PlannedStep& step : action.plan) {
            EXPECT_EQ(step.ours, step.fate == StepFate::applied) << row.name;
        }
    }
    const OpenAction old = give_up(migrating(2, marked), expired, "its time ran out").action;
    EXPECT_EQ(fates(old), "aagg") << "of a ledger without fates";
}

}  // namespace
}  // namespace parley::execution
