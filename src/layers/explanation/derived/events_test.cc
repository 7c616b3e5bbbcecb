#include "layers/explanation/derived/events.h"

#include "layers/explanation/telling/story_kit_test.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using kit::Round;
using Texts = std::vector<std::string>;

Texts texts(const std::vector<Event>& events) {
    Texts out;
    for (const Event& event : events) {
        out.push_back(std::string(enum_name(event.kind)) + ": " + event.message);
    }
    return out;
}

/// A teller that has seen a quiet round before.
struct Told2 {
    Teller teller{EventSource::record};
    Round round;

    Told2() {
        round.decide_nothing("calm", "calm");
        round.risk(7).risk = 0.01;
        teller.tell(round.told());
    }
    Texts next(const std::vector<model::ActionEvent>& events = {}) {
        round.move_to(round.input.round + 1, round.input.now + seconds(3));
        return texts(teller.tell(round.told(events)));
    }
};

TEST(Events, the_first_round_says_what_there_is) {
    Teller teller(EventSource::record);
    Round round;
    const auto events = round.all_sent();
    EXPECT_EQ(texts(teller.tell(round.told(events))),
              (Texts{"stage: live loop began, profile parley, mode act (simulated)",
                     "cluster: 12 nodes Ready, 4 pods, 0 pending",
                     "decision: A replicate node-07, over C, B",
                     "execution: replicate node-07: 3 of 3 answered ok; expires T+37:06"}));
}

TEST(Events, a_round_without_changes_says_nothing) {
    Told2 told;
    EXPECT_EQ(told.next(), Texts{});
    EXPECT_EQ(told.next(), Texts{});
}

TEST(Events, a_new_decision_and_its_progress_are_told_once) {
    Told2 told;
    told.round.move_to(142, told.round.input.now);
    told.round.decide_contested();
    const auto events = told.round.all_sent();
    const auto first = texts(told.teller.tell(told.round.told(events)));
    EXPECT_EQ(first, (Texts{"decision: A replicate node-07, over C, B",
                            "execution: replicate node-07: 3 of 3 answered ok; expires T+37:06"}));
    told.round.decide_nothing("calm", "calm");
    EXPECT_EQ(told.next(), (Texts{"decision: Nothing to do"}));
    model::OpenAction ended = Round().open_action();
    ended.state = model::ActionState::confirmed;
    ended.undoing = true;
    ended.ended = model::ActionState::confirmed;
    ended.undo.push_back(model::SetTaint{});
    told.round.decision.ended = {ended};
    EXPECT_EQ(told.next(), (Texts{"execution: replicate node-07 of round 142 is over, undone"}));
}

TEST(Events, a_run_that_goes_on_tells_of_answers_in_the_next_round) {
    Teller teller(EventSource::input);
    Round round;
    teller.tell(round.told());
    const auto events = round.all_sent();
    round.decide_nothing("calm", "calm");
    round.input.events = events;
    EXPECT_EQ(texts(teller.tell(round.told())),
              (Texts{"execution: replicate node-07: 3 of 3 answered ok; expires T+37:06",
                     "decision: Nothing to do"}));
}

TEST(Events, what_dry_runs_were_answered_is_told) {
    Round round;
    round.decision.first_steps[0].action.state = model::ActionState::would_send;
    const std::vector events{round.answered(), round.answered(),
                             round.failed(ErrorCode::denied, "403, no")};
    const std::string would = "execution: replicate node-07: would send 3 requests";
    const std::string tried =
        "execution: replicate node-07: dry run: 2 of 3 ok; shop/web to 7: denied: 403, no";
    Teller recorded(EventSource::record);
    const Texts at_once = texts(recorded.tell(round.told(events)));
    EXPECT_EQ((Texts{at_once.end() - 2, at_once.end()}), (Texts{would, tried}));
    Teller running(EventSource::input);
    EXPECT_EQ(texts(running.tell(round.told())).back(), would);
    round.input.events = events;
    EXPECT_EQ(texts(running.tell(round.told())), Texts{tried}) << "in the next round";
}

TEST(Events, an_action_that_goes_on_after_it_was_held_is_told_of_again) {
    Told2 told;
    told.round.move_to(142, told.round.input.now);
    told.round.decide_contested();
    const Round begun = told.round;
    const auto last = [&](const std::vector<model::ActionEvent>& events) {
        const auto found = told.teller.tell(told.round.told(events));
        told.round.decide_nothing("calm", "calm");
        told.round.move_to(told.round.input.round + 1, told.round.input.now + seconds(3));
        return found.empty() ? Event{} : found.back();
    };
    const Event held = last({begun.unmarked(), begun.answered(), begun.seen(false, "no budget")});
    EXPECT_EQ(held.message, "replicate node-07 is held: no budget");
    EXPECT_NE(held.data.find("\"sent\":false"), std::string::npos);
    EXPECT_EQ(last({begun.seen(false, "no budget")}).kind, EventKind::decision) << "calm again";
    EXPECT_EQ(last({begun.seen(false, "no budget")}).message, "") << "it is held as before";
    const Event on = last({begun.seen(), begun.answered()});
    EXPECT_EQ(on.message, "replicate node-07 goes on: 2 of 3 answered ok");
    EXPECT_EQ(last({}).message, "") << "nothing of it moved";
    // A request under way is sent, whatever comes of it.
    const Event sent = last({begun.seen()});
    EXPECT_EQ(sent.message, "replicate node-07 goes on: 2 of 3 answered ok");
    EXPECT_EQ(sent.data.find("\"sent\":false"), std::string::npos);
    const Event held_up = last({begun.failed(ErrorCode::blocked, "no budget")});
    EXPECT_EQ(held_up.message, "replicate node-07 is blocked: no budget");
    EXPECT_EQ(last({begun.seen(), begun.answered()}).message,
              "replicate node-07: 3 of 3 answered ok; expires T+37:06");
}

TEST(Events, sources_that_go_late_and_recover) {
    Told2 told;
    told.round.api().condition = model::SourceCondition::late;
    EXPECT_EQ(told.next(), (Texts{"source: api 3s LATE (limit 15s)"}));
    EXPECT_EQ(told.next(), Texts{});
    told.round.api().condition = model::SourceCondition::ok;
    EXPECT_EQ(told.next(), (Texts{"source: api 3s, ok again"}));
}

TEST(Events, nodes_that_are_lost_come_back_or_go) {
    Told2 told;
    told.round.break_node(3);
    EXPECT_EQ(told.next(), (Texts{"cluster: node-03 is not Ready"}));
    told.round.node(3).ready = model::Readiness::yes;
    told.round.node(4).power = model::Power::sleep;
    EXPECT_EQ(told.next(), (Texts{"cluster: node-03 is Ready", "cluster: node-04 is asleep"}));
    told.round.node(5).uid = {9, 9};
    EXPECT_EQ(told.next(), (Texts{"cluster: node-05 is new"}));
}

TEST(Events, many_nodes_at_once_are_counted) {
    Told2 told;
    for (int n = 1; n <= 12; ++n) told.round.break_node(n);
    const Texts found = told.next();
    ASSERT_EQ(found.size(), 9U);
    EXPECT_EQ(found.back(), "cluster: and 4 more nodes changed");
}

TEST(Events, phases_of_the_exerciser) {
    Told2 told;
    told.round.input.snapshot.stimulus = model::Stimulus{.phase = Name::of("admission-queue"),
                                                         .intent = "AgentC:admission:queue",
                                                         .text = "12 pods of 100m CPU and 64Mi"};
    EXPECT_EQ(told.next(), (Texts{"exercise: admission-queue: 12 pods of 100m CPU and 64Mi; meant "
                                  "C admission:queue"}));
    EXPECT_EQ(told.next(), Texts{});
    // Its effect becomes known later.
    told.round.input.snapshot.stimulus->text += ": 12 of 12 wait";
    EXPECT_EQ(told.next(), (Texts{"exercise: admission-queue: 12 pods of 100m CPU and 64Mi: 12 of "
                                  "12 wait; meant C admission:queue"}));
    told.round.input.snapshot.stimulus.reset();
    EXPECT_EQ(told.next(), (Texts{"exercise: the exerciser is done"}));
}

TEST(Events, alarms_are_raised_and_cleared) {
    Told2 told;
    told.round.decision.alarms.push_back({.sentence = "node-12 has had no sample for 10 rounds"});
    EXPECT_EQ(
        told.next(),
        (Texts{"alarm: node-12 has had no sample for 10 rounds; suspect layer 1, observation"}));
    told.round.decision.alarms[0].sentence = "node-12 has had no sample for 11 rounds";
    EXPECT_EQ(told.next(), Texts{});
    told.round.decision.alarms.clear();
    EXPECT_EQ(told.next(), (Texts{"alarm: cleared: node-12 has had no sample for 11 rounds"}));
}

TEST(Events, disagreements_come_and_go_with_the_layer_to_look_at) {
    Told2 told;
    told.round.forecast.model = "formula";
    auto& differ = told.round.decision.disagreements;
    differ.push_back({model::DisagreementKind::not_ready_but_safe, kit::node_id(7),
                      "node-07 is not Ready, but its risk is only 0.01"});
    EXPECT_EQ(told.next(),
              (Texts{"disagreement: node-07 is not Ready, but its risk is only 0.01 by formula; "
                     "suspect layer 2, prediction"}));
    differ[0].sentence = "node-07 is not Ready, but its risk is only 0.02";
    EXPECT_EQ(told.next(), Texts{});
    differ.clear();
    EXPECT_EQ(told.next(), (Texts{"disagreement: cleared: node-07 is not Ready, but its risk is "
                                  "only 0.02"}));
}

TEST(Events, scores_that_closed) {
    Told2 told;
    told.round.decision.closed.push_back({.round = 118,
                                          .action = model::Replicate{},
                                          .target = kit::node_id(7),
                                          .advantage = {model::Role::safety, 3'000'000}});
    EXPECT_EQ(told.next(), (Texts{"score: replicate node-07: A +3.0  B 0.0  C 0.0  total +3.0 in "
                                  "round 118"}));
}

TEST(Events, an_action_held_round_after_round_is_told_once) {
    Told2 told;
    for (int i = 0; i < 3; ++i) {
        told.round.move_to(told.round.input.round + 1, told.round.input.now + seconds(3));
        told.round.decide_contested();
        model::OpenAction& action = told.round.decision.first_steps[0].action;
        action.state = model::ActionState::held;
        action.note = "node-07 cools down for another " + std::to_string(60 - i) + "s";
        const auto events = texts(told.teller.tell(told.round.told()));
        if (i == 0) {
            EXPECT_EQ(events.back(),
                      "execution: replicate node-07 is held: node-07 cools down for another 60s");
        } else {
            EXPECT_EQ(events, Texts{});
        }
    }
}

TEST(Events, freed_jobs_are_told_of_while_it_happens) {
    Told2 told;
    model::OpenAction freeing{.id = {7, 7}, .round = 143, .role = model::Role::admission};
    freeing.action = model::Admission{};
    freeing.target = model::WholeCluster{};
    freeing.undo = {model::ResumeJob{}, model::ResumeJob{}};
    freeing.undoing = true;
    freeing.state = model::ActionState::marked;
    freeing.ended = model::ActionState::confirmed;
    freeing.note = "no order holds 2 Jobs any more";
    told.round.decision.first_steps = {{freeing, model::Read{}}};
    EXPECT_EQ(told.next(),
              (Texts{"decision: C admission frees Jobs",
                     "execution: 0 of 2 Jobs are freed: no order holds 2 Jobs any more"}));
    freeing.at = 1;
    told.round.decision.first_steps = {{freeing, model::Read{}}};
    EXPECT_EQ(told.next(),
              (Texts{"execution: 1 of 2 Jobs are freed: no order holds 2 Jobs any more"}));
    EXPECT_EQ(told.next(), Texts{}) << "nothing of it moved";
}

TEST(Events, a_ledger_that_cannot_be_read_or_stored) {
    Told2 told;
    model::Controls& controls = told.round.input.controls;
    controls.ledger_unread = "reading the ledger: 503";
    EXPECT_EQ(told.next(), (Texts{"stage: reading the ledger: 503"}));
    EXPECT_EQ(told.next(), Texts{}) << "once";
    controls.ledger_unread.clear();
    controls.ledger_unstored = "storing the ledger: 409";
    EXPECT_EQ(told.next(), (Texts{"stage: the ledger can be read again",
                                  "stage: in the round before: storing the ledger: 409"}));
}

TEST(Events, mode_and_kill_switch) {
    Told2 told;
    told.round.input.controls.mode = model::Mode::observe;
    EXPECT_EQ(told.next(), (Texts{"stage: mode is now observe (simulated)"}));
    told.round.input.controls.stop = true;
    EXPECT_EQ(told.next(), (Texts{"stage: stopped: nothing is sent any more"}));
    EXPECT_EQ(told.next(), Texts{});
    told.round.input.controls.stop = false;
    EXPECT_EQ(told.next(), (Texts{"stage: the stop was lifted"}));
    told.round.input.controls.stop = true;
    told.next();
    told.round.input.controls.stop = false;
    told.teller.lifted = [](std::optional<TimePoint> before) {
        EXPECT_FALSE(before) << "its clock is not that of the people";
        return std::string(" by ann: the node is back");
    };
    EXPECT_EQ(told.next(), (Texts{"stage: the stop was lifted by ann: the node is back"}));
}

TEST(Events, a_line_is_strict_json) {
    const Event event{{seconds(426).us}, 142, EventKind::alarm, "a \"b\"\n", "{\"x\":1}"};
    EXPECT_EQ(json_line(event, true),
              "{\"time\":426,\"at\":\"T+07:06\",\"round\":142,\"kind\":\"alarm\",\"stage\":"
              "\"live_kubernetes_loop\",\"message\":\"a \\\"b\\\"\\n\",\"data\":{\"x\":1}}");
}

}  // namespace
}  // namespace parley::explanation
