#include "learn/fit/calibrate.h"

#include "learn/fit/margin_kit_test.h"
#include "learn/rows/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::learn {
namespace {

using brain::CalibrationKind;

struct Slice : Margins {
    double events = failures();
    std::vector<std::uint8_t> era;

    CalibrationRows rows() const { return {margin, label, weight, events, era}; }
};

Slice slice_off_by(double a, double b, std::size_t n, std::uint64_t seed = 3) {
    return {off_by(a, b, n, seed)};
}

TEST(Calibrate, chooses_by_the_number_of_events) {
    Slice slice = slice_off_by(0, 1, 20'000);
    const struct {
        double events;
        CalibrationKind kind;
        bool acts;
    } cases[] = {{0, CalibrationKind::none, false},      {29, CalibrationKind::none, false},
                 {30, CalibrationKind::intercept, true}, {99, CalibrationKind::intercept, true},
                 {100, CalibrationKind::platt, true},    {499, CalibrationKind::platt, true},
                 {500, CalibrationKind::isotonic, true}};
    for (const auto& each : cases) {
        slice.events = each.events;
        const auto found = calibrate(slice.rows()).curve;
        EXPECT_EQ(found.kind, each.kind) << each.events;
        EXPECT_EQ(may_act(found), each.acts) << each.events;
        EXPECT_TRUE(brain::check(found)) << each.events;
        EXPECT_EQ(found.id.size(), 16U);
    }
}

TEST(Calibrate, finds_what_is_off) {
    Slice slice = slice_off_by(0.7, 0.5, 40'000);
    slice.events = 200;
    const auto platt = calibrate(slice.rows()).curve;
    EXPECT_NEAR(platt.a, 0.7, 0.15);
    EXPECT_NEAR(platt.b, 0.5, 0.05);
    slice = slice_off_by(0.7, 1, 40'000);
    slice.events = 50;
    EXPECT_NEAR(calibrate(slice.rows()).curve.a, 0.7, 0.05);
}

TEST(Calibrate, takes_the_intercept_where_the_slope_would_fall) {
    Slice slice = slice_off_by(-6, -1, 20'000);  // Worse than chance.
    slice.events = 200;
    const auto found = calibrate(slice.rows()).curve;
    EXPECT_EQ(found.kind, CalibrationKind::intercept);
    EXPECT_TRUE(brain::check(found));
}

/// Seven eras, each off by a slope of its own.
Slice eras(std::span<const double> slopes) {
    Slice all;
    for (std::size_t k = 0; k < slopes.size(); ++k) {
        const Slice one = slice_off_by(0, slopes[k], 4'000, 10 + k);
        all.margin.insert(all.margin.end(), one.margin.begin(), one.margin.end());
        all.label.insert(all.label.end(), one.label.begin(), one.label.end());
        all.weight.insert(all.weight.end(), one.weight.begin(), one.weight.end());
        all.era.insert(all.era.end(), one.margin.size(), static_cast<std::uint8_t>(k));
        all.events += one.events;
    }
    return all;
}

TEST(Calibrate, bends_the_curve_where_every_era_asks_for_it) {
    const double same[] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    Slice slice = eras(same);
    EXPECT_NE(calibrate(slice.rows()).curve.kind, CalibrationKind::intercept);
    slice.events = 200;
    EXPECT_EQ(calibrate(slice.rows()).curve.kind, CalibrationKind::platt);
}

TEST(Calibrate, what_early_eras_ask_for_and_later_ones_do_not_is_not_taken_over) {
    const double fading[] = {1.9, 1.8, 1.8, 1.0, 1.0, 0.7, 0.6};
    Slice slice = eras(fading);
    ASSERT_GE(slice.events, 500);
    EXPECT_EQ(calibrate(slice.rows()).curve.kind, CalibrationKind::intercept);
    slice.era.clear();  // Told nothing of time, the number of failures decides.
    EXPECT_EQ(calibrate(slice.rows()).curve.kind, CalibrationKind::isotonic);
}

/// Seven eras, each with odds of its own.
Slice drifting(std::span<const double> offsets) {
    Slice all;
    for (std::size_t k = 0; k < offsets.size(); ++k) {
        const Slice one = slice_off_by(offsets[k], 1, 6'000, 40 + k);
        all.margin.insert(all.margin.end(), one.margin.begin(), one.margin.end());
        all.label.insert(all.label.end(), one.label.begin(), one.label.end());
        all.weight.insert(all.weight.end(), one.weight.begin(), one.weight.end());
        all.era.insert(all.era.end(), one.margin.size(), static_cast<std::uint8_t>(k));
        all.events += one.events;
    }
    return all;
}

TEST(Calibrate, the_newest_slice_speaks_where_rates_change_for_good) {
    const struct {
        const char* name;
        std::vector<double> offsets;
        bool newest;
    } cases[] = {{"falling", {1.2, 1.0, 0.7, 0.4, 0.1, -0.2, -0.5}, true},
                 {"rising", {-1.2, -0.9, -0.6, -0.3, 0.0, 0.3, 0.6}, true},
                 {"as they were", {0, 0, 0, 0, 0, 0, 0}, false},
                 {"up and down", {0, 0.4, -0.3, 0.4, -0.4, 0.3, -0.3}, false}};
    for (const auto& each : cases) {
        const Slice slice = drifting(each.offsets);
        const Calibrated found = calibrate(slice.rows());
        EXPECT_EQ(found.newest, each.newest) << each.name;
        if (!each.newest) continue;
        EXPECT_LT(found.events, slice.events) << each.name;
        EXPECT_NEAR(found.curve.a, each.offsets.back(), 0.2) << each.name;
    }
}

TEST(Calibrate, the_newest_slice_needs_failures_of_its_own) {
    const double falling[] = {1.2, 0.9, 0.6, 0.3, 0.0, -0.3, -0.6};
    Slice slice = drifting(falling);
    EXPECT_TRUE(calibrate(slice.rows()).newest);
    std::vector<std::int32_t> event(slice.margin.size());
    for (std::size_t i = 0; i < event.size(); ++i)
        event[i] = slice.era[i] == 6 ? static_cast<std::int32_t>(i % 20) : kNoEvent;
    CalibrationRows rows = slice.rows();
    rows.event = event;  // All failures of the newest slice are twenty.
    EXPECT_FALSE(calibrate(rows).newest);
}

TEST(Calibrate, eras_of_one_class_say_nothing) {
    Slice slice = slice_off_by(0, 1, 2'000);
    slice.era.assign(2'000, 1);
    for (std::size_t i = 0; i < 1'000; ++i) {
        slice.era[i] = 0;
        slice.label[i] = 0;
    }
    slice.events = 600;
    EXPECT_EQ(calibrate(slice.rows()).curve.kind, CalibrationKind::intercept);
}

TEST(Calibrate, counts_independent_failures) {
    const float one[] = {1, 1, 1, 1, 0, 0};
    const float heavy[] = {3, 3, 3, 3, 9, 9};
    const struct {
        const char* name;
        std::vector<std::int32_t> event;
        std::span<const float> weight;
        double independent;
    } cases[] = {
        {"each its own", {1, 2, 3, 4, kNoEvent, kNoEvent}, one, 4},
        {"of no event", {kNoEvent, kNoEvent, kNoEvent, kNoEvent, kNoEvent, kNoEvent}, one, 4},
        {"all one", {7, 7, 7, 7, kNoEvent, kNoEvent}, one, 1},
        {"two alike", {7, 7, 8, 8, kNoEvent, kNoEvent}, one, 2},
        {"one large beside one small", {7, 7, 7, 8, kNoEvent, kNoEvent}, one, 1.6},
        {"weights alone change nothing", {1, 2, 3, 4, kNoEvent, kNoEvent}, heavy, 4}};
    const float label[] = {1, 1, 1, 1, 0, 0};
    for (const auto& each : cases) {
        EXPECT_DOUBLE_EQ(independent_events(each.event, label, each.weight), each.independent)
            << each.name;
    }
    EXPECT_EQ(independent_events({}, {}, {}), 0);
}

}  // namespace
}  // namespace parley::learn
