#include "sim/world/series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace parley::sim {
namespace {

constexpr Ms kHour = 3'600'000;

TEST(Series, constant_is_base_times_scale) {
    EXPECT_DOUBLE_EQ(series_shape({.base = 3.0, .scale = 2.0}, 12345), 6.0);
}

TEST(Series, daily_peaks_at_its_hour_and_repeats_after_a_day) {
    const Series s{.kind = SeriesKind::daily, .base = 100.0, .amplitude = 0.5, .peak_hour = 14.0};
    EXPECT_NEAR(series_shape(s, 14 * kHour), 150.0, 1e-9);
    EXPECT_NEAR(series_shape(s, 2 * kHour), 50.0, 1e-9);
    EXPECT_NEAR(series_shape(s, 8 * kHour), 100.0, 1e-9);
    EXPECT_NEAR(series_shape(s, 38 * kHour), 150.0, 1e-9);
}

TEST(Series, daily_is_close_to_a_sine_everywhere) {
    const Series s{.kind = SeriesKind::daily, .base = 1.0, .amplitude = 1.0, .peak_hour = 6.0};
    for (int i = 0; i < 240; ++i) {
        const double exact = 1.0 + std::sin(i / 240.0 * 2.0 * 3.14159265358979);
        EXPECT_NEAR(series_shape(s, i * kHour / 10), exact, 0.002) << i;
    }
}

TEST(Series, points_are_steps_or_lines) {
    Series s{.kind = SeriesKind::points, .points = {{seconds(10), 1.0}, {seconds(20), 3.0}}};
    EXPECT_DOUBLE_EQ(series_shape(s, 0), 1.0);
    EXPECT_DOUBLE_EQ(series_shape(s, 19'999), 1.0);
    EXPECT_DOUBLE_EQ(series_shape(s, 20'000), 3.0);
    EXPECT_DOUBLE_EQ(series_shape(s, 99'000), 3.0);
    s.ramp = true;
    EXPECT_DOUBLE_EQ(series_shape(s, 15'000), 2.0);
    EXPECT_DOUBLE_EQ(series_shape(s, 25'000), 3.0);
    s.repeat = seconds(30);
    EXPECT_DOUBLE_EQ(series_shape(s, 45'000), 2.0);
    s.offset = seconds(5);
    EXPECT_DOUBLE_EQ(series_shape(s, 10'000), 2.0);
}

TEST(Series, noise_is_a_function_of_its_place_and_has_its_spread) {
    const Series s{.base = 1.0, .noise = 0.2};
    double sum = 0.0;
    double squares = 0.0;
    constexpr int kKnots = 4000;
    for (int i = 0; i < kKnots; ++i) {
        const double x = std::log(series_noise(s, 7, Stream::arrival, 1, i * 40)) + 0.02;
        sum += x;
        squares += x * x;
    }
    EXPECT_NEAR(sum / kKnots, 0.0, 0.02);
    EXPECT_NEAR(std::sqrt(squares / kKnots), 0.2, 0.01);
    EXPECT_EQ(series_noise(s, 7, Stream::arrival, 1, 123),
              series_noise(s, 7, Stream::arrival, 1, 123));
    EXPECT_NE(series_noise(s, 7, Stream::arrival, 1, 123),
              series_noise(s, 8, Stream::arrival, 1, 123));
    EXPECT_EQ(series_noise({.base = 1.0}, 7, Stream::arrival, 1, 5), 1.0);
}

}  // namespace
}  // namespace parley::sim
