#include "layers/prediction/formula.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

namespace parley::prediction {
namespace {

using namespace kit;
using model::Signal;

const model::Policy kPolicy;

model::NodeForecast judged(const model::NodeRow& row, bool api_fresh = true) {
    model::NodeForecast forecast;
    Formula().judge({row, nullptr, kNow, api_fresh, kPolicy}, forecast);
    return forecast;
}

struct Case {
    const char* name;
    double risk;
    double demand;
    std::int64_t cpu_requested_m = 0;
    std::int64_t memory_requested = 0;
    std::int32_t unhealthy = 0;
    std::int32_t restarted = 0;
};

class FormulaSays : public testing::TestWithParam<Case> {};

TEST_P(FormulaSays, the_larger_of_health_and_load) {
    const Case& c = GetParam();
    model::NodeRow row = node("node-01", 1);
    row.cpu_requested_m = c.cpu_requested_m;
    row.memory_requested = c.memory_requested;
    row.pods_unhealthy = c.unhealthy;
    row.pods_restarted = c.restarted;
    const model::NodeForecast forecast = judged(row);
    ASSERT_TRUE(forecast.risk && forecast.demand);
    EXPECT_DOUBLE_EQ(*forecast.risk, c.risk);
    EXPECT_DOUBLE_EQ(*forecast.demand, c.demand);
}

const Case kCases[] = {
    {"empty", 0, 0},
    {"load", 0.55 * 0.5 + 0.35 * 0.2, 0.55 * 0.5 + 0.35 * 0.2, 5'000, 20},
    {"full", 0.55 + 0.35, 0.55 + 0.35, 10'000, 100},
    {"asked_for_more_than_there_is", 0.55 + 0.35, 0.55 + 0.35, 20'000, 200},
    {"one_pod_unhealthy", 0.95, 0, 0, 0, 1, 0},
    {"unhealthy_and_full", 0.95, 0.55 + 0.35, 10'000, 100, 1, 9},
    {"one_restart_ever", 0.70, 0, 0, 0, 0, 1},
    {"restart_below_load", 0.55 + 0.35, 0.55 + 0.35, 10'000, 100, 0, 1},
    {"restart_above_load", 0.70, 0.55, 10'000, 0, 0, 1},
};
INSTANTIATE_TEST_SUITE_P(Rows, FormulaSays, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Formula, gives_the_exercise_figure_of_phase_5) {
    model::NodeRow row = node("node-01", 1);
    row.memory_allocatable = std::int64_t{8} << 30;
    row.cpu_requested_m = 9'400 + 100;
    row.memory_requested = (std::int64_t{7} << 30) + (std::int64_t{50} << 20);
    EXPECT_NEAR(*judged(row).risk, 0.8309, 0.00005);
    row.cpu_requested_m -= 100;
    row.memory_requested -= std::int64_t{50} << 20;
    EXPECT_NEAR(*judged(row).risk, 0.823, 0.0005);
}

TEST(Formula, takes_use_from_prometheus_alone_and_only_while_fresh) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_requested_m = 5'000;
    row.memory_requested = 50;
    row.cpu_used_m = read<std::int64_t>(1'000);
    row.memory_used = read<std::int64_t>(10);
    EXPECT_DOUBLE_EQ(*judged(row).risk, 0.55 * 0.5 + 0.35 * 0.5);
    EXPECT_TRUE(judged(row).missing.has(Signal::cpu));
    row.cpu_used_m = read<std::int64_t>(1'000, seconds(60), model::Source::prometheus);
    row.memory_used = read<std::int64_t>(10, seconds(60), model::Source::prometheus);
    EXPECT_DOUBLE_EQ(*judged(row).risk, 0.55 * 0.1 + 0.35 * 0.1);
    EXPECT_FALSE(judged(row).missing.has(Signal::cpu));
    row.cpu_used_m = read<std::int64_t>(1'000, seconds(61), model::Source::prometheus);
    EXPECT_DOUBLE_EQ(*judged(row).risk, 0.55 * 0.5 + 0.35 * 0.1);
    row.memory_used =
        model::Reading<std::int64_t>(model::Gap::implausible, from({}, model::Source::prometheus));
    EXPECT_DOUBLE_EQ(*judged(row).risk, 0.55 * 0.5 + 0.35 * 0.5);
}

TEST(Formula, knows_no_load_without_capacity_but_still_health) {
    model::NodeRow row = node("node-01", 1);
    row.memory_allocatable = 0;
    EXPECT_FALSE(judged(row).risk);
    EXPECT_FALSE(judged(row).demand);
    row.pods_restarted = 1;
    EXPECT_DOUBLE_EQ(*judged(row).risk, 0.70);
    EXPECT_FALSE(judged(row).demand);
}

TEST(Formula, says_what_spoke) {
    model::NodeRow row = node("node-01", 1);
    row.cpu_requested_m = 1'000;
    EXPECT_TRUE(judged(row).spoke.has(Signal::cpu));
    EXPECT_FALSE(judged(row).spoke.has(Signal::memory));
    row.cpu_requested_m = 0;
    row.memory_requested = 1;
    EXPECT_FALSE(judged(row).spoke.has(Signal::cpu));
    EXPECT_TRUE(judged(row).spoke.has(Signal::memory));
    row.pods_restarted = 1;
    EXPECT_TRUE(judged(row).spoke.has(Signal::pods_restarted));
    EXPECT_FALSE(judged(row).spoke.has(Signal::cpu));
    row.pods_unhealthy = 1;
    EXPECT_TRUE(judged(row).spoke.has(Signal::pods_unhealthy));
}

TEST(Formula, says_nothing_while_the_api_is_blind) {
    model::NodeRow row = node("node-01", 1);
    row.pods_unhealthy = 1;
    const model::NodeForecast forecast = judged(row, false);
    EXPECT_FALSE(forecast.risk);
    EXPECT_FALSE(forecast.demand);
    EXPECT_TRUE(forecast.missing.has(Signal::pods_unhealthy));
    EXPECT_TRUE(forecast.missing.has(Signal::memory));
}

}  // namespace
}  // namespace parley::prediction
