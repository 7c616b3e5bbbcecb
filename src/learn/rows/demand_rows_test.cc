#include "learn/rows/demand_rows.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace parley::learn {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Series wave(std::size_t n, std::uint64_t seed = 1) {
    Series series{.name = "wave", .unit = "cores", .start = {}, .step = minutes(5)};
    for (std::size_t t = 0; t < n; ++t) {
        const double day = static_cast<double>(t % 288) / 288;
        series.values.push_back(100 + 40 * day * (1 - day) +
                                random::normal(draw(seed, Stream::noise, t, 0)));
    }
    return series;
}

TEST(DemandRows, forecasts_the_difference_over_its_scale) {
    const Series series = wave(1'000);
    const auto demand = demand_rows(std::span(&series, 1), 12);
    ASSERT_TRUE(demand) << demand.error().message;
    ASSERT_EQ(demand->rows.size(), 1'000U - 24 - 12);
    for (const std::size_t i : {0UL, 500UL, 963UL}) {
        const std::size_t t = 24 + i;
        EXPECT_EQ(demand->now[i], series.values[t]);
        EXPECT_EQ(demand->truth[i], series.values[t + 12]);
        EXPECT_GT(demand->scale[i], 0);
        EXPECT_NEAR(demand->rows.label[i], (demand->truth[i] - demand->now[i]) / demand->scale[i],
                    1e-4);
        EXPECT_EQ(demand->rows.time[i].us, minutes(5 * static_cast<std::int64_t>(t)).us);
    }
    EXPECT_TRUE(std::isnan(demand->daily[0]));
    EXPECT_EQ(demand->daily[500], series.values[24 + 500 + 12 - 288]);
    EXPECT_TRUE(std::isnan(demand->weekly[500]));
}

TEST(DemandRows, see_nothing_of_what_comes_after) {
    Series series = wave(1'000);
    const auto before = demand_rows(std::span(&series, 1), 12);
    constexpr std::size_t kFrom = 700;  // Another future from here on.
    for (std::size_t t = kFrom; t < series.values.size(); ++t) series.values[t] += 1'000;
    const auto after = demand_rows(std::span(&series, 1), 12);
    const std::size_t width = before->rows.columns.size();
    for (std::size_t i = 0; i < kFrom - 24; ++i) {  // Row i is at step 24 + i.
        EXPECT_EQ(std::memcmp(before->rows.row(i).data(), after->rows.row(i).data(),
                              width * sizeof(float)),
                  0)
            << i;
        EXPECT_EQ(before->scale[i], after->scale[i]) << i;
        EXPECT_TRUE(before->daily[i] == after->daily[i] || std::isnan(before->daily[i])) << i;
    }
    EXPECT_NE(before->rows.row(kFrom - 24)[0], after->rows.row(kFrom - 24)[0]);
}

TEST(DemandRows, have_no_row_where_nobody_measured) {
    Series series = wave(400);
    series.values[100] = kNothing;
    const auto demand = demand_rows(std::span(&series, 1), 12);
    ASSERT_TRUE(demand);
    EXPECT_EQ(demand->rows.size(), 400U - 24 - 12 - 2);  // At it, and twelve steps before it.
    for (const double truth : demand->truth) EXPECT_TRUE(std::isfinite(truth));
    for (const float label : demand->rows.label) EXPECT_TRUE(std::isfinite(label));
}

TEST(DemandRows, take_a_series_that_never_moves) {
    const Series flat{.name = "flat", .step = minutes(5), .values = std::vector<double>(400, 0)};
    const auto demand = demand_rows(std::span(&flat, 1), 3);
    ASSERT_TRUE(demand);
    for (std::size_t i = 0; i < demand->rows.size(); ++i) {
        EXPECT_GT(demand->scale[i], 0);
        EXPECT_EQ(demand->rows.label[i], 0);
    }
}

TEST(DemandRows, refuse_what_does_not_fit) {
    EXPECT_FALSE(demand_rows({}, 1));
    Series series[] = {wave(100), wave(100)};
    EXPECT_FALSE(demand_rows(series, 0));
    EXPECT_FALSE(demand_rows(series, 289));
    series[1].step = minutes(1);
    const auto mixed = demand_rows(series, 1);
    ASSERT_FALSE(mixed);
    EXPECT_EQ(mixed.error().message,
              "series \"wave\" has a step of 1m, others 5m; train them apart");
    series[0].step = {};
    EXPECT_FALSE(demand_rows(series, 1));
}

TEST(DemandRows, are_split_series_by_series) {
    Series series[] = {wave(1'000), wave(2'000)};
    series[1].start = {hours(100'000).us};
    const auto demand = demand_rows(series, 12);
    const auto split = split_series(*demand);
    ASSERT_TRUE(split) << split.error().message;
    for (const std::int32_t entity : {0, 1}) {
        std::size_t all = 0;
        std::size_t test = 0;
        for (std::size_t i = 0; i < demand->rows.size(); ++i) {
            if (demand->rows.entity[i] != entity) continue;
            ++all;
            test += split->part[i] == Part::test ? 1 : 0;
        }
        EXPECT_NEAR(static_cast<double>(test) / static_cast<double>(all), 0.2, 0.01);
    }
    const Series tiny = wave(40);
    EXPECT_FALSE(split_series(*demand_rows(std::span(&tiny, 1), 12)));
}

}  // namespace
}  // namespace parley::learn
