#include "layers/prediction/predict.h"

#include "layers/prediction/features.h"
#include "layers/prediction/prediction_kit.h"
#include "layers/prediction/predictor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace parley::prediction {
namespace {

using namespace kit;
using model::Forecast;
using model::Memory;
using model::NodeForecast;
using model::Policy;
using model::RoundInput;

/// Three nodes with one pod each; node-02 is not Ready.
RoundInput cluster(const std::vector<Slot>& slots = {0, 1, 2}) {
    RoundInput in = input();
    in.snapshot.workloads.put(0, workload("web", 3));
    for (std::size_t i = 0; i < slots.size(); ++i) {
        model::NodeRow row = node("node-0" + std::to_string(i + 1), i + 1);
        row.cpu_used_m = read<std::int64_t>(1'000 * static_cast<std::int64_t>(i + 1));
        row.memory_used = read<std::int64_t>(10);
        if (i == 1) row.ready = model::Readiness::no;
        in.snapshot.nodes.put(slots[i], row);
        in.snapshot.pods.insert(pod(0, slots[i]));
    }
    return in;
}

Forecast round(const RoundInput& in, Memory& memory, const Policy& policy = {}) {
    fold(in, policy, memory.derived);
    Forecast forecast = predict(in, memory, policy);
    note_over(forecast, in, policy, memory.derived);
    judge_danger(forecast, in, memory, policy);
    return forecast;
}

TEST(Predict, says_everything_about_every_node_by_slot) {
    Memory memory;
    const Forecast forecast = round(cluster(), memory);
    EXPECT_EQ(forecast.model, "evidence");
    EXPECT_EQ(forecast.horizon, minutes(10));
    ASSERT_EQ(forecast.nodes.size(), 3U);
    EXPECT_EQ(forecast.nodes[1].node, 1U);
    EXPECT_NEAR(*forecast.nodes[1].risk, 1 - 0.9995 * 0.1, 1e-12);
    EXPECT_NEAR(*forecast.nodes[0].demand, 0.55 * 0.1 + 0.35 * 0.1, 1e-12);
    EXPECT_NEAR(forecast.nodes[0].loss, 380.0 / 60 / 3, 1e-6);
    EXPECT_NEAR(forecast.nodes[0].limit, 0.130590, 1e-6);
    ASSERT_EQ(forecast.workloads.size(), 1U);
}

TEST(Predict, uses_the_predictor_the_policy_names) {
    Memory memory;
    Policy policy;
    policy.predictor = model::PredictorKind::formula;
    EXPECT_EQ(round(cluster(), memory, policy).model, "formula");
    EXPECT_EQ(predictor_of(model::PredictorKind::evidence).name(), "evidence");
}

TEST(Predict, the_prototype_acts_from_its_own_fixed_limit) {
    Memory memory;
    Policy policy;
    policy.profile = model::Profile::prototype;
    EXPECT_EQ(round(cluster(), memory, policy).nodes[0].limit, 0.5);
}

TEST(Predict, knows_no_risk_from_an_api_that_is_late_failed_off_or_absent) {
    Memory memory;
    RoundInput in = cluster();
    const auto known = [&] {
        const Forecast forecast = predict(in, memory, {});
        return forecast.nodes[0].risk.has_value();
    };
    model::SourceState& api = source(in, model::Source::api);
    EXPECT_TRUE(known());
    api.last_success = kNow - seconds(15);
    EXPECT_TRUE(known());
    api.condition = model::SourceCondition::late;
    EXPECT_TRUE(known());
    api.last_success = kNow - seconds(15) - microseconds(1);
    EXPECT_FALSE(known());
    api.last_success = kNow;
    api.condition = model::SourceCondition::failed;
    EXPECT_FALSE(known());
    api.condition = model::SourceCondition::off;
    EXPECT_FALSE(known());
    in.snapshot.sources.clear();
    EXPECT_FALSE(known());
}

TEST(Predict, looks_at_no_window_of_another_node) {
    Memory memory;
    const RoundInput in = cluster();
    fold(in, {}, memory.derived);
    memory.derived.nodes.edit(0).flaps = {kNow, kNow};
    EXPECT_GT(*predict(in, memory, {}).nodes[0].risk, 0.4);
    memory.derived.nodes.edit(0).uid = {9, 9};
    EXPECT_LT(*predict(in, memory, {}).nodes[0].risk, 0.4);
}

/// Forecasts by node name, without the slot.
std::map<std::string, NodeForecast> by_name(const RoundInput& in, const Forecast& forecast) {
    std::map<std::string, NodeForecast> out;
    for (NodeForecast each : forecast.nodes) {
        const std::string name = in.snapshot.nodes.at(each.node).id.text();
        each.node = kNoSlot;
        out[name] = each;
    }
    return out;
}

TEST(Predict, permuting_node_slots_changes_nothing_but_slots) {
    std::vector<Slot> slots = {0, 1, 2};
    Memory memory;
    const RoundInput in = cluster(slots);
    const Forecast first = round(in, memory);
    while (std::ranges::next_permutation(slots).found) {
        Memory other;
        const RoundInput permuted = cluster(slots);
        const Forecast forecast = round(permuted, other);
        EXPECT_EQ(by_name(permuted, forecast), by_name(in, first));
        EXPECT_EQ(forecast.danger_because, first.danger_because);
        EXPECT_EQ(forecast.workloads, first.workloads);
    }
}

struct OverCase {
    const char* name;
    std::vector<std::optional<double>> risks;  // Of a node whose limit is 0.4.
    unsigned over;
};

class Over : public testing::TestWithParam<OverCase> {};

TEST_P(Over, shifts_a_bit_a_round) {
    model::Derived derived;
    derived.nodes.put(0, {});
    RoundInput in = input();
    for (const auto& risk : GetParam().risks) {
        source(in, model::Source::api).last_success = in.now = in.now + seconds(3);
        Forecast forecast;
        NodeForecast& only = forecast.nodes.emplace_back();
        only.node = 0;
        only.risk = risk;
        only.limit = 0.4;
        note_over(forecast, in, {}, derived);
    }
    EXPECT_EQ(derived.nodes.at(0).over, GetParam().over);
}

const OverCase kOver[] = {
    {"never", {0.1, 0.3}, 0b00},
    {"at_the_limit_is_within", {0.4}, 0b0},
    {"just_above", {0.4 + 1e-9}, 0b1},
    {"two_of_three", {0.5, 0.1, 0.5}, 0b101},
    {"held_down_to_half", {0.5, 0.3, 0.2}, 0b111},
    {"released_below_half", {0.5, 0.3, 0.2 - 1e-9}, 0b110},
    {"not_held_after_release", {0.5, 0.1, 0.3}, 0b100},
    {"unknown_keeps_what_was", {0.5, std::nullopt, std::nullopt}, 0b111},
    {"unknown_begins_nothing", {0.1, std::nullopt}, 0b00},
    {"eight_rounds_are_kept", {1, 1, 1, 1, 1, 1, 1, 1, 1, 0}, 0b11111110},
};
INSTANTIATE_TEST_SUITE_P(Rows, Over, testing::ValuesIn(kOver),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(NoteOver, skips_nodes_without_windows_and_copies_no_calm_chunk) {
    model::Derived derived;
    derived.nodes.put(0, {});
    const model::Derived before = derived;
    Forecast forecast;
    forecast.nodes.resize(2);
    forecast.nodes[0].node = 0;
    forecast.nodes[0].risk = 0.1;
    forecast.nodes[1].node = 7;
    forecast.nodes[1].risk = 1.0;
    note_over(forecast, input(), {}, derived);
    EXPECT_TRUE(derived.nodes.shares_chunk(before.nodes, 0));
}

/// One node over its limit, or idle, seen round after round.
struct Watched {
    RoundInput in = cluster({0});
    Policy policy;
    model::Derived derived;

    Watched() {
        derived.nodes.put(0, {});
        in.snapshot.nodes.edit(0).can_power = true;
    }
    model::NodeRow& row() { return in.snapshot.nodes.edit(0); }
    /// A round `later`, in which the API, or a source of samples, was last heard `ago`.
    unsigned over(Duration later, Duration api_ago, std::optional<Duration> sample_ago = {}) {
        in.now = in.now + later;
        source(in, model::Source::api).last_success = in.now - api_ago;
        if (sample_ago) measured(*sample_ago);
        Forecast forecast;
        forecast.nodes.push_back({.node = 0, .risk = 0.9, .limit = 0.4});
        note_over(forecast, in, policy, derived);
        return derived.nodes.at(0).over;
    }
    void measured(Duration ago) {
        const model::Provenance from{.received = in.now, .measured = in.now - ago};
        row().cpu_used_m = model::Reading<std::int64_t>(1, from);
        row().memory_used = model::Reading<std::int64_t>(1, from);
    }
    unsigned idle(Duration later, Duration sample_ago, double demand,
                  std::optional<double> high = {}) {
        in.now = in.now + later;
        measured(sample_ago);
        Forecast forecast;
        forecast.nodes.push_back({.node = 0, .demand = demand});
        if (high) {
            model::SeriesDemand series{.of = model::DemandOf::node, .slot = 0};
            series.ahead.back().high = *high;
            forecast.demand.series.push_back(series);
        }
        note_idle(forecast, in, policy, derived);
        return derived.nodes.at(0).idle;
    }
};

TEST(NoteOver, an_api_that_was_not_heard_anew_adds_nothing) {
    Watched watched;
    EXPECT_EQ(watched.over(seconds(3), seconds(1)), 0b1U);
    EXPECT_EQ(watched.over(seconds(3), seconds(4)), 0b1U);  // The same observation.
    EXPECT_EQ(watched.over(seconds(3), seconds(1)), 0b11U);
}

TEST(NoteOver, a_sample_counts_once_for_who_looks_at_samples) {
    Watched watched;
    watched.policy.predictor = model::PredictorKind::formula;
    EXPECT_EQ(watched.over(seconds(3), seconds(0), seconds(10)), 0b1U);
    EXPECT_EQ(watched.over(seconds(3), seconds(0), seconds(13)), 0b1U);  // The same sample.
    EXPECT_EQ(watched.over(seconds(3), seconds(0), seconds(1)), 0b11U);
    watched.policy.predictor = model::PredictorKind::evidence;
    // This predictor looks at no samples.
    EXPECT_EQ(watched.over(seconds(3), seconds(0), seconds(4)), 0b111U);
}

TEST(NoteIdle, a_sample_counts_once) {
    Watched watched;
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05), 0b1U);
    EXPECT_EQ(watched.idle(seconds(3), seconds(4), 0.05), 0b1U);
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.12), 0b10U);
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.1199), 0b101U);
}

TEST(NoteIdle, takes_the_upper_end_of_a_forecast) {
    Watched watched;
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05, 0.12), 0b0U);
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05, 0.1199), 0b1U);
}

TEST(NoteIdle, begins_anew_after_a_gap) {
    Watched watched;
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05), 0b1U);
    EXPECT_EQ(watched.idle(seconds(70), seconds(61), 0.05), 0b0U);
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05), 0b1U);
}

TEST(NoteIdle, leaves_alone_what_nobody_can_switch) {
    Watched watched;
    watched.row().can_power = false;
    EXPECT_EQ(watched.idle(seconds(3), seconds(1), 0.05), 0b0U);
}

TEST(Danger, names_the_worst_node_over_its_own_limit) {
    Memory memory;
    const Forecast forecast = round(cluster(), memory);
    EXPECT_TRUE(forecast.danger);
    EXPECT_EQ(forecast.danger_because, "node-02 is over its own limit: risk 0.90, acts above 0.13");
}

TEST(Danger, lasts_until_released_and_through_blindness) {
    Memory memory;
    RoundInput in = cluster();
    round(in, memory);
    source(in, model::Source::api).condition = model::SourceCondition::failed;
    EXPECT_EQ(round(in, memory).danger_because,
              "node-02 was over its own limit and its risk is unknown now");
    const auto hear_anew = [&] {
        source(in, model::Source::api).last_success = in.now = in.now + seconds(1);
    };
    source(in, model::Source::api).condition = model::SourceCondition::ok;
    hear_anew();
    in.snapshot.nodes.edit(1).ready = model::Readiness::yes;
    in.snapshot.nodes.edit(1).lease = read(kNow - seconds(20));
    EXPECT_EQ(round(in, memory).danger_because,
              "node-02 was over its own limit 0.13, and its risk 0.10 is not yet below 0.07");
    hear_anew();
    in.snapshot.nodes.edit(1).lease = read(kNow);
    EXPECT_FALSE(round(in, memory).danger);
}

TEST(Danger, a_node_with_nothing_to_lose_is_none) {
    Memory memory;
    RoundInput in = cluster();
    in.snapshot.pods.edit(1).node = 0;
    EXPECT_FALSE(round(in, memory).danger);
}

TEST(Danger, of_two_equally_risky_nodes_names_the_first) {
    for (const auto& slots : {std::vector<Slot>{2, 1, 0}, {0, 1, 2}}) {
        Memory memory;
        RoundInput in = cluster(slots);
        in.snapshot.nodes.edit(slots[0]).ready = model::Readiness::no;
        EXPECT_TRUE(round(in, memory).danger_because.starts_with("node-01 "));
    }
}

struct ViolationCase {
    const char* name;
    std::vector<std::int64_t> counts;
    bool danger;
};

class Violations : public testing::TestWithParam<ViolationCase> {};

TEST_P(Violations, are_danger_when_they_rise_three_times_in_a_row) {
    Memory memory;
    memory.derived.violations = GetParam().counts;
    Forecast forecast;
    judge_danger(forecast, input(), memory, {});
    EXPECT_EQ(forecast.danger, GetParam().danger);
    EXPECT_EQ(forecast.danger_because.empty(), !GetParam().danger);
}

const ViolationCase kViolations[] = {
    {"nothing_known", {}, false},
    {"rises_twice", {1, 2, 3}, false},
    {"rises_three_times", {1, 2, 3, 4}, true},
    {"stands_still_once", {1, 2, 2, 3}, false},
    {"falls_at_last", {1, 2, 3, 2}, false},
    {"high_but_steady", {9, 9, 9, 9}, false},
};
INSTANTIATE_TEST_SUITE_P(Rows, Violations, testing::ValuesIn(kViolations),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(Danger, names_every_cause) {
    Memory memory;
    memory.ledger.breaker.tripped = true;
    memory.ledger.breaker.because = "3 of 12 nodes are bad";
    memory.derived.violations = {1, 2, 3, 4};
    Forecast forecast;
    judge_danger(forecast, input(), memory, {});
    EXPECT_EQ(forecast.danger_because,
              "the breaker is tripped (3 of 12 nodes are bad); violations rose for 3 rounds, to 4");
    memory = {};
    judge_danger(forecast, input(), memory, {});
    EXPECT_FALSE(forecast.danger);
    EXPECT_EQ(forecast.danger_because, "");
}

}  // namespace
}  // namespace parley::prediction
