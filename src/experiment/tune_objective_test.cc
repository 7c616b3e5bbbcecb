#include "experiment/tune_objective.h"

#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

namespace parley::experiment {
namespace {

constexpr Span kShort{.length = minutes(10), .interval = seconds(15)};

std::size_t place_of(std::string_view name) {
    const auto found = std::ranges::find(tunables(), name, &Tunable::name);
    EXPECT_NE(found, tunables().end()) << name;
    return static_cast<std::size_t>(found - tunables().begin());
}

TEST(TuneObjective, parameters_have_names_of_their_own_and_the_default_within_their_range) {
    const std::vector<double> defaults = values_of({});
    ASSERT_EQ(defaults.size(), tunables().size());
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < defaults.size(); ++i) {
        const Tunable& each = tunables()[i];
        EXPECT_TRUE(names.insert(each.name).second) << each.name;
        EXPECT_GE(defaults[i], each.low) << each.name;
        EXPECT_LE(defaults[i], each.high) << each.name;
        if (each.log) EXPECT_GT(each.low, 0) << each.name;
    }
}

TEST(TuneObjective, what_is_applied_is_read_back_and_the_defaults_change_nothing) {
    model::Policy policy;
    ASSERT_TRUE(set_values(values_of(policy), policy));
    EXPECT_EQ(policy, model::Policy{});
    std::vector<double> high;
    for (const Tunable& each : tunables()) high.push_back(each.high);
    ASSERT_TRUE(set_values(high, policy));
    EXPECT_EQ(values_of(policy), high);
    EXPECT_EQ(policy.guard.cool_down, minutes(60));
    EXPECT_EQ(policy.stakes.rounds_over, 3);
    EXPECT_EQ(policy.stakes.margin, 3);
}

TEST(TuneObjective, prices_are_never_tuned) {
    for (const Tunable& each : tunables()) {
        EXPECT_FALSE(each.path.starts_with("cost.") || each.path.starts_with("weights.") ||
                     each.path.starts_with("power."))
            << each.path;
    }
}

TEST(TuneObjective, what_does_not_fit_is_an_error_and_sets_nothing) {
    struct Case {
        const char* name;
        const char* parameter;
        double value;
        bool fine = false;
    };
    constexpr Case cases[] = {
        {"at the lower bound", "stakes.margin", 1.0, true},
        {"below it", "stakes.margin", 0.999},
        {"at the upper bound", "stakes.margin", 3.0, true},
        {"above it", "stakes.margin", 3.001},
        {"no number", "stakes.margin", std::numeric_limits<double>::quiet_NaN()},
        {"endless", "guard.headroom", std::numeric_limits<double>::infinity()},
        {"not whole", "stakes.rounds_over", 1.5},
        {"not whole minutes", "guard.cool_down_min", 12.25},
        {"huge", "admission.queue_from", 1e300},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.name);
        std::vector<double> values = values_of({});
        values[place_of(c.parameter)] = c.value;
        values[0] = tunables()[0].high;
        model::Policy policy;
        const auto done = set_values(values, policy);
        EXPECT_EQ(done.has_value(), c.fine);
        if (done) continue;
        EXPECT_NE(done.error().message.find(c.parameter), std::string::npos);
        EXPECT_EQ(policy, model::Policy{});
    }
    model::Policy policy;
    EXPECT_FALSE(set_values(std::vector<double>{1, 2}, policy));
    EXPECT_FALSE(set_values({}, policy));
}

TEST(TuneObjective, a_cost_repeats_and_does_not_depend_on_the_prices_of_the_policy) {
    model::Policy policy = trial::open_policy();
    const auto once = cost_of(policy, "failing-node", kTuningSeeds, kShort);
    ASSERT_TRUE(once);
    EXPECT_GT(*once, 0);
    EXPECT_EQ(cost_of(policy, "failing-node", kTuningSeeds, kShort).value(), *once);
    EXPECT_NE(cost_of(policy, "failing-node", kTuningSeeds + 1, kShort).value(), *once);
    policy.cost.node_hour = 0;
    policy.cost.energy_kwh = 0;
    policy.weights[model::Role::safety] = 0;
    EXPECT_EQ(cost_of(policy, "failing-node", kTuningSeeds, kShort).value(), *once);
}

TEST(TuneObjective, a_parameter_changes_what_a_run_costs) {
    model::Policy eager = trial::open_policy();
    std::vector<double> values = values_of(eager);
    values[place_of("stakes.rounds_over")] = 2;
    values[place_of("evidence.pressure")] = 0.6;
    values[place_of("efficiency.balloon_below")] = 0;
    ASSERT_TRUE(set_values(values, eager));
    const Span span{.length = hours(1), .interval = seconds(15)};
    EXPECT_NE(cost_of(eager, "mixed", kTuningSeeds, span).value(),
              cost_of(trial::open_policy(), "mixed", kTuningSeeds, span).value());
}

// This is why a seed is run once for all trials.
TEST(TuneObjective, the_prototypes_weights_decide_nothing) {
    model::Policy heavy = untuned(model::Profile::prototype);
    const auto plain = reward_of(heavy, "exercise", kTuningSeeds, kShort);
    ASSERT_TRUE(plain);
    ASSERT_TRUE(set_values(std::vector{2.5, 0.1, 2.0}, heavy));
    const auto other = reward_of(heavy, "exercise", kTuningSeeds, kShort);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->safety, plain->safety);
    EXPECT_EQ(other->efficiency, plain->efficiency);
    EXPECT_EQ(other->admission, plain->admission);
    EXPECT_NE(other->total, plain->total);
    EXPECT_NEAR(other->total, 2.5 * plain->safety + 0.1 * plain->efficiency + 2 * plain->admission,
                1e-9);
    Objective objective(model::Profile::prototype, "exercise", kShort);
    EXPECT_NEAR(objective(std::vector{2.5, 0.1, 2.0}, kTuningSeeds).value(), other->total, 1e-9);
    EXPECT_NEAR(objective(values_of(untuned(model::Profile::prototype)), kTuningSeeds).value(),
                plain->total, 1e-9);
    EXPECT_FALSE(objective(std::vector{2.6, 0.1, 2.0}, kTuningSeeds));
    EXPECT_FALSE(Objective(model::Profile::prototype, "nowhere", kShort)(std::vector{1.0, 1.0, 1.0},
                                                                         kTuningSeeds));
}

TEST(TuneObjective, an_unknown_scenario_is_named) {
    const auto none = cost_of({}, "nowhere", 1, kShort);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("\"nowhere\""), std::string::npos);
}

// Studies store it: if this fails, prices or their encoding changed, and old studies are refused.
TEST(TuneObjective, the_hash_of_the_prices_is_that_of_existing_studies) {
    EXPECT_EQ(prices_hash().size(), 64U);
    EXPECT_EQ(prices_hash().substr(0, 12), "046ebe2f52d3");
}

}  // namespace
}  // namespace parley::experiment
