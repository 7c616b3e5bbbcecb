#include "layers/explanation/telling/follow.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using model::ActionState;
using model::StepFate;

Follower after(const Round& round, const std::vector<model::ActionEvent>& events) {
    Follower follower(round.open_action());
    for (const auto& event : events) follower.take(event);
    return follower;
}

TEST(Follow, all_steps_are_sent_and_answered) {
    const Round round;
    const Follower follower = after(round, round.all_sent());
    EXPECT_EQ(follower.text(), "3 of 3 sent");
    EXPECT_EQ(follower.state(), ActionState::confirmed);
    EXPECT_EQ(follower.steps()[1],
              (SentStep{"quarantine node-07", "ok", true, StepFate::applied, true}));
}

TEST(Follow, what_is_found_done_is_not_sent) {
    const Round round;
    const Follower follower = after(round, {round.unmarked(), round.answered(), round.seen(true),
                                            round.seen(), round.answered()});
    EXPECT_EQ(follower.done(), 3);
    EXPECT_EQ(follower.steps()[1],
              (SentStep{"quarantine node-07", "found done", true, StepFate::found_done, false}));
    EXPECT_EQ(follower.steps()[2].answer, "ok");
    EXPECT_EQ(follower.text(), "2 of 3 sent, 1 found done");
}

TEST(Follow, an_error_stays_with_its_step) {
    const Round round;
    const Follower follower =
        after(round, {round.unmarked(), round.answered(), round.seen(),
                      round.failed(ErrorCode::denied, "the webhook says no")});
    EXPECT_EQ(follower.text(), "1 of 3 sent, 1 refused: the webhook says no");
    EXPECT_EQ(follower.steps()[1].answer, "denied: the webhook says no");
    EXPECT_EQ(follower.steps()[1].fate, StepFate::failed);
    EXPECT_TRUE(follower.steps()[1].sent);
    EXPECT_EQ(follower.steps()[2].answer, "not sent");
    EXPECT_EQ(follower.steps()[2].fate, StepFate::given_up);
}

TEST(Follow, a_step_that_awaits_replicas_holds_the_next_one_up) {
    Round round;
    model::OpenAction action = round.open_action();
    action.plan[1].then = {fake::workload_id("shop", "web"), 5};
    Follower follower(action);
    model::ActionEvent waits = round.seen();
    std::get<model::Seen>(waits.what).live.ready = 4;
    for (const auto& event :
         {round.unmarked(), round.answered(), round.seen(), round.answered(), waits}) {
        follower.take(event);
    }
    EXPECT_EQ(follower.done(), 2);
    EXPECT_EQ(follower.action().at, 1U);
    std::get<model::Seen>(waits.what).live.ready = 5;
    for (const auto& event : {waits, round.seen(), round.answered()}) follower.take(event);
    EXPECT_EQ(follower.text(), "3 of 3 sent");
}

TEST(Follow, the_guard_holds_a_step) {
    const Round round;
    const Follower follower = after(round, {round.unmarked("the breaker is tripped")});
    EXPECT_EQ(follower.state(), ActionState::held);
    EXPECT_EQ(follower.text(), "0 of 3 sent: the breaker is tripped");
}

TEST(Follow, an_unknown_outcome_is_settled_by_reading) {
    const Round round;
    Follower follower = after(round, {round.unmarked(), round.answered(), round.seen(),
                                      round.failed(ErrorCode::unknown_outcome, "timed out")});
    EXPECT_EQ(follower.state(), ActionState::unknown);
    EXPECT_EQ(follower.steps()[1].fate, StepFate::unknown);
    EXPECT_TRUE(follower.steps()[1].sent);
    follower.take(round.seen(true));
    EXPECT_EQ(follower.steps()[1].answer, "ok");
}

TEST(Follow, a_later_round_shows_how_it_stands) {
    const Round round;
    Follower follower(round.open_action());
    model::OpenAction later = round.open_action();
    later.plan[0].ours = true;
    later.at = 2;
    later.state = ActionState::blocked;
    later.note = "a budget says no";
    follower.meet(later);
    EXPECT_EQ(follower.text(), "1 of 3 sent, 1 found done: a budget says no");
    EXPECT_EQ(follower.steps()[0].answer, "ok");
    EXPECT_EQ(follower.steps()[1].answer, "found done");
}

/// Mark and one eviction, which a budget blocks; then the pod vanishes with its node.
model::OpenAction evicting(const Round& round) {
    model::OpenAction action = round.open_action();
    action.plan.resize(2);
    action.plan[1] = {model::EvictPod{{9, 9}}, {}, false};
    return action;
}

model::ActionEvent pod_there(const Round& round, bool there, std::string refused = {}) {
    model::ActionEvent event = round.seen(false, std::move(refused));
    std::get<model::Seen>(event.what).live.exists = there;
    std::get<model::Seen>(event.what).live.uid = {9, 9};
    return event;
}

TEST(Follow, what_was_gone_before_it_was_sent_was_not_sent) {
    const Round round;
    struct Row {
        const char* name;
        std::vector<model::ActionEvent> events;
        std::string answer;
        bool sent;
        std::string text;
    };
    const Row rows[] = {
        {"the guard held it",
         {pod_there(round, true, "no budget"), pod_there(round, false)},
         "moot: its pod was gone or going before it was sent",
         false,
         "1 of 2 sent, 1 moot"},
        {"a budget refused it",
         {pod_there(round, true), round.failed(ErrorCode::blocked, "429"), pod_there(round, false)},
         "moot: its pod was gone or going before it took effect",
         true,
         "1 of 2 sent, 1 moot"},
        {"the request met nobody",
         {pod_there(round, true), round.failed(ErrorCode::gone, "404")},
         "moot: its pod was gone or going before it took effect",
         true,
         "1 of 2 sent, 1 moot"},
        {"it was under way",
         {pod_there(round, true), round.failed(ErrorCode::unknown_outcome, "reset"),
          pod_there(round, false)},
         "ok",
         true,
         "2 of 2 sent"},
    };
    for (const Row& row : rows) {
        Follower follower(evicting(round));
        follower.take(round.unmarked());
        follower.take(round.answered());
        for (const auto& event : row.events) follower.take(event);
        EXPECT_EQ(follower.steps()[1].answer, row.answer) << row.name;
        EXPECT_EQ(follower.steps()[1].sent, row.sent) << row.name;
        EXPECT_EQ(follower.text(), row.text) << row.name;
    }
}

TEST(Follow, a_target_that_is_gone_makes_the_rest_moot) {
    const Round round;
    model::ActionEvent gone = round.seen();
    std::get<model::Seen>(gone.what).live.exists = false;
    const Follower follower = after(round, {round.unmarked(), round.answered(), gone});
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_EQ(follower.steps()[i].answer, "moot: node-07 was gone before it was sent");
        EXPECT_FALSE(follower.steps()[i].ok);
    }
}

TEST(Follow, records_without_fates_never_call_sent_what_was_not) {
    const Round round;
    model::OpenAction later = evicting(round);
    later.plan[0].ours = true;
    later.at = 2;
    later.state = ActionState::confirmed;
    Follower blind(evicting(round));
    blind.meet(later);
    EXPECT_EQ(blind.steps()[0].answer, "ok");
    EXPECT_EQ(blind.steps()[1].answer, "found done");
    EXPECT_FALSE(blind.steps()[1].sent);
    Follower seeing(evicting(round));
    for (const auto& event : {round.unmarked(), round.answered(), pod_there(round, false)}) {
        seeing.take(event);
    }
    seeing.meet(later);
    EXPECT_EQ(seeing.steps()[1].answer, "moot: its pod was gone or going before it was sent");
    EXPECT_EQ(seeing.contradiction(), "");
    later.undoing = true;
    later.ended = ActionState::expired;
    EXPECT_EQ(Follower(later).steps()[1].answer, "not sent");
}

TEST(Follow, events_and_ledger_that_disagree_are_a_contradiction) {
    const Round round;
    const auto ledger = [&](StepFate fate) {
        model::OpenAction later = evicting(round);
        later.plan[0].ours = true;
        later.plan[0].fate = StepFate::applied;
        later.plan[1].ours = fate == StepFate::applied;
        later.plan[1].fate = fate;
        later.at = 2;
        later.state = ActionState::confirmed;
        return later;
    };
    Follower moot(evicting(round));
    moot.take(round.unmarked());
    moot.take(round.answered());
    moot.take(pod_there(round, false));
    Follower same = moot;
    same.meet(ledger(StepFate::moot));
    EXPECT_EQ(same.contradiction(), "");
    moot.meet(ledger(StepFate::applied));
    EXPECT_NE(moot.contradiction().find("is moot, its ledger that it is applied"),
              std::string::npos);
    EXPECT_EQ(moot.steps()[1].answer, "ok") << "the ledger is the truth";
    // The answer got lost.
    Follower unheard(evicting(round));
    Follower lost = unheard;
    unheard.meet(ledger(StepFate::applied));
    EXPECT_NE(unheard.contradiction(), "");
    lost.lose_track();
    lost.meet(ledger(StepFate::applied));
    EXPECT_EQ(lost.contradiction(), "") << "another process may have heard it";
}

TEST(Follow, events_of_others_are_passed_over) {
    const Round round;
    Follower follower(round.open_action());
    model::ActionEvent other = round.answered();
    other.action = {1, 1};
    follower.take(round.unmarked());
    follower.take(other);
    EXPECT_EQ(follower.done(), 0);
    model::OpenAction stranger = round.open_action();
    stranger.id = {1, 1};
    stranger.at = 3;
    follower.meet(stranger);
    EXPECT_EQ(follower.done(), 0);
}

TEST(Follow, what_would_be_sent_says_so) {
    const Round round;
    model::OpenAction action = round.open_action();
    action.state = ActionState::would_send;
    EXPECT_EQ(Follower(action).text(), "would send 3");
    EXPECT_EQ(Follower(action).rehearsed(), "");
    EXPECT_EQ(Follower(action).steps()[1], (SentStep{"quarantine node-07", "would be sent"}));
}

Follower rehearsed(const Round& round, const std::vector<model::ActionEvent>& events) {
    model::OpenAction action = round.open_action();
    action.state = ActionState::would_send;
    Follower follower(action);
    for (const auto& event : events) follower.take(event);
    return follower;
}

TEST(Follow, what_would_be_sent_shows_the_answers_of_its_dry_runs) {
    const Round round;
    const Follower fine = rehearsed(round, {round.answered(), round.seen(true), round.answered()});
    EXPECT_EQ(fine.text(), "would send 3; dry run: all ok");
    EXPECT_EQ(fine.steps()[0].answer, "dry run: ok");
    EXPECT_EQ(fine.steps()[1].answer, "found done");
    EXPECT_TRUE(fine.steps()[1].ok);
    EXPECT_FALSE(fine.steps()[0].sent) << "a dry run is nothing that was sent";
    EXPECT_EQ(fine.done(), 0);
    EXPECT_EQ(fine.state(), ActionState::would_send);
}

TEST(Follow, a_refused_dry_run_says_why) {
    const Round round;
    const Follower follower =
        rehearsed(round, {round.answered(), round.failed(ErrorCode::denied, "403, no")});
    EXPECT_EQ(follower.text(),
              "would send 3; dry run: 1 of 3 ok; quarantine node-07: denied: 403, no");
    EXPECT_EQ(follower.steps()[1].answer, "dry run: denied: 403, no");
    EXPECT_FALSE(follower.steps()[1].ok);
    EXPECT_EQ(follower.steps()[2].answer, "would be sent") << "it was not tried";
}

}  // namespace
}  // namespace parley::explanation
