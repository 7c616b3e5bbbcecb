#include "layers/pipeline.h"

#include "layers/pipeline_stage_test.h"
#include "model/coded.h"

#include <algorithm>
#include <set>

namespace parley {
namespace {

TEST(Pipeline, carries_out_what_was_decided) {
    Stage stage;
    warm_up(stage);
    stage.rounds(1);
    EXPECT_EQ(stage.writer.asked.size(), 4U) << "the next pod of web waits until that shows";
    stage.rounds(kRoundsOfPlan - 1);
    std::vector<std::string> sent;
    for (const Send& send : stage.writer.asked) sent.push_back(text_of(send.request));
    EXPECT_EQ(sent, (std::vector<std::string>{"mark node-03", "quarantine node-03", "evict api-16",
                                              "evict web-13", "evict web-14", "evict web-15"}));
    for (const Send& send : stage.writer.asked) {
        EXPECT_FALSE(send.only_if.uid.none());
        EXPECT_GT(send.only_if.version, 0U);
    }
    stage.rounds(1);
    ASSERT_EQ(stage.pipeline->memory().ledger.open.size(), 1U);
    EXPECT_EQ(stage.pipeline->memory().ledger.open[0].state, ActionState::confirmed);
    EXPECT_EQ(stage.ledger.stored.open, stage.pipeline->memory().ledger.open);
}

TEST(Pipeline, who_does_not_lead_says_what_it_would_do_and_sends_nothing) {
    Stage stage;
    stage.elected = true;
    stage.epoch = std::nullopt;
    warm_up(stage);
    stage.rounds(3);
    EXPECT_TRUE(stage.writer.asked.empty());
    EXPECT_TRUE(stage.ledger.history.empty());
    EXPECT_EQ(stage.published.back()->input.controls.mode, Mode::dry_run);
    bool would = false;
    for (const auto& round : stage.published) {
        for (const Step& step : round->decision.first_steps) {
            would = would || step.action.state == ActionState::would_send;
        }
    }
    EXPECT_TRUE(would);
}

TEST(Pipeline, a_new_leader_begins_with_what_the_ledger_says) {
    Stage stage;
    stage.elected = true;
    warm_up(stage);
    stage.rounds(2);
    ASSERT_EQ(stage.ledger.stored.open.size(), 1U);
    EXPECT_EQ(stage.ledger.stored.epoch, 1U);
    const std::size_t sent = stage.writer.asked.size();
    const std::size_t starts = stage.recorder.starts.size();
    stage.epoch = std::nullopt;  // Another process takes over ...
    stage.rounds(2);
    EXPECT_EQ(stage.writer.asked.size(), sent);
    EXPECT_EQ(stage.recorder.starts.size(), starts + 1) << "the ledger is read";
    stage.ledger.stored.stopped = true;  // ... is stopped by a person, and ends.
    ++stage.ledger.stored.version;
    stage.epoch = 3;
    stage.rounds(1);
    EXPECT_EQ(stage.recorder.starts.size(), starts + 2);
    EXPECT_EQ(stage.published.back()->input.controls.epoch, 3U);
    EXPECT_TRUE(stage.published.back()->input.controls.stop) << "a new leader does not un-stop";
    EXPECT_TRUE(stage.published.back()->input.controls.started_anew);
    EXPECT_EQ(stage.ledger.stored.epoch, 3U);
}

TEST(Pipeline, sends_nothing_that_is_not_recorded) {
    Stage stage;
    stage.writer.on_apply = [&](const Request& request) -> Result<void> {
        // The decision that wants it, and the live read it rests on, are durable by now; the
        // ledger has its action, so that whoever comes after us knows that it may have been sent.
        bool decided = false;
        for (const auto& kept : stage.recorder.rounds) {
            for (const Step& step : kept.decision.first_steps) {
                const auto& plan = step.action.plan;
                decided = decided || std::ranges::any_of(plan, [&](const PlannedStep& planned) {
                              return planned.request == request;
                          });
            }
        }
        EXPECT_TRUE(decided);
        EXPECT_FALSE(stage.recorder.events.empty());
        if (!stage.recorder.events.empty()) {
            EXPECT_TRUE(std::holds_alternative<Seen>(stage.recorder.events.back().what));
        }
        EXPECT_TRUE(std::ranges::any_of(stage.ledger.stored.open, [&](const OpenAction& action) {
            return std::ranges::count(action.plan, request, &PlannedStep::request) > 0;
        }));
        return {};
    };
    warm_up(stage);
    stage.rounds(3);
    EXPECT_EQ(stage.writer.asked.size(), 6U);
}

TEST(Pipeline, the_next_decision_folds_the_same_events) {
    Stage stage;
    warm_up(stage);
    stage.rounds(kRoundsOfPlan + 1);
    for (std::size_t i = 1; i < stage.recorder.rounds.size(); ++i) {
        const auto& kept = stage.recorder.rounds[i];
        const auto& before = stage.recorder.rounds[i - 1];
        const Outcome again = decide(kept.input, before.next, stage.seen.kit.policy);
        EXPECT_TRUE(same(again.decision, kept.decision)) << "round " << i;
        EXPECT_TRUE(same(again.next, kept.next)) << "round " << i;
    }
    std::size_t folded = 0;
    for (const auto& kept : stage.recorder.rounds) folded += kept.input.events.size();
    EXPECT_EQ(folded, stage.recorder.events.size());
    EXPECT_GT(folded, 0U);
}

TEST(Pipeline, a_recorder_that_fails_at_any_call_ends_all_sending) {
    Stage whole;
    warm_up(whole);
    whole.rounds(3);
    const int calls = whole.recorder.calls;
    ASSERT_GT(calls, 20);
    for (int failing = 1; failing <= calls; ++failing) {
        Stage stage;
        stage.recorder.fails_from = failing;
        std::size_t sent_before = 0;
        stage.writer.on_apply = [&](const Request&) -> Result<void> {
            EXPECT_LT(stage.recorder.calls, failing) << "sent after a failure at " << failing;
            ++sent_before;
            return {};
        };
        stage.start();
        int failed = 0;
        for (int i = 0; i < 10; ++i) {
            if (i == 6) stage.make_node_ail();
            const Result<void> result = stage.round();
            if (result) {
                EXPECT_EQ(failed, 0) << "it cannot recover by itself";
                continue;
            }
            ++failed;
            EXPECT_EQ(result.error().message,
                      "cannot record, so nothing is sent: no space left on device");
        }
        EXPECT_GT(failed, 0);
        EXPECT_EQ(stage.writer.asked.size(), sent_before);
        EXPECT_EQ(stage.recorder.calls, failing) << "nothing more is given to it";
    }
}

TEST(Pipeline, says_to_everyone_that_it_could_not_record) {
    Stage stage;
    stage.start();
    stage.rounds(1);
    stage.recorder.fails_from = stage.recorder.calls + 1;
    EXPECT_FALSE(stage.round());
    ASSERT_EQ(stage.published.size(), 2U);
    EXPECT_EQ(stage.published[0]->trouble, "");
    EXPECT_NE(stage.published[1]->trouble, "");
}

TEST(Pipeline, observe_and_dry_run_never_write) {
    for (const Mode mode : {Mode::observe, Mode::dry_run}) {
        Stage stage;
        stage.mode = mode;
        warm_up(stage);
        stage.rounds(10);
        EXPECT_TRUE(stage.writer.asked.empty());
        EXPECT_TRUE(stage.reader.asked.empty());
        EXPECT_TRUE(stage.ledger.history.empty());
        EXPECT_TRUE(stage.recorder.events.empty());
        bool would = false;
        for (const auto& kept : stage.recorder.rounds) {
            for (const Step& step : kept.decision.first_steps) {
                would = would || step.action.state == ActionState::would_send;
            }
        }
        EXPECT_TRUE(would);
    }
}

TEST(Pipeline, another_leaders_ledger_stops_it_and_is_read) {
    Stage stage;
    warm_up(stage);
    Ledger theirs;
    theirs.version = 99;
    theirs.epoch = 2;
    theirs.cool_downs = {
        {execution::node_id("node-03"), ActionKind::migrate, stage.now + hours(1)}};
    stage.ledger.stored = theirs;
    const Result<void> result = stage.round();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::conflict);
    EXPECT_TRUE(stage.writer.asked.empty()) << "nothing is sent on an old ledger";
    EXPECT_TRUE(stage.reader.asked.empty());
    ASSERT_EQ(stage.recorder.starts.size(), 1U);
    ASSERT_TRUE(stage.round());
    ASSERT_EQ(stage.recorder.starts.size(), 2U) << "where it goes on is recorded";
    EXPECT_EQ(stage.recorder.starts.back().ledger, theirs);
    EXPECT_TRUE(stage.writer.asked.empty()) << "their cool-down holds";
    EXPECT_EQ(stage.pipeline->memory().ledger.epoch, 2U);
}

TEST(Pipeline, a_conflict_after_the_steps_sends_nothing_twice_and_still_knows_what_is_ours) {
    Stage stage;
    warm_up(stage);
    // The first swap of the round is fine, the one after its last step is not.
    stage.ledger.script.push_back({});
    stage.ledger.script.push_back(fail(ErrorCode::conflict, "someone was faster"));
    const Result<void> result = stage.round();
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message,
              "storing the ledger, so nothing more is sent: someone was faster");
    EXPECT_FALSE(stage.writer.applied.empty());
    stage.rounds(1);
    EXPECT_EQ(stage.published.back()->input.controls.ledger_unstored, result.error().message)
        << "the record says so, too";
    EXPECT_TRUE(stage.published.back()->input.events.empty()) << "the ledger knows nothing of them";
    stage.rounds(kRoundsOfPlan);
    expect_no_doubles(stage.writer.applied);
    EXPECT_EQ(stage.writer.applied.size(), 6U) << "it goes on from the ledger";
    const OpenAction& action = stage.pipeline->memory().ledger.open.at(0);
    EXPECT_EQ(action.state, ActionState::confirmed);
    for (const PlannedStep& step : action.plan) EXPECT_TRUE(step.ours) << text_of(step.request);
}

TEST(Pipeline, while_the_ledger_cannot_be_read_rounds_go_on_and_send_nothing) {
    Stage stage;
    stage.elected = true;
    warm_up(stage);
    stage.epoch = 2;  // The lease was lost and won again, so that the ledger is read anew.
    stage.ledger.unreadable = true;
    for (int i = 0; i < 30; ++i) EXPECT_FALSE(stage.round());
    EXPECT_NE(stage.published.at(36)->trouble, "") << "every round is seen";
    const Controls& controls = stage.published.at(36)->input.controls;
    EXPECT_EQ(controls.ledger_unread, stage.published.at(36)->trouble);
    EXPECT_EQ(controls.ledger_unstored, "");
    EXPECT_TRUE(stage.writer.asked.empty());
    stage.ledger.unreadable = false;
    stage.rounds(2);
    EXPECT_FALSE(stage.writer.asked.empty());
    EXPECT_EQ(stage.published.back()->input.controls.ledger_unread, "");
}

TEST(Pipeline, an_unchanged_ledger_is_not_written) {
    Stage stage;
    stage.start();
    stage.rounds(5);
    EXPECT_LE(stage.ledger.history.size(), 1U);
}

TEST(Pipeline, an_action_that_only_waits_does_not_write_the_ledger) {
    Stage stage;
    warm_up(stage);
    stage.reader.change = [](const Request& about, Live& live) {
        if (std::holds_alternative<SetReplicas>(about)) live.ready = 0;
    };
    stage.rounds(2);
    const OpenAction& waits = stage.ledger.stored.open.at(0);
    ASSERT_TRUE(waits.awaiting);
    ASSERT_NE(waits.note, "");
    const std::size_t writes = stage.ledger.history.size();
    const std::size_t reads = stage.reader.asked.size();
    stage.rounds(5);
    EXPECT_EQ(stage.reader.asked.size(), reads + 5) << "it is looked at in every round";
    EXPECT_EQ(stage.ledger.history.size(), writes);
    stage.reader.change = nullptr;
    stage.rounds(kRoundsOfPlan);
    EXPECT_EQ(stage.writer.applied.size(), 6U);
    EXPECT_EQ(stage.ledger.stored.open, stage.pipeline->memory().ledger.open);
    for (std::size_t i = 1; i < stage.ledger.history.size(); ++i) {
        Ledger before = stage.ledger.history[i - 1];
        before.version = stage.ledger.history[i].version;
        EXPECT_FALSE(before == stage.ledger.history[i]) << "written twice, at " << i;
    }
}

TEST(Pipeline, the_kill_switch_and_the_end_of_the_process_stop_the_very_next_request) {
    for (const bool ends : {false, true}) {
        Stage stage;
        warm_up(stage);
        stage.writer.on_apply = [&](const Request&) -> Result<void> {
            (ends ? stage.leaving : stage.stop) = true;  // While the mark is being set.
            return {};
        };
        stage.rounds(1);
        EXPECT_GT(stage.ledger.stored.open.at(0).at, 0U) << "how far it came is in the ledger";
        stage.rounds(20);
        EXPECT_EQ(stage.writer.asked.size(), 1U);
        EXPECT_EQ(stage.pipeline->memory().ledger.stopped, !ends);
    }
}

TEST(Pipeline, a_kill_switch_that_a_person_lifts_was_lifted) {
    Stage stage;
    warm_up(stage);
    stage.stop = true;
    stage.rounds(20);
    EXPECT_TRUE(stage.writer.asked.empty());
    stage.stop = false;  // parley stop --clear
    stage.rounds(20);
    EXPECT_FALSE(stage.writer.asked.empty());
    EXPECT_FALSE(stage.pipeline->memory().ledger.stopped);
}

/// Thrown where a process is killed: nothing after that point happens.
struct Killed {};

/// Runs one round in which the process dies.
bool dies(Stage& stage) {
    stage.now = stage.now + seconds(3);
    bool killed = false;
    const auto end = [&](const std::exception_ptr& thrown, const Result<void>&) {
        killed = thrown != nullptr;
    };
    boost::asio::io_context loop(1);
    boost::asio::co_spawn(loop, stage.pipeline->round(stage.now), end);
    loop.run();
    return killed;
}

TEST(Pipeline, killed_at_any_request_it_sends_nothing_twice) {
    for (const bool arrived : {true, false}) {
        for (std::size_t killed_at = 1; killed_at <= 6; ++killed_at) {
            Stage stage;
            warm_up(stage);
            // The process dies with a request under way: no answer is ever recorded.
            stage.writer.on_apply = [&](const Request& request) -> Result<void> {
                if (stage.writer.asked.size() != killed_at) return {};
                if (arrived) stage.writer.applied.push_back(request);
                throw Killed{};
            };
            bool dead = false;
            for (int i = 0; i < kRoundsOfPlan && !dead; ++i) dead = dies(stage);
            EXPECT_TRUE(dead);
            stage.writer.on_apply = nullptr;
            ASSERT_EQ(stage.ledger.stored.open.size(), 1U);
            stage.restart();
            stage.rounds(kRoundsOfPlan + 1);
            expect_no_doubles(stage.writer.applied);
            EXPECT_EQ(stage.writer.applied.size(), 6U) << "and loses nothing";
            const OpenAction& action = stage.pipeline->memory().ledger.open[0];
            EXPECT_EQ(action.state, ActionState::confirmed);
            for (const PlannedStep& step : action.plan) EXPECT_TRUE(step.ours);
        }
    }
}

TEST(Pipeline, an_answer_that_is_lost_is_settled_by_reading) {
    Stage stage;
    warm_up(stage);
    stage.writer.loses_answers = true;
    stage.rounds(12);
    EXPECT_EQ(stage.writer.applied.size(), 6U);
    EXPECT_EQ(stage.writer.asked.size(), 6U);
    expect_no_doubles(stage.writer.applied);
    EXPECT_EQ(stage.pipeline->memory().ledger.open[0].state, ActionState::confirmed);
}

TEST(Pipeline, undoes_what_expired) {
    Stage stage;
    warm_up(stage);
    stage.rounds(kRoundsOfPlan + 1);
    stage.seen.change = [](execution::Kit& kit, TimePoint) {
        kit.node(Cluster12::node(3)).memory_pressure = false;
    };
    stage.now = stage.now + minutes(31);
    stage.rounds(2);
    EXPECT_EQ(text_of(stage.writer.applied[6]), "lift quarantine of node-03");
    const auto& cleared = std::get<PutMark>(stage.writer.applied[7]);
    EXPECT_TRUE(cleared.decision.none());
    EXPECT_TRUE(stage.pipeline->memory().ledger.open.empty());
    ASSERT_EQ(stage.last().ended.size(), 1U);
    EXPECT_EQ(stage.last().ended[0].state, ActionState::confirmed);
}

TEST(Pipeline, twins_follow_an_action_from_its_first_request_to_its_score) {
    Stage stage;
    stage.twins.show = [](const auto& fork, Branch, TimePoint) {
        std::vector<LeafCounters> shown;
        for (const Target& leaf : fork.leaves) shown.push_back({leaf, {}, {}});
        return shown;
    };
    std::size_t forked_before_sending = 0;
    stage.writer.on_apply = [&](const Request&) -> Result<void> {
        forked_before_sending = stage.twins.forks.size();
        return {};
    };
    warm_up(stage);
    stage.rounds(1);
    ASSERT_EQ(stage.twins.forks.size(), 1U);
    EXPECT_EQ(forked_before_sending, 1U);
    EXPECT_EQ(stage.twins.forks[0].leaves,
              (std::vector<Target>{execution::node_id("node-03"), execution::workload_id("api"),
                                   execution::workload_id("web")}));
    stage.rounds(1);
    const RoundInput& input = stage.published.back()->input;
    EXPECT_EQ(input.twins.size(), 4U) << "two where they start, two where they stand";
    stage.now = stage.now + minutes(33);
    stage.rounds(1);
    EXPECT_EQ(stage.last().closed.size(), 1U);
    EXPECT_EQ(stage.twins.dropped.size(), 1U);
    EXPECT_TRUE(stage.twins.forks.empty());
}

}  // namespace
}  // namespace parley
