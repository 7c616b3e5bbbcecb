#include "layers/prediction/node_trail.h"

#include "base/math.h"
#include "layers/prediction/features.h"
#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

namespace parley::prediction {
namespace {

using namespace kit;
const model::Policy kPolicy;

model::RoundInput round_at(TimePoint now, std::int64_t cpu_m) {
    model::RoundInput in = input();
    in.now = now;
    for (model::SourceState& state : in.snapshot.sources) state.last_success = now;
    model::NodeRow row = node("node-01", 1);
    row.cpu_used_m = model::Reading<std::int64_t>(cpu_m, {now, now, model::Source::metrics});
    row.lease = model::Reading<TimePoint>(now - seconds(4), {now, now});
    in.snapshot.nodes.put(0, row);
    return in;
}

TEST(NodeTrail, a_mean_does_not_depend_on_how_often_rounds_come) {
    const auto after_ten_minutes = [](Duration every) {
        model::Derived derived;
        fold_trails(round_at(kNow, 2'000), kPolicy, derived);
        for (Duration t = every; t <= minutes(10); t = t + every) {
            fold_trails(round_at(kNow + t, 8'000), kPolicy, derived);
        }
        return derived.trails.at(0).cpu_10m.value;
    };
    const double expected = 0.2 * math::exp(-1.0) + 0.8 * (1 - math::exp(-1.0));
    EXPECT_NEAR(after_ten_minutes(seconds(5)), expected, 1e-9);
    EXPECT_NEAR(after_ten_minutes(minutes(1)), expected, 1e-9);
}

TEST(NodeTrail, what_is_missing_or_old_adds_nothing) {
    model::Derived derived;
    fold_trails(round_at(kNow, 2'000), kPolicy, derived);
    model::RoundInput in = round_at(kNow + minutes(5), 9'000);
    in.snapshot.nodes.edit(0).cpu_used_m =
        model::Reading<std::int64_t>(9'000, {kNow, kNow, model::Source::metrics});
    fold_trails(in, kPolicy, derived);
    EXPECT_DOUBLE_EQ(derived.trails.at(0).cpu_10m.value, 0.2);
    EXPECT_EQ(derived.trails.at(0).cpu_10m.at, kNow);
    EXPECT_FALSE(derived.trails.at(0).memory_10m.known);
}

TEST(NodeTrail, while_the_api_is_blind_the_lease_says_nothing) {
    model::Derived derived;
    fold_trails(round_at(kNow, 2'000), kPolicy, derived);
    model::RoundInput in = round_at(kNow + minutes(5), 2'000);
    source(in, model::Source::api).condition = model::SourceCondition::failed;
    fold_trails(in, kPolicy, derived);
    EXPECT_EQ(derived.trails.at(0).lease_3m.at, kNow);
    EXPECT_DOUBLE_EQ(derived.trails.at(0).lease_3m.value, 4.0);
}

TEST(NodeTrail, a_peak_stays_and_fades) {
    model::Derived derived;
    model::RoundInput in = round_at(kNow, 0);
    in.snapshot.nodes.edit(0).lease = read(kNow - seconds(30));
    fold_trails(in, kPolicy, derived);
    fold_trails(round_at(kNow + minutes(15), 0), kPolicy, derived);
    EXPECT_NEAR(derived.trails.at(0).lease_peak_15m.value, 30 * math::exp(-1.0), 1e-9);
    fold_trails(round_at(kNow + minutes(60), 0), kPolicy, derived);
    EXPECT_DOUBLE_EQ(derived.trails.at(0).lease_peak_15m.value, 4.0);
}

TEST(NodeTrail, restarts_are_counted_once_and_fade) {
    model::Derived derived;
    model::RoundInput in = round_at(kNow, 0);
    in.snapshot.restarts = {{.node = 0, .pod = {0, 7}, .at = kNow, .count = 2},
                            {.node = 9, .pod = {0, 8}, .at = kNow}};
    fold_trails(in, kPolicy, derived);
    EXPECT_DOUBLE_EQ(derived.trails.at(0).restarts_10m, 2.0);
    fold_trails(round_at(kNow + minutes(10), 0), kPolicy, derived);
    EXPECT_NEAR(derived.trails.at(0).restarts_10m, 2 * math::exp(-1.0), 1e-9);
    EXPECT_NEAR(derived.trails.at(0).restarts_60m, 2 * math::exp(-1.0 / 6), 1e-9);
}

TEST(NodeTrail, a_release_that_keeps_restarting_leaves_no_trail) {
    for (const bool elsewhere_too : {false, true}) {
        model::Derived derived;
        model::RoundInput in = round_at(kNow, 0);
        in.snapshot.nodes.put(1, node("node-02", 2));
        model::WorkloadRow web = workload("web", 2);
        web.uid = {2, 1};
        in.snapshot.workloads.put(0, web);
        for (Slot n = 0; n < 2; ++n) {
            in.snapshot.pods.insert(pod(0, n));
            in.snapshot.pods.edit(n).uid = {0, n + 1};
        }
        in.snapshot.restarts = {{.node = 0, .pod = {0, 1}, .at = kNow, .count = 2, .workload = 0}};
        if (elsewhere_too) {
            in.snapshot.restarts.push_back({.node = 1, .pod = {0, 2}, .at = kNow, .workload = 0});
        }
        fold(in, kPolicy, derived);
        fold_trails(in, kPolicy, derived);
        EXPECT_DOUBLE_EQ(derived.trails.at(0).restarts_10m, elsewhere_too ? 0.0 : 2.0);
        EXPECT_DOUBLE_EQ(derived.trails.at(0).restarts_60m, elsewhere_too ? 0.0 : 2.0);
    }
}

TEST(NodeTrail, downs_are_counted_for_the_node_and_the_fleet) {
    model::Derived derived;
    for (int hour = 0; hour < 6; ++hour) {
        model::RoundInput in = round_at(kNow + hours(hour), 0);
        in.snapshot.nodes.put(1, node("node-02", 2));
        if (hour == 2 || hour == 3) in.snapshot.nodes.edit(0).ready = model::Readiness::unknown;
        if (hour == 4) {  // Switched off by a person: not a failure.
            in.snapshot.nodes.edit(1).cordoned = true;
            in.snapshot.nodes.edit(1).ready = model::Readiness::no;
        }
        fold_trails(in, kPolicy, derived);
    }
    EXPECT_NEAR(derived.trails.at(0).downs_24h, math::exp(-3.0 / 24), 1e-9);
    EXPECT_EQ(derived.trails.at(1).downs_24h, 0);
    EXPECT_NEAR(derived.fleet.downs, math::exp(-3.0 / 24), 1e-9);
    EXPECT_NEAR(derived.fleet.node_hours, 10.0, 1.2);  // Five hours of two nodes, slightly decayed.
    EXPECT_NEAR(downs_per_node_hour({}), 1.0 / 24, 1e-12);
}

TEST(NodeTrail, a_new_uid_starts_anew_and_one_that_is_gone_leaves_nothing) {
    model::Derived derived;
    fold_trails(round_at(kNow, 2'000), kPolicy, derived);
    model::RoundInput in = round_at(kNow + minutes(1), 6'000);
    in.snapshot.nodes.edit(0).uid = {0, 2};
    fold_trails(in, kPolicy, derived);
    EXPECT_DOUBLE_EQ(derived.trails.at(0).cpu_10m.value, 0.6);
    in.snapshot.nodes.erase(0);
    fold_trails(in, kPolicy, derived);
    EXPECT_EQ(derived.trails.size(), 0U);
}

}  // namespace
}  // namespace parley::prediction
