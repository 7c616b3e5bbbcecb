#include "layers/explanation/answers/why.h"

#include "base/json.h"
#include "fake/disk.h"
#include "layers/explanation/answers/why_text.h"
#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;

constexpr TimePoint at(std::uint64_t round) {
    return {seconds(3 * static_cast<std::int64_t>(round)).us};
}

/// Six rounds: calm, contested (sent), calm, uncontested, calm, and the first one's score.
struct MadeRun {
    fake::Disk disk;

    explicit MadeRun(store::RecordLevel level = store::RecordLevel::full) {
        Round first(1, at(1));
        kit::Recording recording(disk, "run", first.policy, level);
        first.decide_nothing("Nearest node-03: risk 0.21.", "Lowest demand node-05: 0.61.");
        recording.keep(first);
        Round second(2, at(2));
        second.risk(7).spoke.add(model::Signal::lease_slow);
        second.node(7).lease = second.lease(seconds(23));
        recording.keep(second, second.all_sent());
        Round third(3, at(3));
        third.decide_nothing("calm", "calm");
        recording.keep(third);
        Round fourth(4, at(4));
        fourth.forget();
        fourth.judge(kit::balloon(), model::Accepted{}, {8, 8, "", {}});
        fourth.decision.verdict.contest = model::Contest::uncontested;
        recording.keep(fourth);
        Round fifth(5, at(5));
        fifth.decide_nothing("calm", "calm");
        fifth.decision.closed.push_back(
            {.id = {7, 2},
             .round = 2,
             .closed = 5,
             .action = model::Replicate{},
             .target = kit::node_id(7),
             .advantage = model::Cost{model::Role::safety, 8'100'000} +
                          model::Cost{model::Role::efficiency, 1'000'000} +
                          model::Cost{model::Role::admission, 3'100'000},
             .twin_error = model::Cost{model::Role::safety, -6'000'000},
             .regret = model::Cost{model::Role::safety, -1'500'000},
             .loser = "AgentC:admission:queue",
             .opened = at(2),
             .ended = at(5)});
        recording.keep(fifth);
        recording.finish(5);
    }

    Result<WhyAnswer> ask(WhyQuery query = {}) {
        query.run = "runs/x";
        auto reader = store::RunReader::open(disk, "run");
        EXPECT_TRUE(reader);
        return why(*reader, query);
    }
};

TEST(Why, without_a_selector_the_last_contested_round) {
    MadeRun run;
    const auto answer = run.ask();
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->round, 2U);
    EXPECT_EQ(answer->at, "T+00:06");
    ASSERT_EQ(answer->winners.size(), 1U);
    const WhyWinner& winner = answer->winners[0];
    EXPECT_EQ(winner.row.result, "accepted, 3 of 3 sent");
    EXPECT_EQ(winner.figures.at(0), "Risk that it fails within 10 min: 0.86, by evidence.");
    EXPECT_EQ(winner.figures.at(1),
              "Waiting would cost 41.3 pod-minutes (0.86 x 48.0), acting 12.0.");
    EXPECT_EQ(winner.signals, std::vector<std::string>{"lease 23s old (alone 0.10)"});
    EXPECT_EQ(winner.state, model::ActionState::confirmed);
    EXPECT_EQ(winner.sent.size(), 3U);
    EXPECT_EQ(winner.outcome,
              "From T+00:06 to T+00:15: score +12.2 (A +8.1, B +1.0, C +3.1); the twin had said "
              "+6.2; by the twins AgentC:admission:queue instead would have been 1.5 worse.");
    EXPECT_EQ(answer->losers.size(), 2U);
    EXPECT_EQ(answer->idle.size(), 1U);
    EXPECT_EQ(answer->closer, (std::vector<std::string>{"parley why runs/x --node node-07",
                                                        "parley why-not runs/x queue --round 2"}));
}

TEST(Why, a_round_by_its_number) {
    MadeRun run;
    const auto calm = run.ask({.round = 1});
    ASSERT_TRUE(calm);
    EXPECT_TRUE(calm->winners.empty());
    EXPECT_EQ(calm->headline, "Nothing to do");
    EXPECT_EQ(calm->idle.size(), 2U);
    const auto open = run.ask({.round = 4});
    ASSERT_TRUE(open);
    EXPECT_EQ(open->winners.at(0).row.wanted, "memory_balloon node-05");
}

TEST(Why, a_round_that_is_not_there_is_one_sentence) {
    MadeRun run;
    const auto answer = run.ask({.round = 900});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::denied);
    EXPECT_EQ(answer.error().message, "round 900 is not in this record, which holds rounds 1 to 5");
}

TEST(Why, the_history_of_a_node) {
    MadeRun run;
    const auto answer = run.ask({.node = "node-07"});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->about, "node-07");
    EXPECT_EQ(answer->round, 2U);
    EXPECT_EQ(answer->highest_round, 1U);
    EXPECT_TRUE(answer->headline.starts_with(
        "node-07: highest risk 0.86 in round 1, over its own limit in 5 of 5 rounds; 1 action;"))
        << answer->headline;
    ASSERT_GE(answer->history.size(), 3U);
    EXPECT_EQ(answer->history.back().text,
              "score of replicate: A +8.1  B +1.0  C +3.1  total +12.2 in round 2, twin +6.2");
}

TEST(Why, a_node_or_workload_that_never_was) {
    MadeRun run;
    const auto node = run.ask({.node = "node-77"});
    ASSERT_FALSE(node);
    EXPECT_EQ(node.error().message,
              "this run has no node called \"node-77\"; did you mean node-07?");
    EXPECT_FALSE(run.ask({.workload = "shop/wep2"}));
    EXPECT_TRUE(run.ask({.workload = "shop/web"}));
}

TEST(Why, an_action_whose_window_is_not_over_is_censored_never_zero) {
    fake::Disk disk;
    Round round(1, at(1));
    kit::Recording recording(disk, "run", round.policy);
    recording.keep(round,
                   {round.unmarked(), round.failed(ErrorCode::denied, "the webhook says no")});
    auto reader = store::RunReader::open(disk, "run");
    const auto answer = why(*reader, {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->winners[0].outcome,
              "Censored: the record ends in round 1, before its score was due.");
    EXPECT_EQ(answer->winners[0].sent[0].answer, "denied: the webhook says no");
    ASSERT_TRUE(answer->winners[0].score);
    EXPECT_EQ(answer->winners[0].score->state, model::ScoreState::censored);
}

TEST(Why, the_end_of_a_run_censors_with_what_was_seen) {
    fake::Disk disk;
    Round round(1, at(1));
    kit::Recording recording(disk, "run", round.policy);
    model::OpenScore open{.id = {7, 1}, .round = 1, .action = model::Replicate{}};
    open.target = kit::node_id(7);
    round.decision.open_scores = {open};
    recording.keep(round, round.all_sent());
    open.due = at(1) + minutes(30);
    open.observed[model::Role::safety] = 2'500'000;
    open.samples = 12;
    open.notes = {{2, kit::node_id(7), "emptied"}};
    for (std::uint64_t n = 2; n <= 3; ++n) {
        Round later(n, at(n));
        later.decide_nothing("calm", "calm");
        later.decision.open_scores = {open};
        recording.keep(later);
    }
    recording.finish(3);
    auto reader = store::RunReader::open(disk, "run");
    const auto answer = why(*reader, {.round = 1});
    ASSERT_TRUE(answer);
    const WhyWinner& winner = answer->winners.at(0);
    EXPECT_TRUE(winner.outcome.starts_with("Censored: the run ended in round 3, "))
        << winner.outcome;
    EXPECT_TRUE(
        winner.outcome.ends_with("before its score was due; so far it cost 2.5 pod-minutes "
                                 "over 12 readings."))
        << winner.outcome;
    EXPECT_EQ(winner.since, "node-07 emptied in round 2");
    EXPECT_EQ(winner.score->samples, 12);
    EXPECT_EQ(winner.score->advantage, model::Cost{});
}

TEST(Why, only_the_end_of_a_run_closes_what_is_open) {
    fake::Disk disk;
    Round round(1, at(1));
    model::OpenScore open{.id = {7, 1}, .round = 1, .action = model::Replicate{}};
    open.target = kit::node_id(7);
    open.due = at(1) + minutes(30);
    open.observed[model::Role::safety] = 2'500'000;
    open.samples = 12;
    round.decision.open_scores = {open};
    const auto outcome = [&](const WhyQuery& query) {
        const auto answer = why(disk, "run", query);
        return answer ? *answer : WhyAnswer{.headline = answer.error().message};
    };
    {
        kit::Recording recording(disk, "run", round.policy);
        recording.keep(round, round.all_sent());
        const WhyAnswer going = outcome({.round = 1});
        ASSERT_EQ(going.winners.size(), 1U) << going.headline;
        EXPECT_EQ(going.winners[0].outcome,
                  "Still open: due at T+30:03; so far it cost 2.5 pod-minutes over 12 readings.");
        EXPECT_EQ(going.winners[0].score->state, model::ScoreState::open);
        EXPECT_EQ(outcome({.node = "node-07"}).history.back().text,
                  "score of replicate: still open in round 1: due at T+30:03; so far it cost 2.5 "
                  "pod-minutes over 12 readings");
    }
    // Its writer is gone, and recorded no end.
    const WhyAnswer cut = outcome({.round = 1});
    ASSERT_EQ(cut.winners.size(), 1U) << cut.headline;
    EXPECT_TRUE(cut.winners[0].outcome.starts_with("Censored: the record ends in round 1, "))
        << cut.winners[0].outcome;
    EXPECT_TRUE(outcome({.node = "node-07"})
                    .history.back()
                    .text.starts_with("score of replicate: censored in round 1: the record ends"));
}

TEST(Why, a_record_whose_events_and_ledger_disagree_is_an_alarm) {
    for (const bool planted : {false, true}) {
        fake::Disk disk;
        Round round(1, at(1));
        kit::Recording recording(disk, "run", round.policy);
        // The second step is held; a later ledger shows it as moot, or as sent and answered.
        recording.keep(round, {round.unmarked(), round.answered(), round.seen(false, "no budget")});
        Round later(2, at(2));
        later.decide_nothing("calm", "calm");
        model::OpenAction ended = round.open_action();
        ended.plan[0].ours = true;
        ended.plan[0].fate = model::StepFate::applied;
        for (const std::size_t i : {1U, 2U}) {
            ended.plan[i].ours = planted;
            ended.plan[i].fate = planted ? model::StepFate::applied : model::StepFate::moot;
        }
        ended.undoing = true;
        ended.ended = model::ActionState::moot;
        ended.state = model::ActionState::moot;
        ended.note = "node-07 is gone";
        later.decision.ended = {ended};
        recording.keep(later);
        recording.finish(2);
        auto reader = store::RunReader::open(disk, "run");
        const auto answer = why(*reader, {.round = 1});
        ASSERT_TRUE(answer);
        const WhyWinner& winner = answer->winners.at(0);
        EXPECT_EQ(winner.sent[1].answer,
                  planted ? "ok" : "moot: node-07 was gone before it was sent");
        ASSERT_EQ(answer->alarms.size(), planted ? 1U : 0U);
        if (!planted) continue;
        EXPECT_EQ(answer->alarms[0],
                  "the record contradicts itself: its events say that \"quarantine node-07\" is "
                  "open, its ledger that it is applied; suspect layer 5");
    }
}

TEST(Why, nothing_sent_because_the_ledger_could_not_be_stored_is_said) {
    fake::Disk disk;
    Round round(1, at(1));
    kit::Recording recording(disk, "run", round.policy);
    recording.keep(round);
    Round later(2, at(2));
    later.decide_nothing("calm", "calm");
    later.input.controls.ledger_unstored = "storing the ledger: 503";
    recording.keep(later);
    recording.finish(2);
    auto reader = store::RunReader::open(disk, "run");
    const auto answer = why(*reader, {.round = 1});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->winners.at(0).note, "storing the ledger: 503");
    const std::string text = text_of(*answer);
    EXPECT_NE(text.find("; storing the ledger:"), std::string::npos) << text;
}

TEST(Why, a_run_without_rounds_says_so) {
    fake::Disk disk;
    kit::Recording recording(disk, "run", {});
    auto reader = store::RunReader::open(disk, "run");
    const auto answer = why(*reader, {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().message, "this run has no round yet");
}

TEST(Why, a_record_of_decisions_answers_what_it_can) {
    MadeRun run(store::RecordLevel::decisions);
    const auto answer = run.ask();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->at, "?");
    EXPECT_EQ(answer->missing.back(), "the readings: this record keeps decisions only");
    EXPECT_EQ(answer->winners.at(0).row.wanted, "replicate node-07");
    EXPECT_EQ(answer->winners.at(0).sent.size(), 3U);
    const auto node = run.ask({.node = "node-07"});
    ASSERT_TRUE(node) << "an agent spoke of it";
    ASSERT_FALSE(node->history.empty());
    EXPECT_EQ(node->history.front().at, "?") << "not the beginning of 1970";
    EXPECT_EQ(run.ask({.node = "node-03"}).error().message,
              "this record holds no observed nodes (it was made with --record decisions), and "
              "no proposal in it names \"node-03\"");
}

TEST(Why, the_prototype_acted_by_its_bound_and_not_by_what_acting_would_have_cost) {
    fake::Disk disk;
    Round round(1, at(1));
    round.policy.profile = model::Profile::prototype;
    kit::Recording recording(disk, "run", round.policy);
    recording.keep(round);
    recording.finish(1);
    const auto answer = why(disk, "run", {.run = "run", .round = 1});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->winners.at(0).figures,
              (std::vector<std::string>{"Risk that it fails within 10 min: 0.86, by evidence.",
                                        "It acts above 0.25: risk 0.86."}));
}

/// Every twentieth round of 230 acts; keyframes stand 50 rounds apart.
void record_long(fake::Disk& disk) {
    kit::Recording recording(disk, "run", Round(1, at(1)).policy);
    for (std::uint64_t n = 1; n <= 230; ++n) {
        Round round(n, at(n));
        const bool acts = n % 20 == 0;
        if (!acts) round.decide_nothing("calm", "calm");
        if (n == 43 || n == 205) {  // The outcome of round 40; of round 200 only the score.
            round.decision.closed.push_back({.id = {7, n == 43 ? 40U : 200U},
                                             .round = n == 43 ? 40U : 200U,
                                             .closed = n,
                                             .action = model::Replicate{},
                                             .target = kit::node_id(7),
                                             .opened = at(n - 3),
                                             .ended = at(n)});
        }
        recording.keep(round, acts ? round.all_sent() : std::vector<model::ActionEvent>());
    }
    recording.finish(230);
}

TEST(Why, an_answer_that_begins_at_a_keyframe_is_that_of_the_whole_record) {
    fake::Disk disk;
    record_long(disk);
    std::vector<std::optional<std::uint64_t>> rounds{std::nullopt, 999};
    for (std::uint64_t n = 1; n <= 230; n += n % 20 == 1 ? 18 : 1) rounds.emplace_back(n);
    for (const auto& round : rounds) {
        auto reader = store::RunReader::open(disk, "run");
        ASSERT_TRUE(reader);
        const WhyQuery query{.run = "run", .round = round};
        const auto whole = why(*reader, query);
        const auto near = why(disk, "run", query);
        ASSERT_EQ(near.has_value(), whole.has_value());
        if (!whole) {
            EXPECT_EQ(near.error().message, whole.error().message);
        } else {
            EXPECT_EQ(to_json(*near), to_json(*whole)) << round.value_or(0);
        }
    }
}

TEST(Why, a_node_that_nothing_was_done_about_is_told_with_the_last_round) {
    MadeRun run;
    const auto answer = run.ask({.node = "node-03"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->round, 5U);
    const auto last = run.ask({.round = 5});
    ASSERT_TRUE(last);
    EXPECT_EQ(answer->at, last->at);
    EXPECT_EQ(answer->idle.size(), last->idle.size());
    EXPECT_FALSE(answer->idle.empty());
    EXPECT_EQ(answer->closer, std::vector<std::string>{"parley why runs/x --round 5"});
}

}  // namespace
}  // namespace parley::explanation
