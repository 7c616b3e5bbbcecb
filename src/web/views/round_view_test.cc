#include "web/views/round_view.h"

#include "web/views/node_view.h"
#include "web/views/web_kit_test.h"

#include <gtest/gtest.h>

namespace parley::web {
namespace {

struct Shown {
    kit::Round round;
    store::RunHeader header = kit::header(round.policy);
    Around around{.first = 1, .newest = 181};

    RoundView view(const std::vector<model::ActionEvent>& events = {}) {
        const SeenRoundPtr seen = kit::seen(round, events);
        return round_view({"tour-7", header, RunState::running, "runs/tour-7", {}}, *seen, nullptr,
                          around);
    }
};

TEST(RoundView, tells_the_same_sentences_as_the_terminal) {
    Shown shown;
    const RoundView view = shown.view(shown.round.all_sent());
    EXPECT_EQ(view.headline, "A safety won: replicate node-07");
    EXPECT_EQ(view.reason, explanation::reason(shown.round.decision));
    EXPECT_EQ(view.at, "T+07:06");
    EXPECT_EQ(view.winner, model::Role::safety);
    EXPECT_EQ(view.mode_text, "act (simulated)");
    EXPECT_FALSE(view.wall.has_value()) << "simulated time is no wall time";
    EXPECT_EQ(view.newest_round, 181U);
    ASSERT_TRUE(view.max_risk.has_value());
    EXPECT_EQ(view.max_risk->node, "node-07");
    EXPECT_EQ(view.overruled, (std::vector<std::string>{"C", "B"}));
}

TEST(RoundView, the_flow_has_eight_stations) {
    Shown shown;
    const RoundView view = shown.view(shown.round.all_sent());
    std::string text;
    for (const FlowStation& each : view.flow) text += each.key + ": " + each.figure + "; ";
    EXPECT_EQ(text,
              "stimulus: none; cluster: 12 nodes, 0 pending; forecasts: risk 0.86 node-07; "
              "proposals: 3, all differ; verdict: A replicate node-07; execution: 3 of 3 sent; "
              "score: not yet; events: 0, 0 new; ");
    EXPECT_EQ(view.flow[4].lead, "A replicate");
    EXPECT_EQ(view.flow[4].node, "node-07");
    shown.round.input.snapshot.sources[0].condition = model::SourceCondition::failed;
    EXPECT_EQ(shown.view().flow[1].state, StationState::failed);
}

TEST(RoundView, what_was_measured_later_stands_in_the_scores_alone) {
    Shown shown;
    shown.around.later = ClosedView{.round = 142, .closed_round = 162, .total = 11.2};
    const RoundView view = shown.view();
    ASSERT_TRUE(view.scores.later.has_value());
    EXPECT_EQ(view.scores.later->closed_round, 162U);
    RoundView without = view;
    without.scores.later.reset();
    without.flow[6] = {};
    EXPECT_EQ(view_json(without).find("162"), std::string::npos);
    EXPECT_EQ(view_json(without).find("11.2"), std::string::npos);
}

TEST(RoundView, a_record_of_decisions_only_says_so) {
    Shown shown;
    shown.round.input = {.round = 142};
    const RoundView view = shown.view();
    EXPECT_FALSE(view.partial.empty());
    EXPECT_EQ(view.at, "?");
    EXPECT_EQ(view.headline, "A safety won: replicate node-07");
    EXPECT_TRUE(view.worth.empty());
}

TEST(RoundView, a_window_says_when_it_is_due) {
    Shown shown;
    model::Window window;
    window.closes = shown.round.input.now + seconds(58);
    window.samples = 4;
    window.noop = {model::Role::safety, 5'000'000};
    window.acted = {model::Role::safety, 1'000'000};
    shown.round.memory.derived.windows.push_back(window);
    const RoundView view = shown.view();
    EXPECT_EQ(view.scores.due_round, 162U) << "58 s are 20 rounds of 3 s";
    EXPECT_EQ(view.scores.twin, 4);
    shown.round.memory.derived.windows.back().gaps = 2;
    EXPECT_EQ(shown.view().scores.twin, std::nullopt) << "a third of it could not be read";
}

TEST(RoundSummary, is_at_most_4_KB_whatever_things_are_called) {
    Shown shown;
    const std::string hostile(3'000, '\x01');  // Six bytes each, as JSON.
    shown.round.decision.verdict.accepted[0].because = hostile;
    shown.round.decision.alarms.push_back({.sentence = hostile});
    for (int n = 1; n <= 12; ++n) shown.round.node(n).id = {Name::of(std::to_string(n) + hostile)};
    const SeenRoundPtr seen = kit::seen(shown.round);
    const MapView map = map_view(*seen);
    const RunContext run{"tour-7", shown.header, RunState::running, "", {}};
    const RoundSummary summary = round_summary(run, *seen, nullptr, map, shown.around);
    EXPECT_LE(view_json(summary).size(), kSummaryBytesMax);
    EXPECT_TRUE(summary.more) << "nothing is known of the map before";
}

TEST(RoundSummary, holds_changed_cells_and_says_if_there_are_more) {
    Shown shown;
    const SeenRoundPtr before = kit::seen(shown.round);
    shown.round.risk(3).risk = 0.4;
    const SeenRoundPtr now = kit::seen(shown.round);
    const MapView old_map = map_view(*before);
    const RunContext run{"tour-7", shown.header, RunState::running, "", {}};
    shown.around.alarm_raised = true;
    RoundSummary summary = round_summary(run, *now, &old_map, map_view(*now), shown.around);
    EXPECT_TRUE(summary.alarm_raised);
    EXPECT_EQ(summary.cells.size(), 1U);
    EXPECT_FALSE(summary.more);
    MapView large{.names = std::vector<std::string>(5'000, "n"),
                  .risk = std::vector<std::optional<double>>(5'000, 0.1)};
    MapView moved = large;
    for (auto& risk : moved.risk) risk = 0.9;
    summary = round_summary(run, *now, &large, moved, shown.around);
    EXPECT_TRUE(summary.more);
    EXPECT_GT(summary.cells.size(), 50U);
    EXPECT_LE(view_json(summary).size(), kSummaryBytesMax);
}

TEST(CutText, cuts_between_characters) {
    EXPECT_EQ(cut_text("abcdef", 6), "abcdef");
    EXPECT_EQ(cut_text("abcdefg", 6), "abc...");
    EXPECT_EQ(cut_text("ab\xC3\xA9"
                       "cdef",
                       6),
              "ab...")
        << "not half of an e with an accent";
}

TEST(Stages, what_this_build_cannot_do_is_skipped) {
    const auto stages = stages_of(kit::header({}), RunState::killed, 212);
    ASSERT_EQ(stages.size(), 4U);
    EXPECT_EQ(stages[1].name, "ray");
    EXPECT_EQ(stages[1].state, StageState::skipped);
    EXPECT_EQ(stages[1].detail, "no learned policy is in this build; rules propose");
    EXPECT_EQ(stages[2].name, "optuna");
    EXPECT_EQ(stages[2].state, StageState::idle);
    EXPECT_EQ(stages[3].state, StageState::failed);
    EXPECT_EQ(stages[3].detail, "ended without closing at round 212");
}

TEST(Stages, off_by_choice_is_no_fault) {
    using store::StageStatus;
    const auto views = stage_views({{"ray_ppo", StageStatus::disabled, "by --no-policy"},
                                    {"ray_ppo", StageStatus::skipped, "not in this build"},
                                    {"optuna", StageStatus::idle, "nobody asked"},
                                    {"optuna", StageStatus::running, "1 of 3"},
                                    {"optuna", StageStatus::complete, "3 of 3"},
                                    {"brains", StageStatus::failed, "refused"}});
    ASSERT_EQ(views.size(), 6U);
    EXPECT_EQ(views[0].state, StageState::off);
    EXPECT_EQ(views[0].detail, "by --no-policy");
    EXPECT_EQ(views[1].state, StageState::skipped);
    EXPECT_EQ(views[2].state, StageState::idle);
    EXPECT_EQ(views[3].state, StageState::running);
    EXPECT_EQ(views[4].state, StageState::done);
    EXPECT_EQ(views[5].state, StageState::failed);
}

TEST(RoundView, how_a_run_ended_is_one_sentence) {
    const auto open = [](std::vector<std::string> labels) {
        std::vector<OpenView> out;
        for (std::string& label : labels) out.push_back({.label = std::move(label)});
        return out;
    };
    using enum RunState;
    const auto none = open({});
    const auto one = open({"shop/web 6 to 7"});
    const auto five = open({"a", "b", "c", "d", "e"});
    EXPECT_EQ(ended_text(running, "x", 212, &none), "");
    EXPECT_EQ(ended_text(complete, "", 212, &none), "");
    EXPECT_EQ(ended_text(killed, "", 212, &none),
              "Ended without closing at round 212. No action was open.");
    EXPECT_EQ(ended_text(killed, "", 1212, &one),
              "Ended without closing at round 1,212. One action is open: shop/web 6 to 7.");
    EXPECT_EQ(ended_text(killed, "", 212, &five),
              "Ended without closing at round 212. 5 actions are open: a, b, c and 2 more.");
    EXPECT_EQ(ended_text(killed, "", 212, nullptr),
              "Ended without closing at round 212. What was open then cannot be read.");
    EXPECT_EQ(ended_text(killed, kEndLost, 212, nullptr),
              "Its end is lost at round 212. What was open then cannot be read.");
    EXPECT_EQ(stage_text(killed, 212, kEndLost), "its end is lost at round 212");
    EXPECT_EQ(ended_text(failed, "the disk is full", 212, &none),
              "Failed at round 212: the disk is full.");
    EXPECT_EQ(ended_text(stopped, "By a person.", 212, &none),
              "Stopped at round 212: By a person.");
}

TEST(RoundView, the_newest_round_that_can_be_read_is_not_taken_for_the_end) {
    const kit::Round round = kit::round_at(119);
    const store::RunHeader header = kit::header(round.policy);
    const RunContext run{"made-up", header, RunState::complete, "runs/x", {}, "", 181};
    const Around around{.first = 1, .newest = 300, .readable = 119};
    const RoundView view = round_view(run, *kit::seen(round), nullptr, around);
    EXPECT_EQ(view.newest_round, 300U);
    EXPECT_EQ(view.stage, "complete after round 300");
    EXPECT_EQ(view.record, "runs/x, 300 rounds, 181 damaged");
}

}  // namespace
}  // namespace parley::web
