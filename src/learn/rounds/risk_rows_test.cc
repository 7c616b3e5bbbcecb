#include "learn/rounds/risk_rows.h"

#include "layers/prediction/node_features.h"
#include "layers/prediction/prediction_kit.h"
#include "sim/scenario/builtin_scenarios.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace parley::learn {
namespace {

using prediction::kit::kNow;
const model::Policy kPolicy;

/// A minute of one node: changed as the case says.
using Change = std::function<void(int minute, model::RoundInput&)>;

/// What was decided in a minute.
using Decide = std::function<void(int minute, model::Decision&)>;

RiskData watch(int minutes_long, const Change& change, const Decide& decide = {}) {
    RiskRows rows({});
    rows.begin_run("run", 3);
    for (int m = 0; m < minutes_long; ++m) {
        model::RoundInput in = prediction::kit::input();
        in.now = kNow + minutes(m);
        for (model::SourceState& state : in.snapshot.sources) state.last_success = in.now;
        model::NodeRow node = prediction::kit::node("node-01", 1);
        node.ready_since = kNow - hours(1);
        node.lease = model::Reading<TimePoint>(in.now, {in.now, in.now});
        in.snapshot.nodes.put(0, node);
        in.controls.mode = model::Mode::act;
        change(m, in);
        model::Decision decided;
        if (decide) decide(m, decided);
        rows.see(in, kPolicy, decide ? &decided : nullptr);
    }
    return rows.finish();
}

/// A drain of the node had that fate, pushed most by that feature.
void drain(model::Fate fate, double probability, const char* cause, model::Decision& decided) {
    decided.verdict.judged = {{.proposal = {.role = model::Role::safety,
                                            .action = model::Migrate{},
                                            .target = model::NodeId{Name::of("node-01")}},
                               .fate = std::move(fate),
                               .probability = probability}};
    decided.forecast.reasons = {{.node = 0, .factors = {{cause, 0.9, 4.0}}}};
}

void not_ready(model::RoundInput& in, TimePoint lease) {
    model::NodeRow& node = in.snapshot.nodes.edit(0);
    node.ready = model::Readiness::unknown;
    node.lease = model::Reading<TimePoint>(lease, {in.now, in.now});
}

std::string outcomes(const RiskData& data) {
    std::string text;
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
        text += data.watched[i].ending == Ending::survived ? 's'
                : data.watched[i].ending == Ending::failed ? 'F'
                                                           : 'c';
    }
    return text;
}

TEST(RiskRows, the_end_of_the_record_is_no_survival) {
    const RiskData data = watch(40, [](int, auto&) {});
    // 40 rows at minutes 0 to 39; the record ends at 39: those up to 9 have a whole horizon.
    EXPECT_EQ(outcomes(data), std::string(10, 's') + std::string(30, 'c'));
    EXPECT_EQ(data.rows.weight.front(), 1.0F);
    EXPECT_EQ(data.rows.weight.back(), 0.0F);
    EXPECT_EQ(data.rows.group.front(), 3);
}

TEST(RiskRows, a_failure_is_dated_by_the_last_lease_and_rows_too_late_are_dropped) {
    const auto data = watch(50, [](int m, auto& in) {
        if (m >= 41) not_ready(in, kNow + minutes(40));
    });
    // Onset at 40. Rows at 0 to 9 are over 30 min before it; 10 to 37 over 2 min; 38 to 40 too
    // late.
    EXPECT_EQ(outcomes(data), std::string(10, 's') + std::string(28, 'F'));
    EXPECT_EQ(data.too_late, 3);
    EXPECT_EQ(data.events, 1);
    EXPECT_EQ(data.rows.event.back(), 0);
    EXPECT_EQ(data.watched.back().after, minutes(3));
}

TEST(RiskRows, a_short_silence_is_no_failure) {
    const auto data = watch(45, [](int m, auto& in) {
        if (m == 41) not_ready(in, kNow + minutes(40));
    });
    EXPECT_EQ(data.events, 0);
    EXPECT_EQ(std::ranges::count(data.watched, Ending::failed, &Watched::ending), 0);
}

TEST(RiskRows, a_node_that_vanishes_has_failed_and_one_that_was_drained_has_not) {
    const auto gone = [](bool cordoned) {
        return watch(45, [=](int m, auto& in) {
            if (cordoned && m >= 40) in.snapshot.nodes.edit(0).cordoned = true;
            if (m >= 42) in.snapshot.nodes.erase(0);
        });
    };
    EXPECT_EQ(gone(false).events, 1);
    const RiskData drained = gone(true);
    EXPECT_EQ(drained.events, 0);
    EXPECT_EQ(outcomes(drained), std::string(11, 's') + std::string(29, 'c'));
}

TEST(RiskRows, who_was_drained_stays_under_watch_and_goes_on_having_rows) {
    const auto quarantined = [](int fails_from) {
        return watch(80, [=](int m, auto& in) {
            if (m >= 35) in.snapshot.nodes.edit(0).quarantined = true;
            if (m > fails_from) not_ready(in, kNow + minutes(fails_from));
        });
    };
    const RiskData hit = quarantined(40);
    EXPECT_EQ(hit.events, 1);
    EXPECT_EQ(outcomes(hit), std::string(10, 's') + std::string(28, 'F'));
    EXPECT_EQ(hit.watched.back().treatment, Treatment::acted);
    const RiskData needless = quarantined(1'000);
    EXPECT_EQ(outcomes(needless), std::string(50, 's') + std::string(30, 'c'));
    EXPECT_EQ(needless.watched[49].treatment, Treatment::acted);
}

TEST(RiskRows, who_was_drained_because_of_load_is_hidden_from_then_on) {
    const auto drained = [](double probability, const char* cause) {
        return watch(
            75,  // While survival may be owed to our action.
            [](int m, auto& in) {
                if (m >= 36) in.snapshot.nodes.edit(0).avoided = true;
            },
            [=](int m, auto& decided) {
                if (m == 35) drain(model::Accepted{}, probability, cause, decided);
            });
    };
    EXPECT_EQ(outcomes(drained(1, "disk_excess")), std::string(45, 's') + std::string(30, 'c'));
    RiskData hidden = drained(1, "cpu_share_10m");
    EXPECT_EQ(outcomes(hidden), std::string(7, 's') + std::string(29, 'c'));
    EXPECT_EQ(hidden.watched.back().probability, 1);  // Similar rows stand for it.
    ASSERT_EQ(hidden.deeds.size(), 1U);
    EXPECT_EQ(hidden.deeds[0].ending, Ending::censored);
    EXPECT_TRUE(hidden.deeds[0].by_load);
    hidden = drained(0.9, "cpu_share_10m");
    EXPECT_NEAR(hidden.watched.back().probability, 0.1, 1e-12);  // Withheld ones stand for it.
}

TEST(RiskRows, who_was_withheld_stands_for_those_that_load_would_have_hidden) {
    const auto withheld = [](const char* cause) {
        return watch(
            80,
            [](int m, auto& in) {
                if (m >= 51) not_ready(in, kNow + minutes(50));
            },
            [=](int m, auto& decided) {
                if (m >= 35 && m < 65) {
                    drain(model::Refused{model::kHoldoutRule, ""}, 0.1, cause, decided);
                }
            });
    };
    RiskData data = withheld("cpu_share");
    ASSERT_EQ(data.deeds.size(), 1U);  // Once, however many rounds it was repeated in.
    EXPECT_EQ(data.deeds[0].treatment, Treatment::withheld);
    EXPECT_EQ(data.deeds[0].ending, Ending::failed);
    EXPECT_EQ(data.watched.front().treatment, Treatment::none);  // Its horizon was over.
    EXPECT_EQ(data.watched[10].treatment, Treatment::withheld);
    EXPECT_NEAR(data.watched.back().probability, 0.1, 1e-12);
    const auto weights = censoring_weights(data.watched);
    ASSERT_TRUE(weights);
    EXPECT_NEAR(weights->back(), 10, 1e-5);
    data = withheld("lease_age");
    EXPECT_EQ(data.watched.back().treatment, Treatment::withheld);
    EXPECT_EQ(data.watched.back().probability, 1);
}

TEST(RiskRows, a_deed_changed_rows_whose_horizon_was_over_hours_before) {
    // The whole healthy past of a node that was acted on once used to be weighted by 1/share, so
    // that the risks of the next generation were too low.
    for (const bool acted : {true, false}) {
        const RiskData data = watch(
            200,
            [=](int m, auto& in) {
                if (acted && m >= 151) in.snapshot.nodes.edit(0).avoided = true;
            },
            [=](int m, auto& decided) {
                if (m != 150) return;
                const model::Fate fate = acted ? model::Fate(model::Accepted{})
                                               : model::Refused{model::kHoldoutRule, ""};
                drain(fate, acted ? 0.9 : 0.1, "cpu_share", decided);
            });
        const auto weights = censoring_weights(data.watched);
        ASSERT_TRUE(weights);
        for (std::size_t i = 0; i < 118; ++i) {
            EXPECT_EQ(data.watched[i].treatment, Treatment::none) << i;
            EXPECT_EQ(data.watched[i].probability, 1) << i;
            EXPECT_LT((*weights)[i], 2) << i;
        }
        EXPECT_NE(data.watched[130].treatment, Treatment::none);
        EXPECT_NEAR(data.watched[130].probability, 0.1, 1e-12);
    }
}

TEST(RiskRows, what_is_only_proposed_or_shown_in_observe_mode_is_no_deed) {
    const auto data = watch(
        50, [](int, auto& in) { in.controls.mode = model::Mode::observe; },
        [](int, auto& decided) { drain(model::Accepted{}, 1, "cpu_share", decided); });
    EXPECT_TRUE(data.deeds.empty());
    const auto refused = watch(
        50, [](int, auto&) {},
        [](int, auto& decided) {
            drain(model::Refused{"cool-down", ""}, 1, "cpu_share", decided);
        });
    EXPECT_TRUE(refused.deeds.empty());
}

TEST(RiskRows, a_node_that_just_became_ready_has_no_rows_yet) {
    const auto data =
        watch(15, [](int, auto& in) { in.snapshot.nodes.edit(0).ready_since = kNow; });
    EXPECT_EQ(data.rows.size(), 5U);  // Minutes 10 to 14.
}

TEST(RiskRows, a_round_without_the_api_makes_no_rows) {
    const auto data = watch(10, [](int m, auto& in) {
        if (m >= 5) in.snapshot.sources[0].condition = model::SourceCondition::failed;
    });
    EXPECT_EQ(data.rows.size(), 5U);
}

// The three tests of leakage, on a run with faults of all kinds.

struct Recorded {
    std::vector<model::RoundInput> inputs;
};

Recorded simulated() {
    static const Recorded kept = [] {
        auto scenario = sim::builtin_scenario("mixed", 11);
        trial::WorldRun run({.scenario = std::make_shared<const sim::Scenario>(*scenario),
                             .seed = 11,
                             .interval = seconds(20),
                             .policy = trial::open_policy(),
                             .mode = model::Mode::observe});
        Recorded recorded;
        for (int i = 0; i < 540; ++i) {  // Three hours.
            run.decide_round();
            recorded.inputs.push_back(run.input());
        }
        return recorded;
    }();
    return kept;
}

RiskData rows_of(const std::vector<model::RoundInput>& inputs) {
    RiskRows rows({});
    rows.begin_run("run", 0);
    for (const model::RoundInput& input : inputs) rows.see(input, kPolicy, nullptr);
    return rows.finish();
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
    return std::ranges::equal(
        a, b, [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

TEST(Leakage, noise_after_t_moves_no_feature_at_t) {
    Recorded recorded = simulated();
    const std::size_t half = recorded.inputs.size() / 2;
    const TimePoint t = recorded.inputs[half].now;
    const RiskData before = rows_of(recorded.inputs);
    for (std::size_t i = half + 1; i < recorded.inputs.size(); ++i) {
        model::Snapshot& snapshot = recorded.inputs[i].snapshot;
        for (Slot slot = 0; slot < snapshot.nodes.end_slot(); ++slot) {
            if (!snapshot.nodes.has(slot)) continue;
            model::NodeRow& node = snapshot.nodes.edit(slot);
            node.memory_pressure = !node.memory_pressure;
            node.pods_unhealthy += 3;
            node.cpu_requested_m += 777;
        }
    }
    const RiskData after = rows_of(recorded.inputs);
    std::size_t compared = 0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < before.rows.size() && i < after.rows.size(); ++i) {
        if (before.rows.time[i] <= t) {
            ASSERT_EQ(before.rows.time[i], after.rows.time[i]);
            ++compared;
            EXPECT_TRUE(same_bits(before.rows.row(i), after.rows.row(i))) << "row " << i;
        } else if (!same_bits(before.rows.row(i), after.rows.row(i))) {
            ++moved;
        }
    }
    EXPECT_GT(compared, 500U);
    EXPECT_GT(moved, 500U);  // Otherwise there was no noise.
}

TEST(Leakage, readings_that_come_a_scrape_later_are_seen_a_scrape_later) {
    const Recorded recorded = simulated();
    Recorded late = recorded;
    constexpr std::size_t kBy = 1;  // One round.
    for (std::size_t i = late.inputs.size() - 1; i >= kBy; --i) {
        model::Snapshot& now = late.inputs[i].snapshot;
        const model::Snapshot& then = recorded.inputs[i - kBy].snapshot;
        for (Slot slot = 0; slot < now.nodes.end_slot(); ++slot) {
            const model::NodeRow* was = then.nodes.find(slot);
            if (!now.nodes.has(slot) || was == nullptr) continue;
            now.nodes.edit(slot).cpu_used_m = was->cpu_used_m;
        }
    }
    const RiskData a = rows_of(recorded.inputs);
    const RiskData b = rows_of(late.inputs);
    ASSERT_EQ(a.rows.size(), b.rows.size());
    const auto list = prediction::node_feature_list();
    const auto cpu = static_cast<std::size_t>(
        std::ranges::find(list, "cpu_share", &prediction::Feature::name) - list.begin());
    std::size_t moved = 0;
    for (std::size_t i = 0; i < a.rows.size(); ++i) {
        moved += a.rows.row(i)[cpu] != b.rows.row(i)[cpu] ? 1U : 0U;
    }
    EXPECT_GT(moved, a.rows.size() / 4);
}

TEST(Leakage, names_of_nodes_say_nothing) {
    Recorded recorded = simulated();
    const RiskData before = rows_of(recorded.inputs);
    for (model::RoundInput& input : recorded.inputs) {
        for (Slot slot = 0; slot < input.snapshot.nodes.end_slot(); ++slot) {
            if (!input.snapshot.nodes.has(slot)) continue;
            model::NodeRow& node = input.snapshot.nodes.edit(slot);
            node.id = {Name::of("other-" + std::to_string(97 - slot))};
        }
    }
    const RiskData after = rows_of(recorded.inputs);
    EXPECT_TRUE(same_bits(before.rows.values, after.rows.values));
    EXPECT_EQ(before.rows.label, after.rows.label);
    EXPECT_GT(before.events, 0);
}

}  // namespace
}  // namespace parley::learn
