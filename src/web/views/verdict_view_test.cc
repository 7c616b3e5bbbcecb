#include "web/views/verdict_view.h"

#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

TEST(VerdictView, every_proposal_once_with_the_rule_it_lost_by) {
    kit::Round round;
    const auto views = proposal_views(round.told());
    ASSERT_EQ(views.size(), 4U);
    EXPECT_EQ(views[0].agent, "A safety");
    EXPECT_EQ(views[0].outcome, explanation::Outcome::accepted);
    EXPECT_EQ(views[0].target, "node-07");
    EXPECT_EQ(views[0].target_kind, TargetKind::node);
    EXPECT_EQ(views[0].evidence.scale, Scale::log_odds);
    EXPECT_EQ(views[0].evidence.acts, "above 0.25");
    EXPECT_EQ(views[1].rule, "action-limit");
    EXPECT_EQ(views[1].loses_to, model::Role::safety);
    EXPECT_EQ(views[1].evidence.scale, Scale::count);
    EXPECT_FALSE(views[0].loses_to.has_value());
    EXPECT_EQ(views[3].role, model::Role::scaling);
    EXPECT_FALSE(views[3].score.has_value()) << "who wants nothing has no score, not a score of 0";
}

TEST(VerdictView, lists_every_agent_by_letter_whether_this_build_has_it_or_not) {
    const std::vector<AgentView> agents = agent_views();
    ASSERT_EQ(agents.size(), model::kRoles.size());
    for (const AgentView& each : agents) {
        EXPECT_EQ(each.letter, std::string(1, model::letter_of(each.role)));
        EXPECT_EQ(each.title, model::title_of(each.role));
        EXPECT_EQ(each.here, model::in_this_build(each.role));
    }
    EXPECT_EQ(agents.front().title, "A safety");
}

TEST(VerdictView, a_role_that_nobody_plays_says_so) {
    kit::Round round;
    round.decide_nothing("all is well", "nothing to save");
    const auto views = proposal_views(round.told());
    EXPECT_EQ(views.back().role, model::Role::scaling);
    EXPECT_EQ(views.back().result, "skipped: not in this build");
}

TEST(VerdictView, what_was_sent_and_answered) {
    kit::Round round;
    const auto none = sent_views(round.told());
    ASSERT_EQ(none.size(), 1U);
    EXPECT_EQ(none[0].requests.size(), 3U);
    EXPECT_EQ(none[0].requests[0].answer, "not sent");
    const auto events = round.all_sent();
    const auto sent = sent_views(round.told(events));
    EXPECT_EQ(sent[0].state, model::ActionState::confirmed);
    EXPECT_EQ(sent[0].guard, "12 of 12");
    EXPECT_EQ(sent[0].expires_at, "T+37:06");
    for (const RequestView& each : sent[0].requests) {
        EXPECT_TRUE(each.ok);
        EXPECT_FALSE(each.ms.has_value()) << "simulated: it took no time";
    }
    const std::vector<model::ActionEvent> bad = {round.unmarked(),
                                                 round.failed(ErrorCode::denied, "forbidden")};
    const auto failed = sent_views(round.told(bad));
    EXPECT_EQ(failed[0].requests[0].answer, "denied: forbidden");
    EXPECT_FALSE(failed[0].requests[0].ok);
}

TEST(VerdictView, requests_to_a_real_cluster_have_a_time) {
    kit::Round round;
    round.input.controls.simulated = false;
    auto events = round.all_sent();
    events[1].at = events[0].at + milliseconds(12);
    const auto sent = sent_views(round.told(events));
    EXPECT_EQ(sent[0].requests[0].ms, 12);
}

TEST(VerdictView, an_action_of_an_earlier_round_is_open) {
    kit::Round round;
    round.decision.first_steps[0].action.round = 140;
    EXPECT_TRUE(sent_views(round.told()).empty());
    const auto open = open_views(round.told());
    ASSERT_EQ(open.size(), 1U);
    EXPECT_EQ(open[0].label, "replicate node-07");
    EXPECT_EQ(open[0].total, 3);
}

TEST(VerdictView, a_score_that_is_not_known_is_not_zero) {
    model::ClosedScore score{.round = 118, .closed = 142, .state = model::ScoreState::missing};
    score.because = "no counters";
    ClosedView view = closed_view(score, true);
    EXPECT_EQ(view.state, ClosedState::unknown);
    EXPECT_FALSE(view.total || view.by[model::Role::safety] || view.twin);
    score.state = model::ScoreState::measured;
    score.advantage = model::Cost{model::Role::safety, 3'000'000} +
                      model::Cost{model::Role::efficiency, 1'400'000} +
                      model::Cost{model::Role::admission, 5'000'000};
    score.twin_error = model::Cost{model::Role::safety, -900'000};
    view = closed_view(score, true);
    EXPECT_EQ(view.total, 9.4);
    EXPECT_EQ(view.twin, 8.5);
    score.state = model::ScoreState::would;
    EXPECT_EQ(closed_view(score, true).state, ClosedState::would);
    score.state = model::ScoreState::censored;
    view = closed_view(score, true);
    EXPECT_EQ(view.state, ClosedState::censored);
    EXPECT_FALSE(view.total || view.by[model::Role::safety] || view.twin);
}

TEST(VerdictView, a_score_that_a_later_action_cut_short_says_so_in_a_field) {
    model::ClosedScore score{.round = 118, .closed = 142};
    EXPECT_FALSE(closed_view(score, true).cut);
    score.cut = true;
    EXPECT_TRUE(closed_view(score, true).cut);
}

}  // namespace
}  // namespace parley::web
