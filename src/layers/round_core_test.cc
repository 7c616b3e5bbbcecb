#include "layers/round_core.h"

#include "layers/execution/kit_test.h"
#include "layers/execution/plan.h"

#include <gtest/gtest.h>

namespace parley {
namespace {

using namespace model;
using execution::kNow;
using execution::node_id;
using execution::proposes;
using execution::workload_id;

/// A round in which the clock of one node is to be lowered, decided already.
struct CoreTest : testing::Test {
    execution::Kit kit;
    RoundCore core{{.seed = 7, .mode = Mode::act, .simulated = true}, {}};
    Decided round;

    CoreTest() {
        kit.add_node("node-1");
        SourceState api{.source = Source::api, .condition = SourceCondition::ok};
        api.last_success = kNow;
        kit.input.snapshot.sources.push_back(api);
        const OpenAction action = execution::plan(
            proposes(Role::efficiency, Dvfs{}, node_id("node-1")), kit.input, kit.policy, {0, 1});
        kit.memory.ledger.open = {action};
    }

    /// Continues with this as the next thing the action wants.
    void begin(Next next) {
        round = {.input = kit.input, .memory = kit.memory};
        round.decision.first_steps = {{kit.memory.ledger.open[0], std::move(next)}};
        core.go_on(round, nullptr);
    }
    void begin_swapped(Next next) {
        begin(std::move(next));
        ASSERT_TRUE(std::holds_alternative<SwapLedger>(*core.next()));
        core.swapped();
    }

    OpenAction& action() { return kit.memory.ledger.open[0]; }
    static Live there() { return {.exists = true, .uid = {1, 1}, .version = 1}; }
};

TEST_F(CoreTest, the_ledger_comes_first_and_is_swapped_once) {
    begin(Read{});
    EXPECT_EQ(std::get<SwapLedger>(*core.next()).expected, 0u);
    EXPECT_EQ(std::get<SwapLedger>(*core.next()).expected, 0u);  // The same until it is done.
    EXPECT_EQ(core.next_ledger().version, 1u);
    EXPECT_EQ(core.next_ledger().open, kit.memory.ledger.open);
    core.swapped();
    EXPECT_EQ(core.memory().ledger.version, 1u);
    EXPECT_EQ(std::get<LookAt>(*core.next()).subject, action().plan[0].request);
}

TEST_F(CoreTest, a_round_that_changes_nothing_has_no_errand) {
    Ledger stored = kit.memory.ledger;
    stored.version = 9;
    core.take_ledger(stored);
    begin(Wait{});
    EXPECT_FALSE(core.next());
    EXPECT_EQ(core.memory().ledger.version, 0u);  // As decided: nothing was swapped.
}

TEST_F(CoreTest, a_live_read_has_the_guards_word) {
    begin_swapped(Read{});
    const ActionEvent event = core.event_of(Result<Live>(there()));
    EXPECT_EQ(event.action, action().id);
    EXPECT_EQ(event.at, kNow);
    EXPECT_EQ(std::get<Seen>(event.what), (Seen{there(), ""}));

    kit.memory.ledger.stopped = true;
    kit.input.controls.stop = true;
    begin_swapped(Read{});
    EXPECT_NE(std::get<Seen>(core.event_of(Result<Live>(there())).what).refused, "");
}

TEST_F(CoreTest, nobody_is_asked_while_a_workload_is_waited_for) {
    action().awaiting = true;
    action().plan[0].then = {workload_id("web"), 4};
    kit.input.controls.stop = true;
    kit.memory.ledger.stopped = true;
    begin_swapped(Read{});
    EXPECT_EQ(std::get<LookAt>(*core.next()).subject, Request(SetReplicas{workload_id("web"), 4}));
    EXPECT_EQ(std::get<Seen>(core.event_of(Result<Live>(there())).what).refused, "");
}

TEST_F(CoreTest, a_failed_read_is_an_answer_but_gone_is_seen) {
    begin_swapped(Read{});
    const auto fails = [&](ErrorCode code) {
        return core.event_of(Result<Live>(fail(code, "no"))).what;
    };
    EXPECT_EQ(std::get<Answered>(fails(ErrorCode::unavailable)).code, ErrorCode::unavailable);
    EXPECT_FALSE(std::get<Seen>(fails(ErrorCode::gone)).live.exists);
}

TEST_F(CoreTest, an_answer_is_kept_as_it_came) {
    const Send send{action().plan[1].request, {{1, 1}, 41}};
    begin_swapped(send);
    const auto ask = std::get<AskFor>(*core.next());
    EXPECT_EQ(ask.request, send.request);
    EXPECT_EQ(ask.only_if, send.only_if);
    EXPECT_EQ(std::get<Answered>(core.event_of(Result<void>()).what), Answered{});
    for (const ErrorCode code :
         {ErrorCode::unavailable, ErrorCode::unknown_outcome, ErrorCode::conflict, ErrorCode::gone,
          ErrorCode::expired, ErrorCode::blocked, ErrorCode::denied, ErrorCode::malformed}) {
        const Result<void> no = tl::unexpected<Error>(Error{code, "no", seconds(9)});
        EXPECT_EQ(std::get<Answered>(core.event_of(no).what),
                  (Answered{false, code, "no", seconds(9)}));
    }
}

/// What was read must be in the ledger before a request leaves, and is there only once.
TEST_F(CoreTest, the_ledger_is_swapped_before_the_first_step_and_after_the_last) {
    begin_swapped(Read{});
    int swaps = 0;
    while (const auto errand = core.next()) {
        if (std::holds_alternative<SwapLedger>(*errand)) {
            ++swaps;
            EXPECT_NE(core.next_ledger().open[0].state, ActionState::sent) << "it rests by now";
            core.swapped();
        } else if (std::holds_alternative<LookAt>(*errand)) {
            ASSERT_EQ(swaps, 0);
            core.take(core.event_of(Result<Live>(there())));  // Seen, so it may be sent.
        } else {
            core.take(core.event_of(Result<void>(fail(ErrorCode::blocked, "not now"))));
        }
    }
    EXPECT_EQ(swaps, 1);
    EXPECT_EQ(core.events().size(), 2u);
}

/// Whoever goes on after a crash finds out by reading how far it came; a place that changed there
/// and back would show nothing.
TEST_F(CoreTest, the_ledger_is_swapped_before_a_place_is_changed_again) {
    const WorkloadId web = workload_id("web");
    action().plan = {action().plan[0],
                     {SetReplicas{web, 6}, {}},
                     {SetReplicas{workload_id("api"), 3}, {}},
                     {SetReplicas{web, 4}, {}},
                     {SetReplicas{workload_id("api"), 2}, {}}};
    begin_swapped(Read{});
    std::vector<std::string> said;
    bool marked = false;
    while (const auto errand = core.next()) {
        if (std::holds_alternative<SwapLedger>(*errand)) {
            const OpenAction stored = core.next_ledger().open[0];
            said.push_back("swap at " + std::to_string(stored.at));
            core.swapped();
        } else if (const auto* look = std::get_if<LookAt>(&*errand)) {
            Live live = there();
            if (marked) live.mark = action().id;
            if (std::holds_alternative<SetReplicas>(look->subject)) live.uid = {2, 1};
            core.take(core.event_of(Result<Live>(live)));
        } else {
            const auto& ask = std::get<AskFor>(*errand);
            said.push_back(text_of(ask.request));
            marked = true;
            core.take(core.event_of(Result<void>()));
        }
    }
    EXPECT_EQ(said, (std::vector<std::string>{"mark node-1", "shop/web to 6", "shop/api to 3",
                                              "swap at 3", "shop/web to 4", "shop/api to 2",
                                              "swap at 5"}));
}

TEST_F(CoreTest, the_ledger_is_swapped_before_anything_is_given_back) {
    begin_swapped(Read{});
    core.take({action().id, kNow, Seen{there(), ""}});
    ASSERT_TRUE(std::holds_alternative<AskFor>(*core.next()));
    core.take(core.event_of(Result<void>()));
    Live changed = there();
    changed.mark = {0, 99};  // Somebody replaced our mark: what is ours is given back.
    core.take(core.event_of(Result<Live>(changed)));
    ASSERT_TRUE(std::holds_alternative<LookAt>(*core.next()));
    Live ours = there();
    ours.mark = action().id;
    core.take(core.event_of(Result<Live>(ours)));
    EXPECT_TRUE(std::holds_alternative<SwapLedger>(*core.next()));
    EXPECT_TRUE(core.next_ledger().open[0].undoing);
    core.swapped();
    EXPECT_TRUE(std::get<AskFor>(*core.next()).stamp.undo);
}

TEST_F(CoreTest, an_action_that_only_waits_writes_nothing) {
    action().awaiting = true;
    action().plan[0].then = {workload_id("web"), 4};
    const auto look = [&](std::int32_t ready) {
        ASSERT_TRUE(std::holds_alternative<LookAt>(*core.next()));
        Live live = there();
        live.ready = ready;
        core.take(core.event_of(Result<Live>(live)));
    };
    begin_swapped(Read{});
    look(1);
    ASSERT_TRUE(core.next()) << "its note says for what it waits";
    EXPECT_EQ(std::get<SwapLedger>(*core.next()).expected, 1u);
    EXPECT_EQ(std::get<SwapLedger>(*core.next()).expected, 1u);  // The same until it is done.
    core.swapped();
    EXPECT_FALSE(core.next());

    kit.memory.ledger = core.next_ledger();
    for (int i = 0; i < 3; ++i) {
        begin(Read{});
        look(1);
        EXPECT_FALSE(core.next()) << "nothing has changed";
        EXPECT_EQ(core.memory().ledger.version, kit.memory.ledger.version);
    }
    begin(Read{});
    look(2);
    ASSERT_TRUE(core.next());
    EXPECT_EQ(std::get<SwapLedger>(*core.next()).expected, 2u);
    EXPECT_EQ(core.next_ledger().open[0].note, "waits until shop/web has 4 ready, it has 2");
    begin(Read{});
    EXPECT_TRUE(std::holds_alternative<LookAt>(*core.next())) << "a round is begun anew";
}

TEST_F(CoreTest, scaling_writes_no_ledger) {
    const OpenAction scaling = execution::plan(
        proposes(Role::scaling, Scale{{2, 3}}, workload_id("web")), kit.input, kit.policy, {0, 2});
    core.take_ledger(kit.memory.ledger);
    kit.memory.scaling = {scaling};
    round = {.input = kit.input, .memory = kit.memory};
    round.decision.first_steps = {{scaling, Read{}}};
    core.go_on(round, nullptr);
    ASSERT_TRUE(std::holds_alternative<LookAt>(*core.next()));
    core.take(core.event_of(Result<Live>(fail(ErrorCode::unavailable, "no"))));
    EXPECT_FALSE(core.next()) << "the marks on workloads know of it";
}

TEST_F(CoreTest, a_stop_stays_in_the_ledger_until_a_person_lifts_it) {
    struct Row {
        const char* name;
        bool stopped;  ///< By the ledger that the process begins with.
        bool lifted;   ///< While no process ran.
        std::vector<bool> pressed;
        std::vector<bool> expected;
    };
    const Row rows[] = {
        {"never", false, false, {false, false}, {false, false}},
        {"pressed", false, false, {true, true}, {true, true}},
        {"lifted_in_sight", false, false, {true, false, false}, {true, false, false}},
        {"a_new_process_does_not_lift_it", true, false, {false, false}, {true, true}},
        {"lifted_before_it_began", true, true, {false, false}, {false, false}},
        {"lifted_and_pressed_again", true, true, {false, true, true}, {false, true, true}},
        {"pressed_and_lifted_in_the_new_process", true, false, {true, false}, {true, false}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        Start start{.lifted = row.lifted};
        start.memory.ledger.stopped = row.stopped;
        RoundCore fresh({}, start);
        for (std::size_t i = 0; i < row.pressed.size(); ++i) {
            fresh.begin();
            Decided next;
            next.input = fresh.next_input(kNow + seconds(15) * static_cast<std::int64_t>(i), {},
                                          row.pressed[i], nullptr);
            EXPECT_EQ(next.input.controls.stop, row.expected[i]) << i;
            fresh.decide(next);
            EXPECT_EQ(next.memory.ledger.stopped, row.expected[i]) << i;
            fresh.go_on(next, nullptr);
        }
    }
}

TEST_F(CoreTest, an_action_that_never_rests_leaves_the_rest_to_the_next_round) {
    begin_swapped(Read{});
    int steps = 0;
    while (const auto errand = core.next()) {
        if (std::holds_alternative<SwapLedger>(*errand)) {
            core.swapped();
            continue;
        }
        // Every request is refused as outdated, so that the target is read and the request sent
        // again.
        core.take(std::holds_alternative<LookAt>(*errand)
                      ? core.event_of(Result<Live>(there()))
                      : core.event_of(Result<void>(fail(ErrorCode::conflict, "changed"))));
        ASSERT_LE(++steps, 128);
    }
    EXPECT_GT(steps, 1);
}

TEST_F(CoreTest, what_was_observed_over_ten_seconds_ago_waits_unless_it_gives_back) {
    begin_swapped(Read{});
    EXPECT_TRUE(core.next(kDecisionAgeMax));
    EXPECT_FALSE(core.next(kDecisionAgeMax + microseconds(1)));

    begin(Read{});
    ASSERT_TRUE(std::holds_alternative<LookAt>(*core.next()));
    core.take(core.event_of(Result<Live>(there())));
    EXPECT_TRUE(std::holds_alternative<AskFor>(*core.next(minutes(1)))) << "it needs an answer";

    action().undoing = true;
    begin_swapped(Read{});
    EXPECT_TRUE(std::holds_alternative<LookAt>(*core.next(minutes(1))));
}

TEST_F(CoreTest, a_process_that_ends_looks_at_nothing_more_but_hears_what_it_asked_for) {
    action().undoing = true;
    begin_swapped(Read{});
    ASSERT_TRUE(std::holds_alternative<LookAt>(*core.next()));
    core.leave();
    EXPECT_FALSE(core.next());

    action().undoing = false;
    begin_swapped(Send{action().plan[1].request, {{1, 1}, 41}});
    EXPECT_TRUE(std::holds_alternative<AskFor>(*core.next())) << "it needs an answer";
}

TEST_F(CoreTest, another_leaders_ledger_forgets_what_came_back) {
    begin_swapped(Read{});
    core.take(core.event_of(Result<Live>(there())));
    Ledger theirs;
    theirs.version = 40;
    core.take_ledger(theirs);
    EXPECT_EQ(core.memory().ledger, theirs);
    EXPECT_TRUE(core.next_input(kNow, {}, false, nullptr).events.empty());
}

TEST_F(CoreTest, an_input_says_how_the_round_began) {
    EXPECT_EQ(core.begin(), 1u);
    const RoundInput first = core.next_input(kNow, {}, true, nullptr);
    EXPECT_EQ(first.round, 1u);
    EXPECT_EQ(first.seed, 7u);
    EXPECT_TRUE(first.controls.started_anew);
    EXPECT_TRUE(first.controls.stop);
    EXPECT_EQ(first.controls.mode, Mode::act);
    EXPECT_FALSE(core.next_input(kNow, {}, false, nullptr).controls.started_anew);
}

}  // namespace
}  // namespace parley
