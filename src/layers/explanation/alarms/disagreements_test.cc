#include "layers/explanation/alarms/disagreements.h"

#include "fake/small_round.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

using fake::node_id;
using fake::SmallRound;
using model::DisagreementKind;

std::vector<std::string> sentences(SmallRound& round, const model::Verdict& verdict = {},
                                   const std::vector<model::OpenAction>& ended = {}) {
    std::vector<std::string> out;
    for (const auto& each :
         disagreements(round.input, round.forecast, verdict, round.policy, round.memory, ended)) {
        out.push_back(std::string(enum_name(each.kind)) + ": " + each.sentence);
    }
    return out;
}

using Texts = std::vector<std::string>;

void add_metrics(SmallRound& round, model::SourceCondition condition) {
    round.input.snapshot.sources.push_back({.source = model::Source::metrics,
                                            .condition = condition,
                                            .last_success = round.input.now,
                                            .limit = seconds(60)});
}

TEST(Disagreements, a_calm_round_has_none) {
    SmallRound round;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, ready_but_over_its_own_limit) {
    SmallRound round;
    round.risk(7).risk = 0.25;
    EXPECT_EQ(sentences(round), Texts{});
    round.risk(7).risk = 0.86;
    EXPECT_EQ(sentences(round),
              Texts{"ready_but_risky: node-07 is Ready, but its risk 0.86 is over its own limit "
                    "0.25"});
    round.node(7).cordoned = true;
    EXPECT_EQ(sentences(round), Texts{});
    round.node(7).cordoned = false;
    round.risk(7).risk = std::nullopt;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, not_ready_but_its_risk_is_low) {
    SmallRound round;
    round.break_node(3);
    EXPECT_EQ(sentences(round),
              Texts{"not_ready_but_safe: node-03 is not Ready, but its risk is only 0.01"});
    round.risk(3).limit = 2;  // Nothing is at stake there.
    round.risk(3).risk = 0.49;
    EXPECT_EQ(sentences(round).size(), 1U);
    round.risk(3).risk = 0.5;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, two_sources_measure_the_same_and_say_different_things) {
    SmallRound round;
    const auto prometheus = [&](std::int64_t value) {
        return model::Reading<std::int64_t>(value,
                                            round.from(seconds(9), model::Source::prometheus));
    };
    round.node(4).cpu_second_m = prometheus(9'000);
    EXPECT_EQ(sentences(round), Texts{}) << "once is nothing";
    round.memory.derived.alarms = {{.kind = model::AlarmKind::sources_contradict,
                                    .about = node_id(4),
                                    .since = round.before(seconds(75))}};
    EXPECT_EQ(sentences(round),
              Texts{"sources_differ: of node-04 prometheus says 4.5 times as much CPU as metrics"});
    for (int node = 1; node <= 12; ++node) round.node(node).cpu_second_m = prometheus(736);
    round.memory.derived.contradictions = {{.since = round.input.now, .ratio = 736.0 / 2000}};
    EXPECT_EQ(sentences(round), Texts{"sources_differ: metrics and prometheus differ: metrics says "
                                      "2.7 times as much CPU as prometheus (median of 12 nodes)"});
    for (int node = 4; node <= 12; ++node) round.node(node).cpu_second_m = prometheus(2'000);
    for (int node = 1; node <= 3; ++node) round.node(node).cpu_second_m = prometheus(9'000);
    EXPECT_EQ(sentences(round),
              Texts{"sources_differ: metrics and prometheus differ: about 3 of 12 nodes"});
    for (int node = 1; node <= 12; ++node) round.node(node).cpu_second_m = prometheus(1'000);
    round.memory.derived.contradictions.clear();
    EXPECT_EQ(sentences(round), Texts{}) << "twice may be";
}

TEST(Disagreements, metrics_ok_but_a_node_without_samples) {
    SmallRound round;
    round.fold(12).silent = 1;
    EXPECT_EQ(sentences(round), Texts{});  // There is no such source.
    add_metrics(round, model::SourceCondition::ok);
    EXPECT_EQ(sentences(round),
              Texts{"ok_but_no_sample: metrics reads ok, but has no sample of node-12"});
    round.break_node(12);
    round.risk(12).risk = 0.9;
    EXPECT_EQ(sentences(round), Texts{});
    round.node(12).ready = model::Readiness::yes;
    round.risk(12).risk = 0.01;
    round.input.snapshot.sources.back().condition = model::SourceCondition::late;
    EXPECT_EQ(sentences(round), Texts{});
    round.input.snapshot.sources.back().condition = model::SourceCondition::ok;
    round.fold(12).silent = 0;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, pods_are_short_of_room_while_c_admits) {
    SmallRound round;
    const auto cpu = model::CauseSet{}.with(model::Cause::cpu);
    round.input.snapshot.pending.push_back({round.web, cpu, 9, round.input.now});
    const Texts expected{"short_but_admitting: 9 pods are short of room while C admission admits"};
    EXPECT_EQ(sentences(round), expected);

    model::Verdict holds;
    holds.accepted.push_back(
        {.role = model::Role::admission, .action = model::Admission{model::AdmissionWish::queue}});
    EXPECT_EQ(sentences(round, holds), Texts{});
    round.memory.ledger.orders.push_back({.mode = model::AdmissionWish::queue});
    EXPECT_EQ(sentences(round), Texts{});

    round.memory.ledger.orders.clear();
    round.input.snapshot.pending[0].causes = cpu.with(model::Cause::selector);
    EXPECT_EQ(sentences(round), Texts{});
    round.input.snapshot.pending[0].causes = model::CauseSet{}.with(model::Cause::taint);
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, pods_that_agent_c_is_told_to_ignore_are_no_fault_of_it) {
    SmallRound round;
    const auto cpu = model::CauseSet{}.with(model::Cause::cpu);
    const Slot night = round.add_workload(fake::workload_id("batch", "night"), 0);
    round.input.snapshot.pending = {{night, cpu, 11, round.input.now}};
    round.policy.namespaces = {"=shop"};
    EXPECT_EQ(sentences(round), Texts{});
    round.input.snapshot.pending.push_back({round.web, cpu, 2, round.input.now});
    EXPECT_EQ(sentences(round),
              Texts{"short_but_admitting: 2 pods are short of room while C admission admits"});
    round.workload(round.web).deliberate = true;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, replicas_are_not_what_our_last_action_set) {
    SmallRound round;
    const auto web = fake::workload_id("shop", "web");
    auto& action = round.open(model::Replicate{}, node_id(1), model::ActionState::confirmed);
    action.plan.push_back({model::SetReplicas{web, 6}, {}, true});
    action.plan.push_back({model::SetReplicas{web, 4}, {}, true});
    EXPECT_EQ(sentences(round), Texts{});
    round.workload(round.web).wanted = 5;
    EXPECT_EQ(sentences(round), Texts{"replicas_not_ours: shop/web wants 5 replicas, but our last "
                                      "action set 4"});
    round.workload(round.web).wanted = 3;
    EXPECT_EQ(sentences(round).size(), 1U);
    action.plan[1].ours = false;
    action.plan[0].ours = false;
    EXPECT_EQ(sentences(round), Texts{});
    action.plan[1].ours = true;
    action.undoing = true;
    EXPECT_EQ(sentences(round), Texts{});
}

TEST(Disagreements, our_mark_is_missing_or_of_a_decision_that_nobody_knows) {
    SmallRound round;
    auto& action = round.open(model::Throttle{}, node_id(4), model::ActionState::confirmed);
    action.plan.push_back({model::PutMark{node_id(4), action.id, {}}, {}, true});
    EXPECT_EQ(sentences(round), Texts{"mark_foreign: our mark on node-04 is missing: throttle of "
                                      "round 90 stands there"});
    round.node(4).mark = model::Mark{action.id, {}};
    EXPECT_EQ(sentences(round), Texts{});
    action.state = model::ActionState::sent;
    round.node(4).mark.reset();
    EXPECT_EQ(sentences(round), Texts{});  // Perhaps not there yet.

    round.node(5).mark = model::Mark{{9, 9}, {}};
    EXPECT_EQ(sentences(round),
              Texts{"mark_foreign: node-05 carries our mark of a decision that nobody knows: "
                    "00000000000000090000000000000009"});
    model::OpenAction ended;
    ended.id = {9, 9};
    EXPECT_EQ(sentences(round, {}, {ended}), Texts{});
}

TEST(Disagreements, each_names_the_layer_to_look_at_first) {
    using enum model::DisagreementKind;
    const std::pair<model::DisagreementKind, std::string> table[] = {
        {ready_but_risky, "x by evidence; so says layer 2, prediction"},
        {not_ready_but_safe, "x by evidence; suspect layer 2, prediction"},
        {ok_but_no_sample, "x; suspect layer 1, observation"},
        {short_but_admitting, "x; suspect layer 3, proposal"},
        {replicas_not_ours, "x; suspect layer 5, execution"},
        {mark_foreign, "x; suspect layer 5, execution"},
        {sources_differ, "x; suspect layer 1, observation"},
    };
    model::Decision decision;
    decision.forecast.model = "evidence";
    for (const auto& [kind, text] : table) {
        EXPECT_EQ(disagreement_text({kind, model::WholeCluster{}, "x"}, decision), text);
    }
    // Agent C wanted to hold Jobs back and was refused.
    model::Judged refused;
    refused.proposal = {.role = model::Role::admission, .action = model::Admission{}};
    std::get<model::Admission>(refused.proposal.action).decision = model::AdmissionWish::queue;
    decision.verdict.judged.push_back(refused);
    EXPECT_EQ(layer_of({short_but_admitting, model::WholeCluster{}, "x"}, decision), 4);
}

TEST(Disagreements, many_are_counted_in_order_of_names) {
    SmallRound round(20);
    for (int n = 1; n <= 20; ++n) round.risk(n).risk = 0.9;
    const auto found =
        disagreements(round.input, round.forecast, {}, round.policy, round.memory, {});
    ASSERT_EQ(found.size(), kNamedMax + 1);
    EXPECT_EQ(found[0].about, model::Target(node_id(1)));
    EXPECT_EQ(found[15].about, model::Target(node_id(16)));
    EXPECT_EQ(found.back().sentence, "and 4 more like these");
    round.risk(20).risk = round.risk(19).risk = round.risk(18).risk = round.risk(17).risk = 0.1;
    EXPECT_EQ(disagreements(round.input, round.forecast, {}, round.policy, round.memory, {}).size(),
              kNamedMax);
}

}  // namespace
}  // namespace parley::explanation
