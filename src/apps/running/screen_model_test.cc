#include "apps/running/screen_model.h"

#include "base/time_text.h"
#include "fake/small_round.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace parley::app {
namespace {

using model::Role;

/// A small round with a decision, to be shown.
struct Shown : fake::SmallRound {
    model::Decision decision;

    Shown() {
        input.controls.simulated = true;
        decision.round = input.round;
        decision.forecast = forecast;
        decision.forecast.model = "evidence";
    }
    void accept(Role role, model::Action action, model::Target target) {
        model::Proposal proposal{.role = role, .action = action, .target = target};
        proposal.score = 0.86;
        proposal.evidence = {"risk", 0.86, "above", 0.25};
        proposal.because = "Risk 0.86 of failing in 10 min.";
        decision.verdict.accepted.push_back(proposal);
        decision.verdict.judged.push_back({.proposal = proposal, .fate = model::Accepted{}});
        decision.verdict.contest = model::Contest::uncontested;
    }
    void overrule(Role role) {
        model::Proposal proposal{.role = role, .action = model::Dvfs{}, .target = fake::node_id(5)};
        decision.verdict.judged.push_back(
            {.proposal = proposal, .fate = model::Overridden{"action-limit", Role::safety, ""}});
        decision.verdict.contest = model::Contest::contested;
        decision.verdict.rivals = 1;
    }
    void next_round() {
        decision = {.round = ++input.round, .forecast = decision.forecast};
        input.now = input.now + seconds(3);
    }
    std::vector<EventLine> add_to(ScreenHistory& history) const {
        return history.add({input, decision, memory, "", {"on time", "on time"}});
    }
};

ScreenHistory history() { return ScreenHistory({"tour, seed 7", {}, "runs/tour-7", seconds(3)}); }

std::string kinds_of(const std::vector<EventLine>& events) {
    std::string text;
    for (const EventLine& event : events) text += event.kind + " ";
    return text;
}

TEST(ScreenModel, a_line_of_a_real_cluster_begins_with_a_whole_second) {
    Shown round;
    round.input.controls.simulated = false;
    round.input.now = *parse_time("2026-11-18T00:57:59.709441Z");
    round.accept(Role::safety, model::Replicate{}, fake::node_id(5));
    ScreenHistory shown = history();
    const auto events = round.add_to(shown);
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.front().time, "2026-11-18T00:57:59Z");
}

TEST(ScreenModel, who_leads_stands_beside_the_mode_and_is_news_when_it_changes) {
    Shown round;
    round.input.controls = {.mode = model::Mode::dry_run};  // As for every follower.
    ScreenHistory shown = history();
    const auto add = [&](const explanation::Leading& leading) {
        auto events = shown.add({.input = round.input,
                                 .decision = round.decision,
                                 .memory = round.memory,
                                 .leading = leading});
        std::erase_if(events, [](const EventLine& each) { return each.kind != "leader"; });
        round.next_round();
        return events;
    };
    explanation::Leading leading{.epoch = 3, .holder = "other_1", .ends = "12:04:15"};
    const auto first = add(leading);
    ASSERT_EQ(first.size(), 1U);
    EXPECT_EQ(first[0].text, "follows other_1, epoch 3; says only what it would do");
    EXPECT_EQ(shown.at(shown.newest()).mode, "act, follows");
    EXPECT_EQ(shown.at(shown.newest()).leader.full,
              "follows other_1, epoch 3; says only what it would do; ends 12:04:15 unless renewed");
    leading.ends = "12:04:18";
    EXPECT_TRUE(add(leading).empty()) << "a renewal is no news";
    round.input.controls.mode = model::Mode::act;
    EXPECT_EQ(add({.leads = true, .epoch = 4, .holder = "me"}).size(), 1U);
    EXPECT_EQ(shown.at(shown.newest()).mode, "act, leads");
    shown.add({round.input, round.decision, round.memory});
    EXPECT_EQ(shown.at(shown.newest()).leader.brief, "") << "nobody else could";
}

TEST(ScreenModel, what_went_wrong_beside_a_round_is_said_once) {
    Shown round;
    ScreenHistory shown = history();
    const auto errors = [&] {
        const auto events = shown.add({.input = round.input,
                                       .decision = round.decision,
                                       .memory = round.memory,
                                       .remark = "1 Event was not written"});
        round.next_round();
        return std::ranges::count(events, "error", &EventLine::kind);
    };
    EXPECT_EQ(errors(), 1);
    EXPECT_EQ(errors(), 0);
}

TEST(ScreenModel, what_becomes_of_a_phase_is_news_once) {
    Shown round;
    ScreenHistory shown = history();
    const auto said = [&](const char* text) {
        round.next_round();
        round.input.snapshot.stimulus = {.phase = Name::of("light-dvfs"), .text = text};
        std::vector<std::string> out;
        for (const EventLine& event : round.add_to(shown)) {
            if (event.kind == "exercise") out.push_back(event.text);
        }
        return out;
    };
    using Texts = std::vector<std::string>;
    EXPECT_EQ(said("3 pods"), Texts{"light-dvfs: 3 pods"});
    EXPECT_EQ(said("3 pods"), Texts{});
    EXPECT_EQ(said("3 pods: 0 of 3 run: no image"),
              Texts{"light-dvfs: 3 pods: 0 of 3 run: no image"});
    EXPECT_EQ(said("3 pods: 0 of 3 run: no image"), Texts{});
}

TEST(ScreenModel, shows_every_agent_and_that_scaling_is_not_in_this_build) {
    Shown round;
    round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
    round.overrule(Role::efficiency);
    ScreenHistory all = history();
    round.add_to(all);
    const ScreenModel model = all.at(100);
    ASSERT_EQ(model.agents.size(), 3U);
    EXPECT_EQ(model.agents[0].title, "A safety");
    EXPECT_TRUE(model.agents[0].won);
    EXPECT_EQ(model.agents[0].wanted, "replicate node-07");
    EXPECT_FALSE(model.agents[1].won);
    EXPECT_EQ(model.agents[2].title, "D scaling");
    EXPECT_EQ(model.agents[2].result.brief, "skipped: not in this build");
    EXPECT_EQ(model.headline, "A safety won: replicate node-07");
    EXPECT_EQ(model.overruled, "Overruled B.");
    EXPECT_EQ(model.mode, "act (simulated)");
    EXPECT_EQ(model.strip, "A");
}

TEST(ScreenModel, who_was_overruled_is_told_apart_whatever_the_sentence_says) {
    Shown round;
    const std::string because = "Overruled (old, left) needs room.";
    round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
    round.decision.verdict.accepted.front().because = because;
    round.decision.verdict.judged.front().proposal.because = because;
    round.overrule(Role::efficiency);
    ScreenHistory all = history();
    round.add_to(all);
    EXPECT_EQ(all.at(100).reason.brief, because);
    EXPECT_EQ(all.at(100).reason.full, because);
    EXPECT_EQ(all.at(100).overruled, "Overruled B.");
}

TEST(ScreenModel, what_was_sent_and_what_it_cost_say_what_is_not_known) {
    Shown round;
    round.memory.derived.leaves = 80;
    round.memory.derived.missing = 20;
    model::OpenAction action;
    action.action = model::Migrate{};
    action.target = fake::node_id(7);
    action.plan = {{model::PutMark{fake::node_id(7), {}, {}}, {}, true, model::StepFate::applied},
                   {model::EvictPod{{3, 1}, "web-1"}, {}, false, model::StepFate::moot}};
    action.at = 2;
    action.state = model::ActionState::confirmed;
    round.memory.ledger.open = {action};
    ScreenHistory all = history();
    round.add_to(all);
    EXPECT_EQ(all.at(100).sent, "migrate node-07: 1 of 2 sent, 1 moot");
    EXPECT_EQ(all.at(100).score.full.find("not known"), std::string::npos);
    round.memory.ledger.open[0].plan[1].fate = model::StepFate::applied;
    round.memory.derived.missing = 21;
    round.next_round();
    round.add_to(all);
    const ScreenModel model = all.at(all.newest());
    EXPECT_EQ(model.sent, "migrate node-07: done");
    EXPECT_EQ(model.score.brief, "not yet measured; costs not known");
    EXPECT_EQ(model.score.full,
              "not yet measured; costs are not known: only 79% of its readings were there, 80% are "
              "needed");
}

TEST(ScreenModel, nodes_have_what_is_shown_beside_what_is_believed) {
    Shown round;
    round.decision.forecast.nodes[6].risk = 0.86;
    round.decision.disagreements.push_back(
        {model::DisagreementKind::ready_but_risky, fake::node_id(7), "x"});
    round.node(7).cpu_used_m = round.gap<std::int64_t>(model::Gap::not_reported);
    round.fold(7).restarts[0] = {round.before(minutes(9)), {}, 4};
    round.fold(7).restarts[1] = {round.before(minutes(11)), {}, 2};
    ScreenHistory all = history();
    round.add_to(all);
    const ScreenModel model = all.at(100);
    EXPECT_EQ(model.nodes_all, 12);
    const NodeLine& first = model.nodes.at(0);
    EXPECT_EQ(first.name, "node-07");
    EXPECT_EQ(first.risk, "0.86");
    EXPECT_EQ(first.cpu, "?");
    EXPECT_EQ(first.restarts, "4");  // Within ten minutes.
    EXPECT_TRUE(first.differs);
}

TEST(ScreenModel, an_event_is_a_change) {
    Shown round;
    ScreenHistory all = history();
    EXPECT_EQ(kinds_of(round.add_to(all)), "decision ");
    round.next_round();
    EXPECT_EQ(kinds_of(round.add_to(all)), "");
    round.next_round();
    round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
    EXPECT_EQ(kinds_of(round.add_to(all)), "decision ");
    round.next_round();
    round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
    round.api().condition = model::SourceCondition::late;
    round.decision.alarms.push_back({.about = fake::node_id(3), .sentence = "No sample."});
    EXPECT_EQ(kinds_of(round.add_to(all)), "source alarm ");
    EXPECT_EQ(all.at(103).alarm.full, "No sample; suspect layer 1, observation");
    round.next_round();
    const auto events = round.add_to(all);
    EXPECT_EQ(kinds_of(events), "decision alarm ");
    EXPECT_EQ(events[1].text, "cleared: No sample.");
    EXPECT_EQ(all.at(104).alarm.brief, "");
    EXPECT_EQ(all.at(104).strip, "..aa.");
}

TEST(ScreenModel, the_kill_switch_is_news_and_what_is_not_sent_only_would_be) {
    Shown round;
    ScreenHistory shown = history();
    round.input.controls.mode = model::Mode::observe;
    round.accept(Role::safety, model::Migrate{}, fake::node_id(7));
    auto events = round.add_to(shown);
    ASSERT_EQ(kinds_of(events), "decision ");
    EXPECT_EQ(events[0].text, "would: A migrate node-07, uncontested");
    round.next_round();
    round.input.controls.stop = true;
    events = round.add_to(shown);
    ASSERT_EQ(kinds_of(events), "switch decision ");
    EXPECT_EQ(events[0].text, "the kill switch was pressed: nothing is sent any more");
    EXPECT_EQ(events[1].text, "Nothing to do");
    round.next_round();
    EXPECT_EQ(kinds_of(round.add_to(shown)), "") << "told once";
    round.next_round();
    round.input.controls.stop = false;
    round.input.controls.mode = model::Mode::act;
    round.accept(Role::safety, model::Migrate{}, fake::node_id(7));
    events = round.add_to(shown);
    ASSERT_EQ(kinds_of(events), "switch decision ");
    EXPECT_EQ(events[0].text, "the kill switch was cleared");
    EXPECT_EQ(events[1].text, "A migrate node-07, uncontested");
}

TEST(ScreenModel, a_source_that_fails_from_the_first_round_on_is_told) {
    Shown round;
    ScreenHistory all = history();
    round.api().condition = model::SourceCondition::failed;
    round.api().reason = "connecting to 127.0.0.1:1: Connection refused";
    const auto events = round.add_to(all);
    EXPECT_EQ(kinds_of(events), "decision source ");
    EXPECT_EQ(events[1].text, "api failed: connecting to 127.0.0.1:1: Connection refused");
    round.next_round();
    round.api().condition = model::SourceCondition::ok;
    EXPECT_EQ(kinds_of(round.add_to(all)), "source ");
}

TEST(ScreenModel, a_past_round_shows_only_what_was_known_in_it) {
    Shown round;
    ScreenHistory all = history();
    round.add_to(all);
    round.next_round();
    round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
    round.add_to(all);
    const ScreenModel past = all.at(100);
    EXPECT_EQ(past.strip, ".");
    EXPECT_EQ(past.events.size(), 1U);
    EXPECT_EQ(past.past, "Round 100, 3s before the newest (101); everything as it was known then");
    EXPECT_EQ(all.at(101).past, "");
    EXPECT_EQ(all.at(999).round, 101U);
    EXPECT_EQ(all.at(1).round, 100U);
}

TEST(ScreenModel, says_what_was_before_where_it_changed) {
    Shown round;
    ScreenHistory all = history();
    round.add_to(all);
    round.next_round();
    round.decision.forecast.nodes[2].risk = 0.5;
    round.add_to(all);
    const ScreenModel model = all.at(101);
    const auto node = std::ranges::find(model.nodes, "node-03", &NodeLine::name);
    ASSERT_NE(node, model.nodes.end());
    EXPECT_EQ(node->was, "0.01");
    const auto other = std::ranges::find(model.nodes, "node-04", &NodeLine::name);
    EXPECT_EQ(other->was, "");
}

TEST(ScreenModel, landmarks_are_overrides_and_new_alarms) {
    Shown round;
    ScreenHistory all = history();
    for (int i = 0; i < 6; ++i) {
        if (i == 1) {
            round.accept(Role::safety, model::Replicate{}, fake::node_id(7));
            round.overrule(Role::efficiency);
        }
        if (i == 3 || i == 4) round.decision.alarms.push_back({.sentence = "x"});
        round.add_to(all);
        round.next_round();
    }
    EXPECT_EQ(all.landmark(105, false), 103U);
    EXPECT_EQ(all.landmark(103, false), 101U);
    EXPECT_EQ(all.landmark(101, false), 101U);
    EXPECT_EQ(all.landmark(100, true), 101U);
    EXPECT_EQ(all.landmark(101, true), 103U);
    EXPECT_EQ(all.landmark(104, true), 104U);
}

TEST(ScreenModel, keeps_no_more_than_its_share) {
    Shown round;
    ScreenHistory all = history();
    for (std::size_t i = 0; i < ScreenHistory::kKept + 10; ++i) {
        round.add_to(all);
        round.next_round();
    }
    EXPECT_EQ(all.newest() - all.first() + 1, ScreenHistory::kKept);
    EXPECT_EQ(all.at(all.newest()).strip.size(), 500U);
}

TEST(ScreenModel, what_could_not_be_sent_is_said) {
    Shown round;
    ScreenHistory all = history();
    const auto events =
        all.add({round.input, round.decision, round.memory, "disk full", {"on time", ""}});
    EXPECT_EQ(kinds_of(events), "decision error ");
    EXPECT_EQ(all.at(100).sent, "NOTHING SENT: disk full");
}

}  // namespace
}  // namespace parley::app
