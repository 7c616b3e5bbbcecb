#include "replay/bench.h"

#include "fake/small_round.h"
#include "layers/proposal/propose.h"

#include <gtest/gtest.h>

#include <functional>

namespace parley::replay {
namespace {

using Texts = std::vector<std::string>;
using Change = std::function<void(model::Policy&)>;

/// What is named against migrating a node. node-01 has a late lease and pressure: by default its
/// risk is 0.24, and acting pays above 0.13.
std::vector<Obstacle> named(const Change& change, const char* action = "migrate:node-01") {
    fake::SmallRound round;
    round.node(1).lease = round.lease(seconds(20));
    round.node(1).memory_pressure = true;
    change(round.policy);
    const Bench bench = bench_of(round.input, round.memory, round.policy, {});
    return by_prediction(*parse_wanted(action), round.input, bench, round.policy, {});
}

Texts rules(const std::vector<Obstacle>& obstacles) {
    Texts out;
    for (const Obstacle& each : obstacles) out.push_back(each.rule);
    return out;
}

TEST(Bench, a_setting_whose_default_would_have_let_it_act_is_named) {
    struct Row {
        const char* what;
        Change change;
        Texts rules;
    };
    const Row rows[] = {
        {"by default it acts", [](model::Policy&) {}, {}},
        {"it acts all the same", [](model::Policy& p) { p.evidence.lease_slow = 0.01; }, {}},
        {"an efficacy",
         [](model::Policy& p) { p.stakes.migrate_efficacy = 0.01; },
         {"policy.stakes.migrate_efficacy"}},
        {"of which nothing is left",
         [](model::Policy& p) { p.stakes.migrate_efficacy = 0; },
         {"policy.stakes.migrate_efficacy"}},
        {"a margin", [](model::Policy& p) { p.stakes.margin = 50; }, {"policy.stakes.margin"}},
        {"a price that pods are moved at",
         [](model::Policy& p) { p.stakes.startup_assumed = minutes(30); },
         {"policy.stakes.startup_assumed"}},
        {"one of two is enough alone",
         [](model::Policy& p) { p.evidence.lease_slow = p.evidence.pressure = 0.001; },
         {"policy.evidence.pressure"}},
        {"each of two is enough alone, one of them a bound that hides a sign",
         [](model::Policy& p) {
             p.evidence.lease_slow_after = seconds(30);
             p.evidence.pressure = 0.05;
         },
         {"policy.evidence.lease_slow_after", "policy.evidence.pressure"}},
        {"several only together",
         [](model::Policy& p) {
             p.evidence.lease_slow = p.evidence.pressure = 0.001;
             p.stakes.margin = 1.5;
         },
         {"policy.evidence.lease_slow, policy.evidence.pressure, policy.stakes.margin"}},
        {"factors of a product",
         [](model::Policy& p) { p.stakes.migrate_efficacy = p.stakes.migrate_timeliness = 0; },
         {"policy.stakes.migrate_efficacy, policy.stakes.migrate_timeliness"}},
        {"what makes no difference",
         [](model::Policy& p) {
             p.stakes.migrate_efficacy = 0.01;
             p.stakes.throttle_cost = 7;
         },
         {"policy.stakes.migrate_efficacy"}},
        {"the prototype's bounds are fixed",
         [](model::Policy& p) {
             p.profile = model::Profile::prototype;
             p.stakes.margin = 50;
         },
         {}},
    };
    for (const Row& row : rows) EXPECT_EQ(rules(named(row.change)), row.rules) << row.what;
}

TEST(Bench, where_the_default_would_not_have_acted_nothing_is_named) {
    const Change careful = [](model::Policy& p) { p.stakes.margin = 50; };
    EXPECT_TRUE(named(careful, "migrate:node-02").empty()) << "nothing speaks against it";
    EXPECT_TRUE(named(careful, "migrate:node-77").empty()) << "it is not there";
    EXPECT_TRUE(named(careful, "memory_balloon:node-02").empty()) << "it rests on demand";
}

TEST(Bench, it_is_said_what_it_is_and_what_the_default_would_have_been_enough_for) {
    const auto one = named([](model::Policy& p) { p.stakes.migrate_efficacy = 0.01; });
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0].who, "configuration");
    EXPECT_EQ(one[0].because,
              "0.01 by configuration (default 0.95): at the default risk 0.24 would have been "
              "above 0.13");
    const auto both = named([](model::Policy& p) {
        p.stakes.migrate_efficacy = 0;
        p.stakes.migrate_timeliness = 0;
    });
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(both[0].because,
              "0 and 0 by configuration (defaults 0.95 and 0.7): at the defaults risk 0.24 would "
              "have been above 0.13");
}

TEST(Bench, the_gap_by_default_is_that_of_a_policy_of_defaults) {
    const Change changes[] = {
        [](model::Policy&) {},
        [](model::Policy& p) { p.evidence.lease_slow = p.evidence.pressure = 0.001; },
        [](model::Policy& p) {
            p.stakes.migrate_efficacy = 0;
            p.stakes.toleration = {};
        },
    };
    for (const char* action : {"migrate:node-01", "throttle:node-01", "migrate:node-02"}) {
        std::optional<double> usual;
        for (const Change& change : changes) {
            fake::SmallRound round;
            round.node(1).lease = round.lease(seconds(20));
            round.node(1).memory_pressure = true;
            change(round.policy);
            const Wanted wanted = *parse_wanted(action);
            EXPECT_EQ(is_changed(wanted, round.policy), usual.has_value()) << "all but the first";
            const Bench bench = bench_of(round.input, round.memory, round.policy, {});
            const auto gap = gap_by_default(wanted, round.input, bench.forecast, round.policy);
            ASSERT_TRUE(gap);
            if (!usual) {
                usual = proposal::agent_of(wanted.role)
                            .distance(wanted, {round.input, bench.forecast, round.policy})
                            ->gap;
            }
            EXPECT_EQ(*gap, *usual) << action;
        }
    }
    fake::SmallRound round;
    EXPECT_FALSE(
        gap_by_default(*parse_wanted("scale:shop/web"), round.input, round.forecast, round.policy));
}

TEST(Bench, the_gap_by_default_of_admission_knows_no_filter_and_no_other_bounds) {
    struct Row {
        const char* action;
        double usual;
    };
    const Row rows[] = {{"queue", -2}, {"deprioritize", 70}, {"resource_cap", 110}};
    const Change changes[] = {
        [](model::Policy& p) { p.namespaces = {"=other"}; },
        [](model::Policy& p) { p.admission = {50, 500, 5000}; },
        [](model::Policy& p) {
            p.namespaces = {"=other"};
            p.admission = {50, 500, 5000};
        },
    };
    for (const Row& row : rows) {
        const Wanted wanted = *parse_wanted(row.action);
        for (const Change& change : changes) {
            fake::SmallRound round;
            round.policy.namespaces.clear();
            round.input.snapshot.pending.push_back(
                {.workload = round.web,
                 .causes = model::CauseSet{}.with(model::Cause::cpu),
                 .count = 10});
            EXPECT_FALSE(is_changed(wanted, round.policy));
            change(round.policy);
            EXPECT_TRUE(is_changed(wanted, round.policy));
            EXPECT_EQ(gap_by_default(wanted, round.input, round.forecast, round.policy), row.usual)
                << row.action;
            round.policy.profile = model::Profile::prototype;
            EXPECT_FALSE(is_changed(wanted, round.policy)) << "its bounds are fixed";
        }
    }
}

}  // namespace
}  // namespace parley::replay
