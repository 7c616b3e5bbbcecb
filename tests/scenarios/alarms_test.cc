#include "tests/scenarios/run_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parley::scenarios {
namespace {

using enum model::AlarmKind;
using enum model::DisagreementKind;

// In the first rounds nothing has been measured yet.
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
    {"rack-down", score_unexplained, true},
    {"calm", score_unexplained, false},
    {"exercise", stimulus_without_effect, false},
    {"failing-node", done_but_unhealthy, true},
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

}  // namespace
}  // namespace parley::scenarios
