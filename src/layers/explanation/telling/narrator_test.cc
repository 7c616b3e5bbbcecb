#include "layers/explanation/telling/narrator.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using model::ActionState;

TEST(Narrator, who_won_and_why) {
    Round round;
    EXPECT_EQ(headline(round.decision), "A safety won: replicate node-07");
    EXPECT_EQ(
        reason(round.decision),
        "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes (0.86 x 48.0), acting "
        "12.0. Overruled C and B.");
    EXPECT_EQ(reason_of(round.decision).overruled, "Overruled C and B.");
    const Reason brief = brief_reason_of(round.told());
    EXPECT_EQ(brief.why,
              "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes, acting 12.0.");
    EXPECT_EQ(brief.overruled, "Overruled C and B.");
    EXPECT_EQ(decision_line(round.decision), "A replicate node-07, over C, B");
    EXPECT_EQ(strip_letter(round.decision.verdict), 'A');
}

TEST(Narrator, rows_come_as_they_ranked_with_the_idle_last) {
    Round round;
    const auto events = round.all_sent();
    const auto rows = agent_rows(round.told(events));
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[0].agent, "A safety");
    EXPECT_EQ(rows[0].wanted, "replicate node-07");
    EXPECT_EQ(rows[0].score, "0.86");
    EXPECT_EQ(rows[0].evidence, "risk 0.86");
    EXPECT_EQ(rows[0].acts, "above 0.25");
    EXPECT_EQ(rows[0].result, "accepted, 3 of 3 sent");
    EXPECT_EQ(rows[0].guard, "12 of 12");
    EXPECT_EQ(rows[1].wanted, "queue new batch pods");
    EXPECT_EQ(rows[1].evidence, "9 pods short of CPU");
    EXPECT_EQ(rows[1].result, "lost: action-limit, 1 a round");
    EXPECT_EQ(rows[1].rule, "action-limit");
    EXPECT_EQ(rows[2].result, "lost: danger-blocks-efficiency");
    EXPECT_EQ(rows[2].because, "node-07 is over its own limit");
    EXPECT_EQ(rows[3].agent, "D scaling");
    EXPECT_EQ(rows[3].wanted, "-");
    EXPECT_EQ(rows[3].score, "-");
    EXPECT_EQ(rows[3].result, "skipped: not in this build");
}

TEST(Narrator, how_many_actions_a_round_has_is_what_the_policy_says) {
    Round round;
    round.policy.actions_per_round_max = 3;
    EXPECT_EQ(agent_rows(round.told())[1].result, "lost: action-limit, 3 a round");
}

TEST(Narrator, a_name_may_hold_commas_brackets_and_words_of_ours) {
    const std::string name = "rack 3 (old, Overruled ) node";
    Round round;
    round.forget();
    model::Proposal wish = kit::replicate();
    wish.because = "Risk 0.86 of " + name + ": waiting costs 41.3 pod-minutes (0.86 x 48.0).";
    round.judge(wish, model::Accepted{});
    const Reason brief = brief_reason_of(round.told());
    EXPECT_EQ(brief.why, "Risk 0.86 of " + name + ": waiting costs 41.3 pod-minutes.");
    EXPECT_EQ(brief.overruled, "");
    Round idle;
    idle.decide_nothing("Nearest " + name + ": risk 0.21.", "");
    EXPECT_EQ(brief_reason_of(idle.told()).why,
              "Nobody wants to change anything. A safety: Nearest " + name + ": risk 0.21.");
}

TEST(Narrator, what_stopped_somebody_is_told_without_saying_twice_that_nothing_is_done) {
    Round round;
    round.forget();
    round.judge(kit::replicate(), model::Refused{"cool-down", "node-07 cools down"});
    round.decision.verdict.rule = "all-refused";
    round.decision.verdict.rationale = "Nothing is done: as the referee says it.";
    EXPECT_EQ(reason(round.decision),
              "A safety wanted replicate node-07, refused by cool-down: node-07 cools down.");
}

TEST(Narrator, results_by_fate) {
    struct Case {
        model::Fate fate;
        Outcome outcome;
        const char* result;
    };
    const Case cases[] = {
        {model::Refused{"cool-down", "node-07 cools down for another 12m00s"}, Outcome::refused,
         "refused: cool-down, node-07 cools down for another 12m00s"},
        {model::Overridden{"same-target", model::Role::admission, "C already changes node-07"},
         Outcome::lost, "lost: same-target as C"},
        {model::Overridden{"one-at-a-time", model::Role::safety, "migrate node-03 is on its way"},
         Outcome::lost, "lost: one-at-a-time, migrate node-03 is on its way"},
    };
    for (const Case& each : cases) {
        Round round;
        round.forget();
        round.judge(kit::replicate(), each.fate);
        const auto rows = agent_rows(round.told());
        EXPECT_EQ(rows[0].outcome, each.outcome);
        EXPECT_EQ(rows[0].result, each.result);
    }
}

TEST(Narrator, an_action_that_is_not_sent_says_why) {
    struct Case {
        ActionState state;
        const char* note;
        const char* headline;
        const char* result;
        Outcome outcome;
    };
    const Case cases[] = {
        {ActionState::planned, "", "A safety won: replicate node-07", "accepted",
         Outcome::accepted},
        {ActionState::held, "mode", "A safety won, but is held: replicate node-07", "held: mode",
         Outcome::held},
        {ActionState::would_send, "", "A safety would: replicate node-07", "would: send 3 requests",
         Outcome::would},
        {ActionState::failed, "not begun: the ledger is full", "A safety won: replicate node-07",
         "accepted, not begun: the ledger is full", Outcome::accepted},
    };
    for (const Case& each : cases) {
        Round round;
        round.decision.first_steps[0].action.state = each.state;
        round.decision.first_steps[0].action.note = each.note;
        EXPECT_EQ(headline(round.decision), each.headline);
        EXPECT_EQ(agent_rows(round.told())[0].result, each.result);
        EXPECT_EQ(agent_rows(round.told())[0].outcome, each.outcome);
    }
}

TEST(Narrator, what_would_be_sent_comes_with_the_answers_of_dry_runs) {
    Round round;
    round.decision.first_steps[0].action.state = ActionState::would_send;
    const std::vector events{round.answered(), round.answered(), round.answered()};
    EXPECT_EQ(agent_rows(round.told(events))[0].result, "would: send 3 requests; dry run: all ok");
}

TEST(Narrator, nothing_to_do_says_what_each_was_waiting_for) {
    Round round;
    round.decide_nothing("Nearest node-03: risk 0.21, acts above 0.47.",
                         "Lowest demand node-05: 0.61, acts below 0.45.");
    EXPECT_EQ(headline(round.decision), "Nothing to do");
    EXPECT_EQ(reason(round.decision),
              "Nobody wants to change anything. A safety: Nearest node-03: risk 0.21, acts above "
              "0.47. B efficiency: Lowest demand node-05: 0.61, acts below 0.45.");
    EXPECT_EQ(brief_reason_of(round.told()).why,
              "Nobody wants to change anything. A safety: Nearest node-03: risk 0.21, acts above "
              "0.47.");
    EXPECT_EQ(decision_line(round.decision), "Nothing to do");
    EXPECT_EQ(strip_letter(round.decision.verdict), '.');
}

model::OpenAction giving_back(std::vector<model::Request> undo, const char* note) {
    model::OpenAction action{.round = 12, .role = model::Role::admission, .undoing = true};
    action.undo = std::move(undo);
    action.note = note;
    return action;
}

TEST(Narrator, a_round_that_gives_back_does_not_say_that_nobody_wants_anything) {
    Round round;
    round.decide_nothing("calm", "calm");
    EXPECT_EQ(headline(round.decision), "Nothing to do");
    round.decision.first_steps = {
        {giving_back({model::SetAdmission{}}, "3 pods wait, below 4"), model::Read{}}};
    EXPECT_EQ(headline(round.decision), "C admission lifts its order of round 12");
    EXPECT_EQ(rationale_of(round.decision),
              "C admission lifts its order of round 12: 3 pods wait, below 4.");
    EXPECT_EQ(reason(round.decision).find("Nobody"), std::string::npos) << reason(round.decision);
    round.decision.first_steps = {
        {giving_back({model::ResumeJob{}}, "no order holds 1 Job any more"), model::Read{}}};
    EXPECT_EQ(rationale_of(round.decision),
              "C admission frees Jobs: no order holds 1 Job any more.");
    round.decision.verdict.rule = "all-refused";
    round.decision.verdict.rationale = "Nothing is done: A is refused.";
    EXPECT_EQ(rationale_of(round.decision), "Nothing is done: A is refused.");
}

TEST(Narrator, nothing_is_done_where_all_are_refused_or_overruled) {
    Round refused;
    refused.forget();
    refused.judge(kit::replicate(), model::Refused{"cool-down", "node-07 cools down"});
    EXPECT_EQ(headline(refused.decision), "Nothing is done: A safety is refused, cool-down");
    Round lost;
    lost.forget();
    lost.judge(kit::balloon(),
               model::Overridden{"danger-blocks-efficiency", model::Role::safety, ""});
    EXPECT_EQ(headline(lost.decision),
              "Nothing is done: B efficiency lost, danger-blocks-efficiency");
}

TEST(Narrator, the_prototypes_plain_admit_wins_without_doing_anything) {
    Round round;
    round.forget();
    round.judge(kit::proposal(model::Role::admission, model::Admission{}, model::WholeCluster{}, 1,
                              {}, "queue 0"),
                model::Accepted{});
    EXPECT_EQ(headline(round.decision), "Nothing to do");
    EXPECT_EQ(agent_rows(round.told())[0].result, "accepted, nothing to send");
    EXPECT_EQ(strip_letter(round.decision.verdict), '.');
}

TEST(Narrator, an_uncontested_winner_is_a_small_letter) {
    Round round;
    round.forget();
    round.judge(kit::balloon(), model::Accepted{});
    EXPECT_EQ(strip_letter(round.decision.verdict), 'b');
    EXPECT_EQ(decision_line(round.decision), "B memory_balloon node-05, uncontested");
}

model::ClosedScore score() {
    return {.round = 118,
            .closed = 162,
            .state = model::ScoreState::measured,
            .advantage = model::Cost{model::Role::safety, 3'000'000} +
                         model::Cost{model::Role::efficiency, 1'400'000} +
                         model::Cost{model::Role::admission, 5'000'000},
            .twin_error = model::Cost{model::Role::safety, -900'000}};
}

TEST(Narrator, scores_later) {
    EXPECT_EQ(score_line(score()), "A +3.0  B +1.4  C +5.0  total +9.4 in round 118, twin +8.5");
    model::ClosedScore missing = score();
    missing.state = model::ScoreState::missing;
    missing.because = "no twin followed it";
    EXPECT_EQ(score_line(missing), "not known in round 118: no twin followed it");
    model::ClosedScore open = score();
    open.state = model::ScoreState::open;
    EXPECT_EQ(score_line(open), "still open in round 118");
    model::ClosedScore would = score();
    would.state = model::ScoreState::would;
    would.twin_error.reset();
    would.cut = true;
    would.advantage[model::Role::scaling] = -2'000'000;
    EXPECT_EQ(score_line(would),
              "A +3.0  B +1.4  C +5.0  D -2.0  total +7.4 in round 118 (would: the twin's, nothing "
              "was sent) (cut by a later action)");
}

TEST(Narrator, a_rounds_own_score_says_what_was_missing) {
    model::RoundScore round{.cost = model::Cost{model::Role::efficiency, 300'000} +
                                    model::Cost{model::Role::admission, 100'000},
                            .score = -0.26,
                            .leaves = 8};
    EXPECT_EQ(round_score_line(round), "-0.3 (A 0.0, B -0.3, C -0.1, D 0.0)");
    round.ours = false;
    round.missing = 2;
    EXPECT_EQ(round_score_line(round),
              "-0.3 (A 0.0, B -0.3, C -0.1, D 0.0), not ours, 2 readings missing");
    round.settled = 3;
    EXPECT_EQ(round_score_line(round),
              "-0.3 (A 0.0, B -0.3, C -0.1, D 0.0), not ours, 2 readings missing, with 3 readings "
              "that earlier rounds missed");
    round.missing = 3;
    EXPECT_EQ(round_score_line(round),
              "not known: only 72% of its readings were there, 80% are needed");
}

}  // namespace
}  // namespace parley::explanation
