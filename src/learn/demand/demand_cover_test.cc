#include "learn/demand/demand_cover.h"

#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::learn {
namespace {

/// Rows of made-up series five minutes apart, all forecast as 0: their truth is their error.
struct Made {
    DemandRows demand;
    std::vector<std::uint32_t> numbers;
    std::vector<double> forecast;

    explicit Made(bool together) {
        demand.step = minutes(5);
        demand.steps = 2;
        demand.share_level = together;
    }
    void add(std::int32_t run, std::int32_t series, int row, double truth) {
        numbers.push_back(static_cast<std::uint32_t>(demand.truth.size()));
        forecast.push_back(0);
        demand.rows.group.push_back(run);
        demand.rows.entity.push_back(series);
        demand.rows.time.push_back(TimePoint{} + minutes(5) * static_cast<std::int64_t>(row));
        demand.truth.push_back(truth);
        demand.scale.push_back(1);
    }
    /// The first `calibrate` rows say how wide intervals begin.
    Coverage covered(std::size_t calibrate) const {
        const std::span all(numbers);
        const std::span said(forecast);
        return cover(demand, {all.first(calibrate), said.first(calibrate)},
                     {all.subspan(calibrate), said.subspan(calibrate)}, 1);
    }
};

double noise(std::uint64_t series, std::uint64_t row) {
    return random::normal(draw(3, Stream::noise, series, row));
}

TEST(DemandCover, a_young_series_is_no_day) {
    // The two rows of a workload that existed for ten minutes used to be "the worst day", 0.000.
    Made made(true);
    for (int row = 0; row < 500; ++row) made.add(0, 0, row, noise(0, static_cast<unsigned>(row)));
    for (int series = 1; series < 11; ++series) {
        for (int row = 0; row < 280; ++row) {
            made.add(1, series, row,
                     noise(static_cast<unsigned>(series), static_cast<unsigned>(row)));
        }
    }
    made.add(1, 99, 100, 50);
    made.add(1, 99, 101, 50);
    const Coverage coverage = made.covered(500);
    EXPECT_NEAR(coverage.overall, 0.9, 0.02);
    EXPECT_NEAR(coverage.worst_day, 0.9, 0.02);
    EXPECT_GT(coverage.worst_series, 0.8);
    Made apart = made;
    apart.demand.share_level = false;
    EXPECT_EQ(apart.covered(500).worst_day, 0);
}

TEST(DemandCover, with_a_value_a_day_one_miss_is_no_worst_day) {
    Made made(false);
    made.demand.step = hours(24);
    made.demand.steps = 1;
    for (int row = 0; row < 600; ++row) made.add(0, 0, row, noise(0, static_cast<unsigned>(row)));
    const Coverage coverage = made.covered(300);
    EXPECT_LT(coverage.overall, 1);
    EXPECT_GT(coverage.worst_day, 0.5);
}

TEST(DemandCover, the_worst_run_is_the_worst_day) {
    Made made(true);
    for (int row = 0; row < 500; ++row) made.add(0, 0, row, noise(0, static_cast<unsigned>(row)));
    // Long quiet, then a day four times as variable: some values are missed before the level
    // follows.
    for (int row = 0; row < 288; ++row) made.add(1, 1, row, noise(1, static_cast<unsigned>(row)));
    for (int row = 0; row < 288; ++row) {
        made.add(2, 2, row, 4 * noise(2, static_cast<unsigned>(row)));
    }
    const Coverage coverage = made.covered(500);
    EXPECT_LT(coverage.worst_day, 0.8);
    EXPECT_GT(coverage.overall, coverage.worst_day + 0.05);
    EXPECT_EQ(coverage.worst_series, coverage.worst_day);  // Each run has one series here.
}

TEST(DemandCover, a_rolling_day_is_found_inside_a_longer_run) {
    Made made(true);
    for (int i = 0; i < 100; ++i) made.add(0, 0, i, 1);
    for (int row = 0; row < 4 * 288; ++row) {
        // All is inside but for twelve hours of the third day.
        made.add(1, 1, row, row >= 600 && row < 744 ? 100 : 0.5);
    }
    EXPECT_NEAR(made.covered(100).worst_day, 0.5, 0.01);
}

TEST(DemandCover, a_level_hears_of_a_miss_only_when_it_has_come) {
    Made made(true);
    for (int i = 1; i <= 100; ++i) made.add(0, 0, i, i);
    for (int row = 0; row < 3; ++row) made.add(1, 1, row, 1'000);
    made.demand.steps = 3;  // Nothing has come before all three are said.
    const Coverage coverage = made.covered(100);
    EXPECT_NEAR(coverage.mean_width, 2 * 91, 1e-9);
    EXPECT_EQ(coverage.overall, 0);
    EXPECT_TRUE(std::isnan(coverage.worst_series));
}

}  // namespace
}  // namespace parley::learn
