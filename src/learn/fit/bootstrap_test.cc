#include "learn/fit/bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::learn {
namespace {

double mean(std::span<const float> weight, const std::vector<double>& value) {
    double sum = 0;
    double all = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        sum += weight[i] * value[i];
        all += weight[i];
    }
    return sum / all;
}

TEST(Bootstrap, is_wider_where_rows_of_an_entity_repeat_each_other) {
    // The same 100 values, once each of an entity of its own, once ten rows of ten entities.
    std::vector<double> value;
    std::vector<std::int32_t> own;
    std::vector<std::int32_t> shared;
    for (int i = 0; i < 100; ++i) {
        value.push_back(i / 10);
        own.push_back(i);
        shared.push_back(i / 10);
    }
    const std::vector<float> weight(100, 1);
    const auto statistic = [&](std::span<const float> w) { return mean(w, value); };
    const Interval apart = bootstrap({own}, weight, statistic, {.resamples = 400, .seed = 1});
    const Interval together = bootstrap({shared}, weight, statistic, {.resamples = 400, .seed = 1});
    EXPECT_DOUBLE_EQ(apart.value, 4.5);
    EXPECT_LT(apart.low, 4.5);
    EXPECT_GT(apart.high, 4.5);
    EXPECT_GT(together.high - together.low, 2 * (apart.high - apart.low));
}

TEST(Bootstrap, is_wider_where_rows_of_a_day_repeat_each_other) {
    // Ten days of forty nodes: what happens to one on a day happens to all of them.
    std::vector<double> value;
    std::vector<std::int32_t> node;
    std::vector<std::int32_t> day;
    for (int i = 0; i < 400; ++i) {
        value.push_back(i / 40);
        node.push_back(i % 40);
        day.push_back(i / 40);
    }
    const std::vector<float> weight(400, 1);
    const auto statistic = [&](std::span<const float> w) { return mean(w, value); };
    const BootstrapOptions options{.resamples = 400, .seed = 1};
    const Interval nodes = bootstrap({node}, weight, statistic, options);
    const Interval both = bootstrap({node, day}, weight, statistic, options);
    EXPECT_LT(nodes.high - nodes.low, 1e-9) << "nodes are all alike";
    EXPECT_GT(both.high - both.low, 2);
    EXPECT_LT(both.low, 4.5);
    EXPECT_GT(both.high, 4.5);
    const std::vector<std::int32_t> one_day(400, 7);
    const Interval same = bootstrap({node, one_day}, weight, statistic, options);
    EXPECT_EQ(same.low, nodes.low);
}

TEST(Bootstrap, repeats_with_its_seed) {
    const std::vector<double> value = {1, 2, 3, 4, 5, 6};
    const std::vector<std::int32_t> entity = {0, 1, 2, 3, 4, 5};
    const std::vector<float> weight(6, 1);
    const auto statistic = [&](std::span<const float> w) { return mean(w, value); };
    const Interval a = bootstrap({entity}, weight, statistic, {.seed = 7});
    const Interval b = bootstrap({entity}, weight, statistic, {.seed = 7});
    EXPECT_EQ(a.low, b.low);
    EXPECT_EQ(a.high, b.high);
}

TEST(Bootstrap, says_nothing_of_nothing) {
    const auto statistic = [](std::span<const float>) { return std::nan(""); };
    const Interval none = bootstrap({}, {}, statistic, {});
    EXPECT_TRUE(std::isnan(none.value) && std::isnan(none.low) && std::isnan(none.high));
}

}  // namespace
}  // namespace parley::learn
