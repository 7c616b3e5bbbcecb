#include "layers/proposal/proposal_kit.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace parley::proposal {
namespace {

using namespace kit;
using model::ActionKind;
using model::NodeForecast;

/// Loss 48 pod-minutes. Throttle pays from 0.102, replicate from 0.491, migrate from 0.414.
NodeForecast& stakes(NodeForecast& node) {
    node.loss = 48;
    node.remedies[0] = {ActionKind::throttle, 0.2, 0.9, 0.8, 0.88 / (48 * 0.18)};
    node.remedies[1] = {ActionKind::replicate, 0.7, 0.8, 12, 13.2 / (48 * 0.56)};
    node.remedies[2] = {ActionKind::migrate, 0.95, 0.7, 12, 13.2 / (48 * 0.665)};
    node.limit = node.remedies[0].limit;
    return node;
}

Round at_risk(std::optional<double> risk, std::uint8_t over = 0b011) {
    Round round;
    round.node(0, "node-07");
    round.memory.derived.nodes.edit(0).over = over;
    stakes(round.expect(0, risk));
    return round;
}

TEST(Safety, names_risk_target_and_both_costs) {
    const Round round = at_risk(0.86);
    const model::Proposal proposal = round.ask(safety_agent());
    EXPECT_EQ(text(proposal), "migrate node-07");
    EXPECT_EQ(proposal.score, 0.86);
    EXPECT_EQ(proposal.because,
              "Risk 0.86 of failing in 10 min: waiting costs 41.3 pod-minutes (0.86 x 48.0), "
              "acting 12.0.");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"risk", 0.86, "above", round.forecast.nodes[0].limit,
                               model::Measure::risk}));
}

struct Case {
    const char* name;
    const char* wants;
    double risk = 0.86;
    std::uint8_t over = 0b011;
    std::function<void(Round&)> change = [](Round&) {};
};

class SafetyWants : public testing::TestWithParam<Case> {};

TEST_P(SafetyWants, by_the_account) {
    Round round = at_risk(GetParam().risk, GetParam().over);
    GetParam().change(round);
    EXPECT_EQ(text(round.ask(safety_agent())), GetParam().wants)
        << round.ask(safety_agent()).because;
}

model::NodeRow& row(Round& round) { return round.input.snapshot.nodes.edit(0); }
NodeForecast& forecast(Round& round) { return round.forecast.nodes[0]; }
void begun(Round& round, const model::Action& action, model::ActionState state) {
    round.memory.ledger.open.push_back(
        {.role = model::Role::safety, .action = action, .target = row(round).id, .state = state});
}
void cool(Round& round, Slot slot, ActionKind kind, TimePoint until) {
    round.memory.ledger.cool_downs.push_back(
        {.target = round.input.snapshot.nodes.at(slot).id, .kind = kind, .until = until});
}

// Throttle beats migrate below 0.498: r x 48 x (0.665 - 0.18) = 13.2 - 0.88 at 0.5292.
const Case kCases[] = {
    {"within_its_limit", "noop node-07", 0.1018},
    {"just_over_it", "throttle node-07", 0.1020},
    {"throttle_has_the_larger_difference", "throttle node-07", 0.5291},
    {"migrate_has_the_larger_difference", "migrate node-07", 0.5293},
    {"over_in_one_round_of_three", "noop node-07", 0.86, 0b001},
    {"over_in_two_of_three", "migrate node-07", 0.86, 0b101},
    {"the_second_was_four_rounds_ago", "noop node-07", 0.86, 0b1001},
    {"rounds_of_the_policy", "migrate node-07", 0.86, 0b1001,
     [](Round& r) { r.policy.stakes.rounds_of = 4; }},
    {"once_is_enough_by_policy", "migrate node-07", 0.86, 0b001,
     [](Round& r) { r.policy.stakes.rounds_over = 1; }},
    {"no_windows_no_action", "noop node-07", 0.86, 0b111,
     [](Round& r) { r.memory.derived.nodes.erase(0); }},
    {"not_ready_is_lost", "noop node-07", 0.99, 0b111,
     [](Round& r) { row(r).ready = model::Readiness::unknown; }},
    {"lease_lost_is_lost", "noop node-07", 0.99, 0b111,
     [](Round& r) { forecast(r).spoke.add(model::Signal::lease_lost); }},
    {"lease_slow_is_not", "migrate node-07", 0.86, 0b111,
     [](Round& r) { forecast(r).spoke.add(model::Signal::lease_slow); }},
    {"control_plane", "noop node-07", 0.86, 0b111,
     [](Round& r) { row(r).role = model::NodeRole::control_plane; }},
    {"cordoned_is_not_ours", "noop cluster", 0.86, 0b111, [](Round& r) { row(r).cordoned = true; }},
    {"avoided_is_throttled_already", "noop node-07", 0.41, 0b111,
     [](Round& r) { row(r).avoided = true; }},
    {"avoided_may_still_be_left", "migrate node-07", 0.42, 0b111,
     [](Round& r) { row(r).avoided = true; }},
    {"quarantined_is_in_hand", "noop node-07", 0.86, 0b111,
     [](Round& r) { row(r).quarantined = true; }},
    {"migrate_under_way", "noop node-07", 0.86, 0b111,
     [](Round& r) { begun(r, model::Migrate{}, model::ActionState::sent); }},
    {"throttle_under_way_migrate_pays", "migrate node-07", 0.86, 0b111,
     [](Round& r) { begun(r, model::Throttle{}, model::ActionState::confirmed); }},
    {"replicate_under_way_migrate_pays", "migrate node-07", 0.86, 0b111,
     [](Round& r) { begun(r, model::Replicate{}, model::ActionState::marked); }},
    {"what_failed_may_be_tried_again", "migrate node-07", 0.86, 0b111,
     [](Round& r) { begun(r, model::Migrate{}, model::ActionState::failed); }},
    {"what_would_be_sent_was_not", "migrate node-07", 0.86, 0b111,
     [](Round& r) { begun(r, model::Migrate{}, model::ActionState::would_send); }},
    {"what_is_being_undone_is_over", "migrate node-07", 0.86, 0b111,
     [](Round& r) {
         begun(r, model::Migrate{}, model::ActionState::sent);
         r.memory.ledger.open[0].undoing = true;
     }},
    {"cooling_down_is_for_the_guard_to_say", "migrate node-07", 0.86, 0b111,
     [](Round& r) { cool(r, 0, ActionKind::migrate, kNow + minutes(5)); }},
    {"unknown_risk", "noop cluster", 0.86, 0b111, [](Round& r) { forecast(r).risk.reset(); }},
    {"risk_not_a_number", "noop cluster", 0.86, 0b111,
     [](Round& r) { forecast(r).risk = std::numeric_limits<double>::quiet_NaN(); }},
    {"equal_differences_take_the_gentler", "throttle node-07", 0.86, 0b111,
     [](Round& r) {
         for (const std::size_t i : {1U, 2U}) {
             const ActionKind kind = forecast(r).remedies[i].kind;
             forecast(r).remedies[i] = forecast(r).remedies[0];
             forecast(r).remedies[i].kind = kind;
         }
     }},
    {"exactly_at_its_limit", "noop node-07", 0.25, 0b111,
     [](Round& r) { forecast(r).limit = 0.25; }},
    {"throttle_under_way_nothing_else_pays", "noop node-07", 0.41, 0b111,
     [](Round& r) { begun(r, model::Throttle{}, model::ActionState::sent); }},
    {"replicate_under_way_nothing_else_pays", "noop node-07", 0.86, 0b111,
     [](Round& r) {
         begun(r, model::Replicate{}, model::ActionState::sent);
         forecast(r).remedies[2].efficacy = 0;
     }},
    {"another_agents_action_is_no_remedy", "migrate node-07", 0.86, 0b111,
     [](Round& r) {
         begun(r, model::Migrate{}, model::ActionState::sent);
         r.memory.ledger.open[0].role = model::Role::efficiency;
     }},
    {"an_action_elsewhere_is_no_remedy", "migrate node-07", 0.86, 0b111,
     [](Round& r) {
         begun(r, model::Migrate{}, model::ActionState::sent);
         r.memory.ledger.open[0].target = model::NodeId{Name::of("node-03")};
     }},
};
INSTANTIATE_TEST_SUITE_P(Rows, SafetyWants, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

/// A second node with the same stakes.
void second(Round& round, const std::string& name, double risk) {
    round.node(1, name);
    round.memory.derived.nodes.edit(1).over = 0b111;
    stakes(round.expect(1, risk));
}

TEST(Safety, takes_the_node_with_the_largest_difference) {
    Round round = at_risk(0.86);
    second(round, "node-03", 0.85);
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07");
    round.forecast.nodes[1].loss = 50;
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03");
}

TEST(Safety, of_equal_nodes_takes_the_first_by_name) {
    Round round = at_risk(0.86);
    second(round, "node-03", 0.86);
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03");
}

TEST(Safety, a_node_on_cool_down_does_not_hide_another) {
    Round round = at_risk(0.86);
    second(round, "node-03", 0.60);
    cool(round, 0, ActionKind::migrate, kNow + seconds(1));
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03");
    round.memory.ledger.cool_downs[0].until = kNow;
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07");
    round.memory.ledger.cool_downs[0] = {.target = model::NodeId{Name::of("node-07")},
                                         .kind = ActionKind::throttle,
                                         .until = kNow + seconds(1)};
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07");
    round.memory.ledger.cool_downs[0].kind = ActionKind::noop;
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03") << "a rest is for every kind";
}

/// A pod of this namespace on a node.
void lodge(Round& round, Slot node, std::string_view space, bool protect = false) {
    const auto slot = static_cast<Slot>(round.input.snapshot.workloads.size());
    model::WorkloadRow row;
    row.id = {Name::of(space), model::WorkloadKind::deployment, Name::of("web")};
    row.protect = protect;
    round.input.snapshot.workloads.put(slot, row);
    model::PodRow pod;
    pod.uid = {3, slot + 1};
    pod.workload = slot;
    pod.node = node;
    pod.phase = model::PodPhase::running;
    round.input.snapshot.pods.put(slot, pod);
}

TEST(Safety, a_node_that_may_not_be_touched_does_not_hide_one_that_may) {
    Round round = at_risk(0.86);
    round.input.controls.mode = model::Mode::act;
    round.policy.allow = {{"shop", {ActionKind::migrate}}};
    second(round, "node-03", 0.60);
    lodge(round, 0, "shop");
    lodge(round, 1, "shop");
    lodge(round, 0, "kube-system", true);
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07") << "what is protected stays";
    lodge(round, 0, "bank");
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03");
    round.input.controls.mode = model::Mode::observe;
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07") << "nobody is asked";
    round.input.controls.mode = model::Mode::act;
    lodge(round, 1, "bank");
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07") << "the guard says what it lacks";
}

TEST(Safety, a_remedy_that_is_not_allowed_does_not_hide_one_that_is) {
    Round round = at_risk(0.86);
    round.input.controls.mode = model::Mode::act;
    lodge(round, 0, "shop");
    round.policy.allow = {{"shop", {ActionKind::throttle}}};
    EXPECT_EQ(text(round.ask(safety_agent())), "throttle node-07");
    round.policy.allow = {{"*", {ActionKind::replicate}}};
    EXPECT_EQ(text(round.ask(safety_agent())), "replicate node-07");
    round.policy.allow = {{"bank", {ActionKind::throttle, ActionKind::migrate}}};
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-07");
}

TEST(Safety, a_lost_node_does_not_hide_one_that_can_be_helped) {
    Round round = at_risk(0.99);
    row(round).ready = model::Readiness::no;
    second(round, "node-03", 0.60);
    EXPECT_EQ(text(round.ask(safety_agent())), "migrate node-03");
}

TEST(Safety, idle_names_the_nearest_node_and_how_far_it_is) {
    Round round = at_risk(0.01, 0);
    second(round, "node-03", 0.21);
    round.forecast.nodes[1].limit = 0.30;
    const model::Proposal proposal = round.ask(safety_agent());
    EXPECT_EQ(text(proposal), "noop node-03");
    EXPECT_EQ(proposal.because, "Nearest node-03: risk 0.21, acts above 0.30.");
    EXPECT_EQ(proposal.evidence,
              (model::Evidence{"risk", 0.21, "above", 0.30, model::Measure::risk}));
}

TEST(Safety, idle_at_its_limit_says_that_it_is_near) {
    Round round = at_risk(0.25);
    round.forecast.nodes[0].limit = 0.25;
    EXPECT_EQ(round.ask(safety_agent()).because, "Nearest node-07: risk 0.25, acts above 0.25.");
}

TEST(Safety, idle_says_what_stands_in_the_way) {
    Round round = at_risk(0.86, 0b001);
    EXPECT_EQ(round.ask(safety_agent()).because,
              "node-07 is over its limit (risk 0.86, acts above 0.10) in 1 of the last 3 rounds; "
              "acts from 2.");
    row(round).quarantined = true;
    EXPECT_EQ(round.ask(safety_agent()).because,
              "node-07 is over its limit (risk 0.86, acts above 0.10), and what can be done for it "
              "is under way.");
    row(round).role = model::NodeRole::control_plane;
    EXPECT_EQ(round.ask(safety_agent()).because,
              "node-07 is over its limit (risk 0.86, acts above 0.10), but a control plane is left "
              "alone.");
    row(round).ready = model::Readiness::no;
    EXPECT_EQ(round.ask(safety_agent()).because,
              "node-07 is lost already: its pods cannot be reached to be moved, and Kubernetes "
              "replaces them.");
}

TEST(Safety, idle_says_whose_risk_is_unknown) {
    Round round = at_risk(0.05, 0);
    second(round, "node-03", 0.2);
    round.forecast.nodes[1].risk.reset();
    EXPECT_EQ(round.ask(safety_agent()).because,
              "Nearest node-07: risk 0.05, acts above 0.10. Risk of 1 of 2 nodes is unknown.");
}

TEST(Safety, idle_says_when_there_is_nothing_to_lose) {
    Round round;
    EXPECT_EQ(round.ask(safety_agent()).because, "There are no nodes.");
    Round blind;
    blind.input.snapshot.sources = {{.source = model::Source::api,
                                     .condition = model::SourceCondition::failed,
                                     .reason = "no route"}};
    EXPECT_EQ(blind.ask(safety_agent()).because, "Missing: the nodes; api failed: no route.");
    blind.input.snapshot.sources[0].condition = model::SourceCondition::late;
    blind.input.now = TimePoint{} + hours(24 * 365 * 50);
    EXPECT_EQ(blind.ask(safety_agent()).because,
              "Missing: the nodes; api has delivered nothing yet.");
    round.node(0, "node-07");
    round.expect(0, 0.9);
    EXPECT_EQ(round.ask(safety_agent()).because, "On no node would acting pay, whatever its risk.");
}

}  // namespace
}  // namespace parley::proposal
