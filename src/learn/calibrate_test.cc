#include "learn/calibrate.h"

#include "base/math.h"
#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace parley::learn {
namespace {

using brain::CalibrationKind;

struct Slice {
    std::vector<double> margin;
    std::vector<float> label;
    std::vector<float> weight;
    std::uint64_t events = 0;

    CalibrationRows rows() const { return {margin, label, weight, events}; }
};

/// Margins that are off: the truth is logistic(a + b * margin).
Slice off_by(double a, double b, std::size_t n, std::uint64_t seed = 3) {
    Slice slice;
    for (std::size_t i = 0; i < n; ++i) {
        const double margin = -3 + 1.5 * random::normal(draw(seed, Stream::noise, i, 0));
        const bool fails =
            random::bernoulli(draw(seed, Stream::fault, i, 0), math::logistic(a + b * margin));
        slice.margin.push_back(margin);
        slice.label.push_back(fails ? 1.0F : 0.0F);
        slice.weight.push_back(1);
        slice.events += fails ? 1 : 0;
    }
    return slice;
}

TEST(Calibrate, chooses_by_the_number_of_events) {
    Slice slice = off_by(0, 1, 20'000);
    const struct {
        std::uint64_t events;
        CalibrationKind kind;
        bool acts;
    } cases[] = {{0, CalibrationKind::none, false},      {29, CalibrationKind::none, false},
                 {30, CalibrationKind::intercept, true}, {99, CalibrationKind::intercept, true},
                 {100, CalibrationKind::platt, true},    {499, CalibrationKind::platt, true},
                 {500, CalibrationKind::isotonic, true}};
    for (const auto& each : cases) {
        slice.events = each.events;
        const auto found = calibrate(slice.rows());
        EXPECT_EQ(found.kind, each.kind) << each.events;
        EXPECT_EQ(may_act(found), each.acts) << each.events;
        EXPECT_TRUE(brain::check(found)) << each.events;
        EXPECT_EQ(found.id.size(), 16U);
    }
}

TEST(Calibrate, finds_what_is_off) {
    Slice slice = off_by(0.7, 0.5, 40'000);
    slice.events = 200;
    const auto platt = calibrate(slice.rows());
    EXPECT_NEAR(platt.a, 0.7, 0.15);
    EXPECT_NEAR(platt.b, 0.5, 0.05);
    slice = off_by(0.7, 1, 40'000);
    slice.events = 50;
    EXPECT_NEAR(calibrate(slice.rows()).a, 0.7, 0.05);
}

TEST(Calibrate, isotonic_is_right_on_rows_it_never_saw) {
    const Slice slice = off_by(0.7, 0.5, 40'000);
    ASSERT_GE(slice.events, 500U);
    const auto curve = calibrate(slice.rows());
    ASSERT_TRUE(brain::check(curve));
    const Slice other = off_by(0.7, 0.5, 40'000, 4);
    double expected = 0;
    double observed = 0;
    for (std::size_t i = 0; i < other.margin.size(); ++i) {
        expected += brain::apply(curve, other.margin[i]);
        observed += other.label[i];
    }
    EXPECT_NEAR(expected / observed, 1, 0.03);
    for (const double margin : {-5.0, -3.0, -1.0, 0.5}) {
        const double truth = math::logistic(0.7 + 0.5 * margin);
        EXPECT_NEAR(brain::apply(curve, margin), truth, 0.02 + 0.1 * truth) << margin;
    }
}

TEST(Calibrate, isotonic_expects_what_was_observed_though_the_curve_bends) {
    const Slice slice = off_by(-2, 1.5, 40'000);
    ASSERT_GE(slice.events, 500U);
    const auto curve = calibrate(slice.rows());
    double expected = 0;
    for (const double margin : slice.margin) expected += brain::apply(curve, margin);
    EXPECT_NEAR(expected / static_cast<double>(slice.events), 1, 0.01);
}

TEST(Calibrate, never_says_never) {
    // The lower half never failed, and still is not sure to survive.
    Slice slice;
    for (int i = 0; i < 4'000; ++i) {
        slice.margin.push_back(i < 2'000 ? -5 - i * 1e-4 : i * 1e-4);
        slice.label.push_back(i >= 2'000 && i % 3 == 0 ? 1.0F : 0.0F);
        slice.weight.push_back(1);
    }
    slice.events = 666;
    const auto curve = calibrate(slice.rows());
    EXPECT_GT(brain::apply(curve, -6), brain::kProbabilityMin);
    EXPECT_LT(brain::apply(curve, -6), 0.001);
}

TEST(Calibrate, takes_the_intercept_where_the_slope_would_fall) {
    Slice slice = off_by(-6, -1, 20'000);  // Worse than chance.
    slice.events = 200;
    const auto found = calibrate(slice.rows());
    EXPECT_EQ(found.kind, CalibrationKind::intercept);
    EXPECT_TRUE(brain::check(found));
}

}  // namespace
}  // namespace parley::learn
