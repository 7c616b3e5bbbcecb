// What a process does with an action that another one began, and died over.

#include "layers/execution/action_machine.h"
#include "layers/execution/kit_test.h"

#include <gtest/gtest.h>

#include <map>

namespace parley::execution {
namespace {

using namespace model;

constexpr TimePoint kStart{minutes(100).us};
constexpr TimePoint kDeadline = kStart + minutes(10);
constexpr DecisionId kId{0, 0xd1};
constexpr Uid kNode{1, 1};
constexpr Uid kWeb{2, 1};
constexpr Uid kPod1{3, 1};
constexpr Uid kPod2{3, 2};

/// Requests by their text; which of them the cluster shows to be in force, and who is gone.
struct Cluster {
    std::map<std::string, bool> in_force;
    std::map<std::string, bool> gone;
    std::map<std::string, ErrorCode> unreadable;
};

Uid uid_of(const Request& request) {
    if (const auto* evict = std::get_if<EvictPod>(&request)) return evict->pod;
    if (const auto* resize = std::get_if<ResizePod>(&request)) return resize->pod;
    if (std::holds_alternative<SetReplicas>(request)) return kWeb;
    const auto* mark = std::get_if<PutMark>(&request);
    const bool node = mark == nullptr || std::holds_alternative<NodeId>(mark->target);
    return node ? kNode : kWeb;
}

/// Takes an action up as a new process, and follows it until it rests or sends. Returns what it
/// read, and what it would send last.
struct Successor {
    OpenAction action;
    std::vector<std::string> read;
    std::string sends;

    Successor(OpenAction found, Cluster& cluster, TimePoint at) : action(std::move(found)) {
        Step step = advance(action, {kId, at, Tick{.started_anew = true}});
        while (std::holds_alternative<Read>(step.next) && read.size() < 50) {
            const Request about = subject_of(step.action);
            const std::string said = text_of(about);
            read.push_back(said);
            ActionEvent event{kId, at, Seen{}};
            if (cluster.unreadable.contains(said)) {
                event.what = Answered{.ok = false, .code = cluster.unreadable[said]};
            } else if (!cluster.gone[said]) {
                const bool of_web = uid_of(about) == kWeb;
                const bool marked = cluster.in_force[of_web ? "mark shop/web" : "mark node-1"];
                event.what = Seen{{.exists = true,
                                   .uid = uid_of(about),
                                   .version = 41,
                                   .mark = marked ? kId : DecisionId{},
                                   .applied = cluster.in_force[said]},
                                  ""};
            }
            step = advance(std::move(step.action), event);
        }
        action = step.action;
        if (const Send* send = std::get_if<Send>(&step.next)) sends = text_of(send->request);
    }

    std::vector<std::string> undo() const {
        std::vector<std::string> out;
        for (const Request& each : action.undo) out.push_back(text_of(each));
        return out;
    }
    /// The fates of the plan, a letter each: open, applied, done, moot, given up, failed, unknown.
    std::string fates() const {
        std::string out;
        for (const PlannedStep& step : action.plan) {
            out += "oadmgfu"[static_cast<std::size_t>(step.fate)];
        }
        return out;
    }
};

using Texts = std::vector<std::string>;

OpenAction begun(Action kind, std::vector<PlannedStep> plan, std::vector<Request> undo) {
    OpenAction a;
    a.id = kId;
    a.action = std::move(kind);
    a.target = node_id("node-1");
    a.uid = kNode;
    a.plan = std::move(plan);
    a.undo = std::move(undo);
    a.deadline = kDeadline;
    a.expires = kDeadline + minutes(20);
    return a;
}

OpenAction migrating() {
    return begun(Migrate{},
                 {{PutMark{node_id("node-1"), kId, {}}, {}},
                  {SetTaint{node_id("node-1"), Taint::no_schedule}, {}},
                  {EvictPod{kPod1, "web-1"}, {workload_id("web"), 4}},
                  {EvictPod{kPod2, "web-2"}, {}}},
                 {SetTaint{node_id("node-1"), Taint::none}, PutMark{node_id("node-1"), {}, {}}});
}

OpenAction replicating() {
    const WorkloadId web = workload_id("web");
    return begun(Replicate{},
                 {{PutMark{node_id("node-1"), kId, {}}, {}},
                  {SetTaint{node_id("node-1"), Taint::no_schedule}, {}},
                  {PutMark{web, kId, {}}, {}},
                  {SetReplicas{web, 6}, {web, 6}},
                  {SetReplicas{web, 4}, {}},
                  {PutMark{.target = web}, {}}},
                 {SetReplicas{web, 4}, PutMark{.target = web},
                  SetTaint{node_id("node-1"), Taint::none}, PutMark{.target = node_id("node-1")}});
}

TEST(Resumed, what_a_dead_process_did_is_undone_though_nobody_went_on_before_the_deadline) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}, {"quarantine node-1", true}};
    cluster.gone = {{"evict web-1", true}};
    const Successor next(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_TRUE(next.action.undoing);
    EXPECT_EQ(next.action.ended, ActionState::expired);
    EXPECT_EQ(next.action.note, "its time ran out");
    EXPECT_EQ(next.undo(), (Texts{"lift quarantine of node-1", "unmark node-1"}));
    EXPECT_EQ(next.fates(), "aaag");
    EXPECT_EQ(next.sends, "lift quarantine of node-1");
    EXPECT_NE(next.action.confirmed, TimePoint{}) << "it had an effect";
}

TEST(Resumed, what_nobody_did_is_not_undone) {
    Cluster cluster;
    const Successor next(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(next.read, (Texts{"mark node-1", "quarantine node-1", "evict web-1"}))
        << "nobody brings a pod back, so that nothing after it was sent";
    EXPECT_EQ(next.undo(), Texts{});
    EXPECT_EQ(next.fates(), "gggg");
    EXPECT_EQ(next.action.confirmed, TimePoint{});
    EXPECT_EQ(next.sends, "");
}

TEST(Resumed, a_mark_that_came_after_it_was_looked_for_is_taken_off) {
    OpenAction action = advance(migrating(), {kId, kStart, Tick{.started_anew = true}}).action;
    Step step = advance(action, {kId, kDeadline, Tick{}});
    const Live bare{.exists = true, .uid = kNode, .version = 41};
    step = advance(step.action, {kId, kDeadline, Seen{bare, ""}});
    Live marked = bare;
    marked.mark = kId;
    step = advance(step.action, {kId, kDeadline, Seen{marked, ""}});
    step = advance(step.action, {kId, kDeadline, Seen{{.exists = true, .uid = kPod1}, ""}});
    EXPECT_TRUE(step.action.undoing);
    ASSERT_EQ(step.action.undo.size(), 1U);
    EXPECT_EQ(text_of(step.action.undo[0]), "unmark node-1");
}

/// Found by two of 500 kills on a real API server: it arrived after it was looked for, and stayed.
TEST(Resumed, a_mark_that_may_still_come_is_put_there_so_that_it_comes_in_vain) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}, {"quarantine node-1", true}};
    const TimePoint late = kDeadline + minutes(1);
    const Successor next(replicating(), cluster, late);
    ASSERT_EQ(next.sends, "mark shop/web");
    const auto answered = [&](Answered what) {
        return advance(next.action, {kId, late, std::move(what)});
    };
    const auto closes = [&](Step step) {  // Nothing else was done.
        while (!step.action.undoing) {
            PARLEY_CHECK(std::holds_alternative<Read>(step.next));
            const Live live{.exists = true, .uid = uid_of(subject_of(step.action)), .mark = kId};
            step = advance(std::move(step.action), {kId, late, Seen{live, ""}});
        }
        return step.action.undo.size();
    };
    EXPECT_EQ(closes(answered({})), 3U) << "it is taken away again";
    EXPECT_EQ(closes(answered({.ok = false, .code = ErrorCode::unavailable})), 2U)
        << "as under the kill switch: giving back does not wait for it";
    // Somebody was faster: perhaps what was late. It is read again.
    Step step = answered({.ok = false, .code = ErrorCode::conflict});
    EXPECT_TRUE(std::holds_alternative<Wait>(step.next));
    step = advance(step.action, {kId, step.action.not_before, Tick{}});
    EXPECT_EQ(closes(std::move(step)), 3U);
}

TEST(Resumed, what_others_took_away_hides_nothing_of_what_came_after_it) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}};  // Somebody lifted the quarantine.
    cluster.gone = {{"evict web-1", true}, {"evict web-2", true}};
    const Successor next(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(next.fates(), "agaa");
    EXPECT_EQ(next.undo(), Texts{"unmark node-1"});
}

/// The ledger is stored before a workload shrinks again: without a record of that, it did not.
TEST(Resumed, a_workload_that_never_grew_was_not_shrunk_by_us) {
    const WorkloadId web = workload_id("web");
    Cluster cluster;
    cluster.in_force = {
        {"mark node-1", true}, {"quarantine node-1", true}, {"mark shop/web", true}};
    cluster.in_force[text_of(Request(SetReplicas{web, 4}))] = true;
    const Successor next(replicating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(next.fates(), "aaaggg");
    EXPECT_EQ(next.undo(),
              (Texts{"unmark shop/web", "lift quarantine of node-1", "unmark node-1"}));

    // Where it grew, it is shrunk again; where somebody set another value, that stays.
    cluster.in_force[text_of(Request(SetReplicas{web, 4}))] = false;
    cluster.in_force[text_of(Request(SetReplicas{web, 6}))] = true;
    const Successor grown(replicating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(grown.fates(), "aaaagg");
    EXPECT_EQ(grown.undo().front(), text_of(Request(SetReplicas{web, 4})));
    cluster.in_force[text_of(Request(SetReplicas{web, 6}))] = false;
    const Successor scaled(replicating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(scaled.undo().front(), "unmark shop/web");
}

/// The ledger of the process before waits for copies, and says so as what it did last.
TEST(Resumed, an_action_that_waited_has_done_what_it_waited_for) {
    OpenAction waiting = replicating();
    for (std::size_t i = 0; i < 4; ++i) {
        waiting.plan[i].ours = true;
        waiting.plan[i].fate = StepFate::applied;
    }
    waiting.at = 3;
    waiting.awaiting = true;
    waiting.state = ActionState::marked;
    Cluster cluster;
    cluster.in_force = {{"mark shop/web", true}};
    const Successor next(waiting, cluster, kDeadline + minutes(1));
    EXPECT_EQ(next.undo().front(), text_of(Request(SetReplicas{workload_id("web"), 4})));
    EXPECT_EQ(next.fates(), "aaaagg");
}

TEST(Resumed, what_may_not_be_read_may_have_been_done_and_what_cannot_be_is_waited_for) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}};
    cluster.unreadable = {{"quarantine node-1", ErrorCode::denied}};
    const Successor denied(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(denied.undo(), (Texts{"lift quarantine of node-1", "unmark node-1"}));
    cluster.unreadable = {{"quarantine node-1", ErrorCode::unavailable}};
    const Successor waits(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_FALSE(waits.action.undoing) << "nothing is undone before it is known";
    EXPECT_EQ(waits.action.note, "its time ran out") << "why it ends stays";
    cluster.unreadable = {{"quarantine node-1", ErrorCode::gone}};
    const Successor gone(migrating(), cluster, kDeadline + minutes(1));
    EXPECT_EQ(gone.undo(), Texts{"unmark node-1"});
}

TEST(Resumed, within_the_deadline_it_goes_on_where_the_other_stopped) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}, {"quarantine node-1", true}};
    const Successor next(migrating(), cluster, kStart + minutes(1));
    EXPECT_FALSE(is_ending(next.action));
    EXPECT_EQ(next.fates(), "aaoo");
    EXPECT_EQ(next.sends, "evict web-1");
}

TEST(Resumed, an_action_that_others_end_is_looked_through_too) {
    Cluster cluster;
    cluster.in_force = {{"mark node-1", true}, {"quarantine node-1", true}};
    OpenAction found = advance(migrating(), {kId, kStart, Tick{.started_anew = true}}).action;
    const Step step = give_up(found, ActionState::failed, "stepped back");
    EXPECT_TRUE(is_ending(step.action));
    EXPECT_FALSE(step.action.undoing);
    EXPECT_TRUE(std::holds_alternative<Read>(step.next));
    const Successor next(step.action, cluster, kStart + seconds(3));
    EXPECT_EQ(next.action.ended, ActionState::failed);
    EXPECT_EQ(next.action.note, "stepped back");
    EXPECT_EQ(next.undo(), (Texts{"lift quarantine of node-1", "unmark node-1"}));
}

}  // namespace
}  // namespace parley::execution
