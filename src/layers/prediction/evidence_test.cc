#include "layers/prediction/evidence.h"

#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::prediction {
namespace {

using namespace kit;
using model::NodeFold;
using model::NodeRow;
using model::Signal;

const model::Policy kPolicy;
constexpr double kBase = 0.0005;

model::SignalSet set(std::initializer_list<Signal> signals) {
    model::SignalSet out;
    for (const Signal signal : signals) out.add(signal);
    return out;
}

/// A node whose use is measured, so that only signals of failure can be missing.
NodeRow healthy() {
    NodeRow row = node("node-01", 1);
    row.cpu_used_m = read<std::int64_t>(1'000);
    row.memory_used = read<std::int64_t>(10);
    return row;
}

struct Case {
    const char* name;
    std::vector<double> factors;  // 1 - e of each signal that speaks.
    model::SignalSet spoke;
    std::function<void(NodeRow&, NodeFold&)> change = [](NodeRow&, NodeFold&) {};
    model::SignalSet missing = {};
    model::RestartSign restarts = {};
};

class EvidenceSays : public testing::TestWithParam<Case> {};

TEST_P(EvidenceSays, one_minus_the_product) {
    const Case& c = GetParam();
    NodeRow row = healthy();
    NodeFold fold;
    c.change(row, fold);
    model::NodeForecast forecast;
    Evidence().judge({row, &fold, kNow, true, kPolicy, c.restarts}, forecast);
    double spared = 1 - kBase;
    for (const double factor : c.factors) spared *= factor;
    ASSERT_TRUE(forecast.risk);
    EXPECT_NEAR(*forecast.risk, 1 - spared, 1e-12);
    EXPECT_EQ(forecast.spoke, c.spoke);
    EXPECT_EQ(forecast.missing, c.missing);
}

const Case kCases[] = {
    {"healthy", {}, {}},
    {"lease_below_10s", {}, {}, [](auto& n, auto&) { n.lease = read(kNow - milliseconds(9'999)); }},
    {"lease_10s",
     {0.9},
     set({Signal::lease_slow}),
     [](auto& n, auto&) { n.lease = read(kNow - seconds(10)); }},
    {"lease_40s",
     {0.9},
     set({Signal::lease_slow}),
     [](auto& n, auto&) { n.lease = read(kNow - seconds(40)); }},
    {"lease_over_40s",
     {0.1},
     set({Signal::lease_lost}),
     [](auto& n, auto&) { n.lease = read(kNow - seconds(40) - microseconds(1)); }},
    {"a_lease_nobody_renews_stays_a_signal",
     {0.1},
     set({Signal::lease_lost}),
     [](auto& n, auto&) { n.lease = read(kNow - hours(1), hours(1)); }},
    {"lease_ahead_of_us", {}, {}, [](auto& n, auto&) { n.lease = read(kNow + seconds(60)); }},
    {"lease_unknown",
     {},
     {},
     [](auto& n, auto&) { n.lease = gap<TimePoint>(model::Gap::not_reported); },
     set({Signal::lease_slow, Signal::lease_lost})},
    {"lease_implausible",
     {},
     {},
     [](auto& n, auto&) { n.lease = gap<TimePoint>(model::Gap::implausible); },
     set({Signal::lease_slow, Signal::lease_lost})},
    {"not_ready",
     {0.1},
     set({Signal::not_ready}),
     [](auto& n, auto&) { n.ready = model::Readiness::no; }},
    {"ready_unknown",
     {0.1},
     set({Signal::not_ready}),
     [](auto& n, auto&) { n.ready = model::Readiness::unknown; }},
    {"memory_pressure",
     {0.85},
     set({Signal::pressure}),
     [](auto& n, auto&) { n.memory_pressure = true; }},
    {"disk_pressure",
     {0.85},
     set({Signal::pressure}),
     [](auto& n, auto&) { n.disk_pressure = true; }},
    {"pid_pressure",
     {0.85},
     set({Signal::pressure}),
     [](auto& n, auto&) { n.pid_pressure = true; }},
    {"all_pressures_count_once",
     {0.85},
     set({Signal::pressure}),
     [](auto& n, auto&) { n.memory_pressure = n.disk_pressure = n.pid_pressure = true; }},
    {"restarts_that_only_the_node_explains",
     {0.8},
     set({Signal::restarts}),
     [](auto&, auto&) {},
     {},
     {.restarts = 3, .pods = 3, .workloads = 3, .running = 6, .own = {}}},
    {"restarts_of_too_few_workloads",
     {},
     {},
     [](auto&, auto&) {},
     {},
     {.restarts = 9, .pods = 4, .workloads = 2, .running = 6, .own = {}}},
    {"crash_loops_of_their_own",
     {},
     {},
     [](auto&, auto&) {},
     {},
     {.running = 3, .own = {{{}, model::RestartCause::elsewhere, 30}}}},
    {"one_flap", {}, {}, [](auto&, auto& f) { f.flaps[0] = kNow; }},
    {"two_flaps",
     {0.6},
     set({Signal::flaps}),
     [](auto&, auto& f) {
         f.flaps[0] = kNow - hours(1);
         f.flaps[1] = kNow;
     }},
    {"a_flap_too_long_ago",
     {},
     {},
     [](auto&, auto& f) {
         f.flaps[0] = kNow - hours(1) - microseconds(1);
         f.flaps[1] = kNow;
     }},
    {"everything",
     {0.1, 0.1, 0.85, 0.8, 0.6},
     set({Signal::lease_lost, Signal::not_ready, Signal::pressure, Signal::restarts,
          Signal::flaps}),
     [](auto& n, auto& f) {
         n.lease = read(kNow - minutes(1));
         n.ready = model::Readiness::no;
         n.disk_pressure = true;
         f.flaps = {kNow, kNow, kNow, kNow};
     },
     {},
     {.restarts = 3, .pods = 2, .workloads = 2, .running = 2, .own = {}}},
    {"cordoned_is_meant",
     {},
     {},
     [](auto& n, auto&) {
         n.cordoned = true;
         n.ready = model::Readiness::no;
     }},
    {"maintenance_is_meant",
     {},
     {},
     [](auto& n, auto&) {
         n.maintenance = true;
         n.ready = model::Readiness::unknown;
         n.lease = read(kNow - hours(1));
     }},
    {"asleep_is_meant",
     {},
     {},
     [](auto& n, auto&) {
         n.power = model::Power::sleep;
         n.ready = model::Readiness::unknown;
     }},
    {"booting_is_meant",
     {},
     {},
     [](auto& n, auto&) {
         n.power = model::Power::booting;
         n.ready = model::Readiness::unknown;
     }},
    {"use_unknown",
     {},
     {},
     [](auto& n, auto&) {
         n.cpu_used_m = gap<std::int64_t>(model::Gap::implausible);
         n.memory_used = read<std::int64_t>(1, seconds(61));
     },
     set({Signal::cpu, Signal::memory})},
};
INSTANTIATE_TEST_SUITE_P(Rows, EvidenceSays, testing::ValuesIn(kCases),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Evidence, names_windows_that_were_never_folded) {
    model::NodeForecast forecast;
    const NodeRow row = healthy();
    Evidence().judge({row, nullptr, kNow, true, kPolicy}, forecast);
    EXPECT_EQ(forecast.missing, set({Signal::restarts, Signal::flaps}));
    EXPECT_NEAR(*forecast.risk, kBase, 1e-12);
}

TEST(Evidence, knows_no_risk_while_the_api_is_blind) {
    model::NodeForecast forecast;
    NodeRow row = healthy();
    row.ready = model::Readiness::no;
    Evidence().judge({row, nullptr, kNow, false, kPolicy}, forecast);
    EXPECT_FALSE(forecast.risk);
    EXPECT_FALSE(forecast.demand);
    EXPECT_EQ(forecast.spoke, model::SignalSet{});
    EXPECT_TRUE(forecast.missing.has(Signal::not_ready));
    EXPECT_TRUE(forecast.missing.has(Signal::cpu));
}

}  // namespace
}  // namespace parley::prediction
