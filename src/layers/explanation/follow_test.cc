#include "layers/explanation/follow.h"

#include "layers/explanation/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using model::ActionState;

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
    EXPECT_EQ(follower.steps()[1], (SentStep{"quarantine node-07", "ok", true}));
}

TEST(Follow, what_is_found_done_is_not_sent) {
    const Round round;
    const Follower follower = after(
        round, {round.seen(), round.answered(), round.seen(true), round.seen(), round.answered()});
    EXPECT_EQ(follower.done(), 3);
    EXPECT_EQ(follower.steps()[1].answer, "found done");
    EXPECT_EQ(follower.steps()[2].answer, "ok");
}

TEST(Follow, an_error_stays_with_its_step) {
    const Round round;
    const Follower follower =
        after(round, {round.seen(), round.answered(), round.seen(),
                      round.failed(ErrorCode::denied, "the webhook says no")});
    EXPECT_EQ(follower.text(), "1 of 3 sent: the webhook says no");
    EXPECT_EQ(follower.steps()[1].answer, "denied: the webhook says no");
    EXPECT_EQ(follower.steps()[2].answer, "not sent");
}

TEST(Follow, a_step_that_awaits_replicas_holds_the_next_one_up) {
    Round round;
    model::OpenAction action = round.open_action();
    action.plan[1].then = {fake::workload_id("shop", "web"), 5};
    Follower follower(action);
    model::ActionEvent waits = round.seen();
    std::get<model::Seen>(waits.what).live.ready = 4;
    for (const auto& event :
         {round.seen(), round.answered(), round.seen(), round.answered(), waits}) {
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
    const Follower follower = after(round, {round.seen(false, "the breaker is tripped")});
    EXPECT_EQ(follower.state(), ActionState::held);
    EXPECT_EQ(follower.text(), "0 of 3 sent: the breaker is tripped");
}

TEST(Follow, an_unknown_outcome_is_settled_by_reading) {
    const Round round;
    Follower follower = after(round, {round.seen(), round.answered(), round.seen(),
                                      round.failed(ErrorCode::unknown_outcome, "timed out")});
    EXPECT_EQ(follower.state(), ActionState::unknown);
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
    EXPECT_EQ(follower.text(), "2 of 3 sent: a budget says no");
    EXPECT_EQ(follower.steps()[0].answer, "ok");
    EXPECT_EQ(follower.steps()[1].answer, "found done");
}

TEST(Follow, events_of_others_are_passed_over) {
    const Round round;
    Follower follower(round.open_action());
    model::ActionEvent other = round.answered();
    other.action = {1, 1};
    follower.take(round.seen());
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
}

}  // namespace
}  // namespace parley::explanation
