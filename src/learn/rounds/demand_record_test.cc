#include "learn/rounds/demand_record.h"

#include "layers/prediction/demand_features.h"
#include "layers/prediction/prediction_kit.h"
#include "learn/rows/rows_check.h"
#include "sim/scenario/builtin_scenarios.h"
#include "trial/world_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace parley::learn {
namespace {

using prediction::kit::kNow;
const model::Policy kPolicy;

/// One node in rounds a minute apart that uses as many millicores of 10,000 as told.
using Use = std::function<std::optional<double>(int minute)>;

DemandData watch(int minutes_long, const Use& use, int from = 0) {
    DemandRecord rows({});
    rows.begin_run("run", 3);
    for (int m = 0; m < minutes_long; ++m) {
        model::RoundInput in = prediction::kit::input();
        in.now = kNow + minutes(from + m);
        model::NodeRow node = prediction::kit::node("node-01", 1);
        if (const auto used = use(m)) {
            node.cpu_used_m =
                model::Reading<std::int64_t>(static_cast<std::int64_t>(*used), {in.now, in.now});
            node.memory_used = model::Reading<std::int64_t>(0, {in.now, in.now});
        }
        in.snapshot.nodes.put(0, node);
        EXPECT_TRUE(rows.see(in, kPolicy));
    }
    return rows.finish();
}

TEST(DemandRecord, the_label_is_the_greatest_minute_from_one_minute_on) {
    const auto data = watch(120, [](int m) { return m == 60 ? 5'000.0 : 1'000.0 + m % 2; });
    const DemandRows& five = data.horizons[1];
    ASSERT_FALSE(five.rows.label.empty());
    EXPECT_EQ(five.rows.group.front(), 3);
    EXPECT_EQ(data.entities.front(), "run/node/node-01");
    std::size_t saw = 0;
    for (std::size_t i = 0; i < five.rows.size(); ++i) {
        // A row is made when its minute is over; the next minute is the lead, the following five
        // count.
        const std::int64_t made = five.rows.time[i].us / 60'000'000 - 1;
        const std::int64_t until = kNow.us / 60'000'000 + 60 - made;
        const bool within = until >= 2 && until <= 6;
        EXPECT_EQ(five.truth[i] > 0.2, within) << "the peak is " << until << " minutes later";
        saw += within ? 1U : 0U;
    }
    EXPECT_EQ(saw, 1U);  // Rows are five minutes apart.
}

TEST(DemandRecord, rows_of_a_series_that_hardly_moves_weigh_more) {
    // With equal weights, errors of a thousandth, many times those of persistence, did not count.
    const auto still = watch(120, [](int) { return 1'000.0; });
    const auto lively = watch(120, [](int m) { return 1'000.0 + 200 * (m / 3 % 2); });
    EXPECT_EQ(still.horizons[0].rows.weight.front(), 20);
    EXPECT_LT(lively.horizons[0].rows.weight.front(), 3);
    EXPECT_GT(lively.horizons[0].rows.weight.front(), 0);
}

TEST(DemandRecord, rows_without_an_end_are_left_out_and_counted) {
    const auto data = watch(70, [](int) { return 1'000.0; });
    EXPECT_GT(data.horizons[0].rows.size(), data.horizons[2].rows.size());
    EXPECT_EQ(data.horizons[3].rows.size(), 0U);  // 15 minutes to begin, 61 to end.
    EXPECT_GT(data.unknown, 0U);
    EXPECT_FALSE(check_rows(data.horizons[3].rows));
}

TEST(DemandRecord, a_run_as_long_as_it_needs_has_rows_wherever_it_begins) {
    const Use same = [](int) { return 1'000.0; };
    for (int from = 0; from < 5; ++from) {
        for (std::size_t h = 0; h < model::kDemandHorizons; ++h) {
            const int needs = static_cast<int>(in_minutes(demand_needs(h)));
            const auto data = watch(needs + 1, same, from);
            EXPECT_EQ(data.longest, minutes(needs));
            EXPECT_GT(data.horizons[h].rows.size(), 0U) << h << ", begun " << from;
        }
        EXPECT_EQ(watch(16, same, from).horizons[0].rows.size(), 0U) << "a quarter of an hour";
    }
}

TEST(DemandRecord, a_gap_in_what_came_leaves_the_row_out) {
    const auto whole = watch(60, [](int) { return 1'000.0; });
    const auto gap =
        watch(60, [](int m) { return m == 40 ? std::nullopt : std::optional(1'000.0); });
    EXPECT_LT(gap.horizons[1].rows.size(), whole.horizons[1].rows.size());
    EXPECT_GT(gap.unknown, whole.unknown);
}

TEST(DemandRecord, use_at_its_limit_is_a_lower_bound_and_no_label) {
    const auto full = watch(90, [](int m) { return m >= 50 && m < 55 ? 10'000.0 : 1'000.0; });
    EXPECT_GT(full.bounded, 0U);
    for (const DemandRows& rows : full.horizons) {
        for (const double truth : rows.truth) EXPECT_LT(truth, 0.5);
    }
}

TEST(DemandRecord, a_series_without_a_key_is_an_error) {
    DemandRecord rows({});
    rows.begin_run("run", 0);
    model::RoundInput in = prediction::kit::input();
    in.snapshot.nodes.put(0, prediction::kit::node("node-01", 0));
    const auto seen = rows.see(in, kPolicy);
    ASSERT_FALSE(seen);
    EXPECT_NE(seen.error().message.find("node-01 without a uid"), std::string::npos);
}

TEST(DemandRecord, slices_of_time_are_apart_by_the_horizon_and_its_lead) {
    const auto data = watch(2'000, [](int m) { return 1'000.0 + 10 * (m % 17); });
    for (std::size_t h = 0; h < model::kDemandHorizons; ++h) {
        const auto split = split_demand(data, h);
        ASSERT_TRUE(split) << split.error().message;
        const Rows& rows = data.horizons[h].rows;
        const Duration reach = minutes(model::kDemandHorizonsMin[h] + 1);
        TimePoint last_train{};
        TimePoint first_test{INT64_MAX};
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (split->part[i] == Part::train) last_train = std::max(last_train, rows.time[i]);
            if (split->part[i] == Part::stop) first_test = std::min(first_test, rows.time[i]);
        }
        EXPECT_GE((first_test - last_train).us, reach.us) << h;
    }
}

// The three tests of leakage, on a run with faults of all kinds.

const std::vector<model::RoundInput>& simulated() {
    static const std::vector<model::RoundInput> kept = [] {
        auto scenario = sim::builtin_scenario("mixed", 11);
        trial::WorldRun run({.scenario = std::make_shared<const sim::Scenario>(*scenario),
                             .seed = 11,
                             .interval = seconds(30),
                             .policy = trial::open_policy(),
                             .mode = model::Mode::observe});
        std::vector<model::RoundInput> inputs;
        for (int i = 0; i < 360; ++i) {  // Three hours.
            run.decide_round();
            inputs.push_back(run.input());
        }
        return inputs;
    }();
    return kept;
}

DemandData rows_of(const std::vector<model::RoundInput>& inputs) {
    DemandRecord rows({});
    rows.begin_run("run", 0);
    for (const model::RoundInput& input : inputs) EXPECT_TRUE(rows.see(input, kPolicy));
    return rows.finish();
}

/// Features of each row, by series and time.
std::map<std::pair<std::string, std::int64_t>, std::vector<float>> by_key(const DemandData& data,
                                                                          std::size_t h) {
    std::map<std::pair<std::string, std::int64_t>, std::vector<float>> out;
    const Rows& rows = data.horizons[h].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = rows.row(i);
        out[{data.entities[static_cast<std::size_t>(rows.entity[i])], rows.time[i].us}] = {
            row.begin(), row.end()};
    }
    return out;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
    return std::ranges::equal(
        a, b, [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

TEST(DemandLeakage, noise_after_t_moves_no_feature_at_t) {
    auto inputs = simulated();
    const std::size_t half = inputs.size() / 2;
    const std::int64_t t = inputs[half].now.us;
    const auto before = by_key(rows_of(inputs), 2);
    for (std::size_t i = half + 1; i < inputs.size(); ++i) {
        auto& nodes = inputs[i].snapshot.nodes;
        for (Slot slot = 0; slot < nodes.end_slot(); ++slot) {
            if (!nodes.has(slot) || nodes.at(slot).cpu_used_m.value() == nullptr) continue;
            model::NodeRow& node = nodes.edit(slot);
            node.cpu_used_m = model::Reading<std::int64_t>(
                *node.cpu_used_m.value() / 2 + static_cast<std::int64_t>(i % 7) * 100,
                node.cpu_used_m.from());
        }
    }
    const auto after = by_key(rows_of(inputs), 2);
    std::size_t compared = 0;
    std::size_t moved = 0;
    for (const auto& [key, row] : before) {
        const auto other = after.find(key);
        if (other == after.end()) continue;
        if (key.second <= t) {
            ++compared;
            EXPECT_TRUE(same_bits(row, other->second)) << key.first << " at " << key.second;
        } else {
            moved += same_bits(row, other->second) ? 0U : 1U;
        }
    }
    EXPECT_GT(compared, 500U);
    EXPECT_GT(moved, 50U);  // Otherwise there was no noise.
}

TEST(DemandLeakage, readings_that_come_a_scrape_later_are_seen_a_scrape_later) {
    const auto& inputs = simulated();
    auto late = inputs;
    for (std::size_t i = late.size() - 1; i >= 1; --i) {
        auto& now = late[i].snapshot.nodes;
        for (Slot slot = 0; slot < now.end_slot(); ++slot) {
            const model::NodeRow* was = inputs[i - 1].snapshot.nodes.find(slot);
            if (now.has(slot) && was != nullptr) now.edit(slot).cpu_used_m = was->cpu_used_m;
        }
    }
    const auto a = by_key(rows_of(inputs), 1);
    const auto b = by_key(rows_of(late), 1);
    std::size_t nodes = 0;
    std::size_t moved = 0;
    for (const auto& [key, row] : a) {
        if (key.first.find("/node/") == std::string::npos) continue;
        const auto other = b.find(key);
        if (other == b.end()) continue;
        ++nodes;
        moved += same_bits(row, other->second) ? 0U : 1U;
    }
    EXPECT_GT(nodes, 100U);
    EXPECT_GT(moved, nodes / 2);
}

TEST(DemandLeakage, names_say_nothing) {
    auto inputs = simulated();
    const DemandData before = rows_of(inputs);
    for (model::RoundInput& input : inputs) {
        auto& nodes = input.snapshot.nodes;
        for (Slot slot = 0; slot < nodes.end_slot(); ++slot) {
            if (nodes.has(slot)) {
                nodes.edit(slot).id = {Name::of("other-" + std::to_string(97 - slot))};
            }
        }
    }
    const DemandData after = rows_of(inputs);
    for (std::size_t h = 0; h < model::kDemandHorizons; ++h) {
        EXPECT_GT(before.horizons[h].rows.size(), 0U);
        EXPECT_TRUE(same_bits(before.horizons[h].rows.values, after.horizons[h].rows.values));
        EXPECT_EQ(before.horizons[h].rows.label, after.horizons[h].rows.label);
    }
}

}  // namespace
}  // namespace parley::learn
