#include "layers/prediction/hindsight.h"

#include "base/math.h"
#include "layers/prediction/features.h"
#include "layers/prediction/node_trail.h"
#include "layers/prediction/predict.h"
#include "layers/prediction/prediction_kit.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::prediction {
namespace {

using namespace kit;
using model::Readiness;

/// One failure makes as many forecasts come true as lie between gap and horizon.
constexpr double kOne = 5.0 / 28.0;

/// A minute at a time on four nodes, each with a lease that is renewed while it is Ready. The
/// model gives a node with a fresh lease a risk of 0.029.
struct Cluster {
    model::RoundInput in = input();
    model::Memory memory;
    model::Policy policy;
    Brains brains{.risk = brain_of_leases(), .staged = {}};
    model::Decision decision;

    Cluster() {
        policy.predictor = model::PredictorKind::xgboost;
        in.controls.mode = model::Mode::act;
        for (Slot slot = 0; slot < 4; ++slot) {
            in.snapshot.nodes.put(slot, node("node-0" + std::to_string(slot + 1), slot + 1));
        }
    }
    model::NodeRow& at(Slot slot) { return in.snapshot.nodes.edit(slot); }
    const model::Hindsight& past() const { return memory.derived.hindsight; }

    void decide() {
        fold(in, policy, memory.derived);
        fold_trails(in, policy, memory.derived);
        fold_hindsight(in, policy, brains, memory.derived);
        decision.forecast = predict(in, memory, policy, brains);
        note_served(Round(in, memory, policy, brains), decision, memory.derived);
        decision.verdict = {};
        decision.forecast.reasons.clear();
    }
    void pass(int minutes_) {
        for (int i = 0; i < minutes_; ++i) {
            in.now = in.now + minutes(1);
            ++in.round;
            source(in, model::Source::api).last_success = in.now;
            in.snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& row) {
                if (row.ready != Readiness::yes) return;
                at(slot).lease = model::Reading<TimePoint>(
                    in.now, {.received = in.now, .measured = in.now, .source = model::Source::api});
            });
            decide();
        }
    }
    /// Its safety action gets this fate in the next round.
    void judged(Slot slot, model::Fate fate, const char* cause, double probability = 0.9) {
        decision.verdict.judged = {{.proposal = {.role = model::Role::safety,
                                                 .action = model::Migrate{},
                                                 .target = in.snapshot.nodes.at(slot).id},
                                    .fate = std::move(fate),
                                    .probability = probability}};
        decision.forecast.reasons = {{.node = slot, .factors = {{cause, 0.9, 4.0}}}};
        note_served(Round(in, memory, policy, brains), decision, memory.derived);
        decision.verdict = {};
    }
    double failed() const {
        double sum = 0;
        for (const auto& each : past().tallies) sum += each.failed;
        return sum;
    }
    double survived() const {
        double sum = 0;
        for (const auto& each : past().tallies) sum += each.survived;
        return sum;
    }
};

const double kRisk = math::logistic(kCalm + 0.5);

TEST(Hindsight, forecasts_are_counted_when_their_horizon_is_over) {
    Cluster cluster;
    cluster.pass(32);
    EXPECT_EQ(cluster.past().model, "risk-test");
    EXPECT_TRUE(cluster.past().tallies.empty());
    cluster.pass(1);
    EXPECT_NEAR(cluster.survived(), 4 * kOne, 1e-12);
    EXPECT_EQ(cluster.failed(), 0);
    ASSERT_EQ(cluster.past().tallies.size(), 1U);
    EXPECT_NEAR(cluster.past().tallies[0].calibrated, 4 * kOne * kRisk, 1e-12);
    EXPECT_NEAR(cluster.past().tallies[0].served, 4 * kOne * kRisk, 1e-12);
    cluster.pass(5);
    EXPECT_NEAR(cluster.survived(), 8 * kOne, 1e-12);
}

TEST(Hindsight, a_failure_counts_one_over_all_the_forecasts_that_it_makes_come_true) {
    Cluster cluster;
    cluster.pass(60);
    cluster.at(1).ready = Readiness::no;
    cluster.pass(40);
    // Forecasts every 5 minutes from 2 to 30 minutes before its last renewal: 1, within rounding.
    EXPECT_NEAR(cluster.failed(), 1, kOne);
    EXPECT_GT(cluster.failed(), 0.8);
    const double before = cluster.failed();
    cluster.pass(60);
    EXPECT_EQ(cluster.failed(), before);  // It is still down, which is the same failure.
}

TEST(Hindsight, what_is_down_for_less_than_a_minute_did_not_fail) {
    Cluster cluster;
    cluster.pass(60);
    cluster.at(1).ready = Readiness::unknown;
    cluster.in.now = cluster.in.now + seconds(30);
    source(cluster.in, model::Source::api).last_success = cluster.in.now;
    cluster.decide();
    EXPECT_NE(cluster.past().nodes.at(1).down_from, TimePoint{});
    cluster.at(1).ready = Readiness::yes;
    cluster.pass(60);
    EXPECT_EQ(cluster.failed(), 0);
}

/// What is known about the forecasts of one node that is treated after an hour, 40 minutes later.
struct Case {
    const char* name;
    std::function<void(Cluster&)> treat;
    bool fails;
    double failed_at_least;
    double survived_from_it_at_least;
};

TEST(Hindsight, who_was_drained_stays_under_watch_unless_load_was_the_cause) {
    const auto drain = [](const char* cause) {
        return [cause](Cluster& cluster) {
            cluster.judged(1, model::Accepted{}, cause);
            cluster.at(1).quarantined = true;
        };
    };
    const Case kCases[] = {
        {"hit", drain("lease_age"), true, 0.8, 0},
        {"needless", drain("lease_age"), false, 0, 5 * kOne},
        {"load_and_it_survives", drain("cpu_share"), false, 0, 0},
        {"load_and_it_fails", drain("cpu_share"), true, 0, 0},
        {"throttled", [](Cluster& c) { c.at(1).avoided = true; }, true, 0.8, 0},
        {"cordoned_by_others", [](Cluster& c) { c.at(1).cordoned = true; }, true, 0, 0},
    };
    for (const Case& each : kCases) {
        SCOPED_TRACE(each.name);
        Cluster cluster;
        cluster.pass(60);
        const double before = cluster.survived();
        each.treat(cluster);
        cluster.pass(1);
        if (each.fails) cluster.at(1).ready = Readiness::no;
        cluster.pass(40);
        Cluster others;  // The same without that node, so that the difference is its part.
        others.in.snapshot.nodes.erase(1);
        others.pass(60);
        const double others_before = others.survived();
        others.pass(41);
        const double from_it = (cluster.survived() - before) - (others.survived() - others_before);
        EXPECT_GE(cluster.failed(), each.failed_at_least);
        if (each.failed_at_least == 0) EXPECT_EQ(cluster.failed(), 0);
        EXPECT_GE(from_it, each.survived_from_it_at_least - 1e-9);
        if (each.survived_from_it_at_least == 0) EXPECT_LE(from_it, kOne);
        EXPECT_LE(cluster.past().nodes.at(1).open.size(), 8U);
    }
}

TEST(Hindsight, who_was_withheld_stands_for_those_that_were_drained_because_of_load) {
    for (const auto& [cause, weight] : {std::pair("cpu_share", 10.0), {"lease_age", 1.0}}) {
        Cluster cluster;
        cluster.policy.risk.holdout = 0.1;
        cluster.pass(60);
        cluster.judged(1, model::Refused{model::kHoldoutRule, "withheld"}, cause, 0.1);
        const model::RiskWatch& watch = cluster.past().nodes.at(1);
        EXPECT_EQ(watch.withheld_until, cluster.in.now + minutes(30));
        for (const model::OpenRisk& each : watch.open) EXPECT_NEAR(each.weight, weight, 1e-9);
        cluster.pass(5);
        EXPECT_NEAR(cluster.past().nodes.at(1).open.back().weight, weight, 1e-9);
        cluster.judged(1, model::Refused{model::kHoldoutRule, "withheld"}, cause, 0.1);
        EXPECT_EQ(cluster.past().nodes.at(1).withheld_until, cluster.in.now + minutes(25));
    }
}

TEST(Hindsight, a_node_that_is_gone_failed_unless_it_was_set_aside) {
    for (const bool set_aside : {false, true}) {
        Cluster cluster;
        cluster.pass(60);
        if (set_aside) cluster.at(2).quarantined = true;
        cluster.pass(1);
        cluster.in.snapshot.nodes.erase(2);
        cluster.pass(2);
        EXPECT_EQ(cluster.failed() > 0.5, !set_aside);
        EXPECT_FALSE(cluster.past().nodes.has(2));
    }
}

TEST(Hindsight, another_model_begins_anew_and_other_predictors_leave_no_trace) {
    Cluster cluster;
    cluster.pass(60);
    EXPECT_FALSE(cluster.past().tallies.empty());
    auto other = std::make_shared<brain::Model>(*cluster.brains.risk);
    other->facts.id = "risk-other";
    cluster.brains.risk = other;
    cluster.pass(1);
    EXPECT_EQ(cluster.past().model, "risk-other");
    EXPECT_TRUE(cluster.past().tallies.empty());
    for (const bool evidence : {true, false}) {
        Cluster untouched;
        if (evidence) untouched.policy.predictor = model::PredictorKind::evidence;
        if (!evidence) untouched.brains.staged.permuted_by = 1;
        untouched.pass(60);
        EXPECT_TRUE(untouched.past().model.empty());
        EXPECT_TRUE(untouched.past().nodes.empty());
    }
}

TEST(Hindsight, while_the_api_is_blind_nothing_is_concluded) {
    Cluster cluster;
    cluster.pass(20);
    for (int i = 0; i < 40; ++i) {
        cluster.in.now = cluster.in.now + minutes(1);
        cluster.at(1).ready = Readiness::unknown;
        cluster.decide();
    }
    EXPECT_TRUE(cluster.past().tallies.empty());
}

/// A day in which one node fails every `hours_` hours, for a minute and a half.
void day_of_failures(Cluster& cluster, int every_minutes) {
    for (int minute = 0; minute < 24 * 60; minute += every_minutes) {
        cluster.pass(every_minutes - 3);
        const auto slot = static_cast<Slot>(minute / every_minutes % 4);
        cluster.at(slot).ready = Readiness::no;
        cluster.pass(3);
        cluster.at(slot).ready = Readiness::yes;
        cluster.at(slot).ready_since = cluster.in.now;
    }
}

TEST(Hindsight, once_a_day_what_came_true_corrects_what_is_served) {
    Cluster cluster;
    day_of_failures(cluster, 40);  // 36 failures where the model expects about 5.
    EXPECT_FALSE(cluster.past().correction);
    cluster.pass(10);
    ASSERT_TRUE(cluster.past().correction);
    const model::RiskCorrection found = *cluster.past().correction;
    EXPECT_FALSE(found.id.empty());
    EXPECT_GT(found.a, 0.3);
    EXPECT_EQ(cluster.decision.forecast.correction, found);
    const double served = *cluster.decision.forecast.nodes[1].risk;
    EXPECT_GT(served, 1.5 * kRisk);
    EXPECT_NEAR(served, brain::apply(brain::Recalibration{found.id, found.a, found.b}, kRisk),
                1e-12);
    // Later rows keep both figures separate.
    cluster.pass(10);
    const model::OpenRisk& open = cluster.past().nodes.at(1).open.back();
    EXPECT_NEAR(open.calibrated, kRisk, 1e-12);
    EXPECT_NEAR(open.served, served, 1e-12);
    // Switched off, the calibrated risk is served again.
    cluster.policy.risk.recalibrate = false;
    cluster.pass(1);
    EXPECT_FALSE(cluster.decision.forecast.correction);
    EXPECT_NEAR(*cluster.decision.forecast.nodes[1].risk, kRisk, 1e-12);
}

TEST(Hindsight, without_being_told_to_nothing_is_corrected) {
    Cluster cluster;
    cluster.policy.risk.recalibrate = false;
    day_of_failures(cluster, 40);
    cluster.pass(10);
    EXPECT_FALSE(cluster.past().correction);
    EXPECT_GT(cluster.failed(), 20);
}

TEST(Hindsight, what_is_older_than_four_weeks_is_forgotten) {
    Cluster cluster;
    cluster.pass(60);
    const auto oldest = cluster.past().tallies.front().slice;
    cluster.in.now = cluster.in.now + hours(24 * 29);
    cluster.pass(40);
    ASSERT_FALSE(cluster.past().tallies.empty());
    EXPECT_GT(cluster.past().tallies.front().slice, oldest);
}

}  // namespace
}  // namespace parley::prediction
