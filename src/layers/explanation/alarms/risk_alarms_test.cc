#include "layers/explanation/alarms/risk_alarms.h"

#include <gtest/gtest.h>

namespace parley::explanation {
namespace {

constexpr std::int64_t kToday = 400;  // Slices of six hours.
constexpr TimePoint kNow{(kToday + 4) * model::kTallySlice.us};

/// Failures seen and expected, before the last day and in it.
struct Case {
    const char* name;
    double seen_before;
    double expected_before;
    double seen_lately;
    double expected_lately;
    std::vector<model::AlarmKind> raised;
};

model::Hindsight of(const Case& each) {
    model::Hindsight past{.model = "risk-test"};
    past.tallies = {{.slice = kToday - 9,
                     .failed = each.seen_before,
                     .survived = 1'000,
                     .calibrated = each.expected_before,
                     .served = each.expected_before},
                    {.slice = kToday + 1,
                     .failed = each.seen_lately,
                     .survived = 1'000,
                     .calibrated = each.expected_lately,
                     .served = each.expected_lately}};
    return past;
}

std::vector<model::AlarmKind> kinds(const model::Hindsight& past) {
    std::vector<model::AlarmKind> out;
    for (const RiskSuspicion& each : suspect_risk(past, kNow)) out.push_back(each.kind);
    return out;
}

TEST(RiskAlarms, by_what_was_seen_and_expected) {
    using enum model::AlarmKind;
    const Case kCases[] = {
        {"as_expected", 50, 50, 12, 12, {}},
        {"nothing_known", 0, 0, 0, 0, {}},
        {"too_many", 60, 20, 0, 0, {risk_off}},
        {"too_few", 2, 20, 0, 0, {risk_off}},
        {"none_at_all", 0, 20, 0, 0, {risk_off}},
        {"twice_is_not_more_than_twice", 40, 20, 0, 0, {}},
        {"too_few_expected", 40, 9.9, 0, 0, {}},
        {"few_enough_to_be_chance", 4, 10, 0, 0, {}},  // 95 %: 1.1 to 10.2.
        {"fewer_than_chance", 3, 10, 0, 0, {risk_off}},
        {"worse_lately", 100, 100, 40, 12, {risk_drift}},
        {"better_lately", 300, 100, 12, 12, {risk_off, risk_drift}},
        {"lately_too_little_to_say", 100, 100, 40, 9, {}},
        {"too_little_before", 5, 5, 60, 50, {}},
        {"lately_by_chance", 100, 100, 4, 10, {}},
    };
    for (const Case& each : kCases) EXPECT_EQ(kinds(of(each)), each.raised) << each.name;
}

TEST(RiskAlarms, say_what_was_seen_and_how_sure_that_is) {
    auto found = suspect_risk(of({"", 60, 20, 0, 0, {}}), kNow);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sentence,
              "risks of risk-test do not come true: 60 nodes failed where 20.0 were expected "
              "(x3.00), 95%: x2.29 to x3.86");
    found = suspect_risk(of({"", 100, 100, 40, 12, {}}), kNow);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].sentence,
              "what risk-test is worth has changed: in the last day 40 nodes failed where 12.0 "
              "were expected (x3.33), before that 100 nodes failed where 100.0 were expected "
              "(x1.00)");
}

TEST(RiskAlarms, a_correction_is_judged_by_what_it_served_itself) {
    model::Hindsight past = of({"", 60, 20, 12, 12, {}});
    EXPECT_EQ(kinds(past).at(0), model::AlarmKind::risk_off);
    past.correction = {.id = "c1", .a = 1, .since = {(kToday - 2) * model::kTallySlice.us}};
    past.tallies[0].calibrated = past.tallies[0].failed;  // Otherwise it would rightly be drift.
    EXPECT_EQ(kinds(past), std::vector<model::AlarmKind>{});
    past.tallies[1].served = 4;
    past.tallies[1].failed = 12;
    EXPECT_EQ(kinds(past), std::vector<model::AlarmKind>{});  // Too few to say.
    past.tallies[1] = {.slice = kToday + 1, .failed = 50, .calibrated = 50, .served = 15};
    const auto found = suspect_risk(past, kNow);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].sentence.ends_with(", since correction c1")) << found[0].sentence;
}

}  // namespace
}  // namespace parley::explanation
