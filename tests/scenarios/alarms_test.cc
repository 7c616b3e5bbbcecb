#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

namespace parley::scenarios {
namespace {

using enum model::AlarmKind;
using enum model::DisagreementKind;

// Nothing is measured yet in the first rounds.
constexpr std::uint64_t kWarm = 10;

struct AlarmCase {
    const char* scenario;
    model::AlarmKind kind;
    bool raised;
};

class Alarms : public testing::TestWithParam<AlarmCase> {};

TEST_P(Alarms, come_with_what_they_are_about_and_not_without) {
    const auto rounds = run({.scenario = GetParam().scenario, .rounds = 200});
    const bool raised = std::ranges::any_of(rounds, [](const auto& round) {
        return std::ranges::count(round->decision.alarms, GetParam().kind, &model::Alarm::kind) > 0;
    });
    EXPECT_EQ(raised, GetParam().raised);
}

const AlarmCase kAlarms[] = {
    {"tour", no_samples, true},
    {"calm", no_samples, false},
    {"rack-down", score_unexplained, false},
    {"calm", score_unexplained, false},
    {"exercise", stimulus_without_effect, false},
    {"failing-node", done_but_unhealthy, false},
    {"calm", done_but_unhealthy, false},
};
std::string named(const std::string& scenario, std::string_view kind, bool raised) {
    std::string name = scenario + (raised ? "_raises_" : "_does_not_raise_") + std::string(kind);
    std::ranges::replace(name, '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Scenarios, Alarms, testing::ValuesIn(kAlarms), [](const auto& each) {
    return named(each.param.scenario, enum_name(each.param.kind), each.param.raised);
});

struct DisagreementCase {
    const char* scenario;
    model::DisagreementKind kind;
    bool named;
};

class Disagreements : public testing::TestWithParam<DisagreementCase> {};

TEST_P(Disagreements, are_named_where_shown_and_believed_differ) {
    const auto rounds = run({.scenario = GetParam().scenario, .rounds = 200});
    const bool found = std::ranges::any_of(rounds, [](const auto& round) {
        return round->input.round > kWarm &&
               std::ranges::count(round->decision.disagreements, GetParam().kind,
                                  &model::Disagreement::kind) > 0;
    });
    EXPECT_EQ(found, GetParam().named);
}

const DisagreementCase kDisagreements[] = {
    {"failing-node", ready_but_risky, true},    {"calm", ready_but_risky, false},
    {"tour", ok_but_no_sample, true},           {"calm", ok_but_no_sample, false},
    {"batch-queue", short_but_admitting, true}, {"calm", short_but_admitting, false},
    {"batch-queue", mark_foreign, false},       {"rack-down", not_ready_but_safe, false},
    {"tour", replicas_not_ours, false},
};
INSTANTIATE_TEST_SUITE_P(Scenarios, Disagreements, testing::ValuesIn(kDisagreements),
                         [](const auto& each) {
                             return named(each.param.scenario, enum_name(each.param.kind),
                                          each.param.named);
                         });

bool disagrees(const Rounds& rounds, model::DisagreementKind kind) {
    return std::ranges::any_of(rounds, [&](const auto& round) {
        return std::ranges::count(round->decision.disagreements, kind, &model::Disagreement::kind) >
               0;
    });
}

// Safety acts on node-02 within the first minute; a person has time to interfere until minute 4.
constexpr Duration kInterferes = minutes(4);

void cheap_copies(model::Policy& policy) { policy.stakes.replicate_cost = 0.001; }

Wish failing_with(const std::optional<sim::ScriptedFault>& deed) {
    return {.scenario = "failing-node", .rounds = 120, .adapt = [deed](sim::Scenario& s) {
                s.script.front().target = "node-02";
                s.script.front().gamma = 0.4;  // So slow at first that a copy is worth more.
                if (deed) s.script.push_back(*deed);
            }};
}

TEST(Interference, a_person_who_scales_what_we_scaled_is_named) {
    for (const bool interferes : {true, false}) {
        Wish wish = failing_with(std::nullopt);
        if (interferes) {
            wish = failing_with(sim::ScriptedFault{.kind = sim::ScriptedKind::scale,
                                                   .at = kInterferes,
                                                   .target = "shop/web",
                                                   .replicas = 15});
        }
        wish.change = cheap_copies;
        EXPECT_EQ(disagrees(run(wish), replicas_not_ours), interferes);
    }
}

TEST(Interference, a_mark_that_a_person_removes_is_named) {
    const sim::ScriptedFault deed{
        .kind = sim::ScriptedKind::unmark, .at = kInterferes, .target = "node-02"};
    EXPECT_TRUE(disagrees(run(failing_with(deed)), mark_foreign));
    EXPECT_FALSE(disagrees(run(failing_with(std::nullopt)), mark_foreign));
}

// The formula looks at load and unhealthy pods, the evidence also at the Ready condition: only the
// formula calls a lost empty node safe.
TEST(Interference, a_lost_node_that_a_predictor_calls_safe_is_named) {
    for (const auto predictor : {model::PredictorKind::formula, model::PredictorKind::evidence}) {
        const auto lose_empty_nodes = [](sim::Scenario& s) {
            s.workloads = {s.workloads.back()};
            s.workloads.front().replicas = 1;
            s.jobs.clear();
            for (const char* node : {"node-11", "node-12"}) {
                s.script.push_back(
                    {.kind = sim::ScriptedKind::fail, .at = seconds(60), .target = node});
            }
        };
        const auto rounds = run({.scenario = "calm",
                                 .change = [&](auto& policy) { policy.predictor = predictor; },
                                 .adapt = lose_empty_nodes});
        EXPECT_EQ(disagrees(rounds, not_ready_but_safe),
                  predictor == model::PredictorKind::formula);
    }
}

// On full nodes the exerciser's pods stay pending, and requested resources do not move.
TEST(Interference, an_exerciser_that_moves_nothing_is_suspected) {
    const auto rounds = run(
        {.scenario = "exercise", .adapt = [](sim::Scenario& s) { s.nodes.front().pods_max = 1; }});
    EXPECT_TRUE(std::ranges::any_of(rounds, [](const auto& round) {
        return std::ranges::count(round->decision.alarms, stimulus_without_effect,
                                  &model::Alarm::kind) > 0;
    }));
}

}  // namespace
}  // namespace parley::scenarios
