#include "learn/fit/isotonic.h"

#include "learn/fit/margin_kit_test.h"

#include <gtest/gtest.h>

namespace parley::learn {
namespace {

brain::Calibration curve_of(const Margins& slice) {
    return {.id = "made-up",
            .kind = brain::CalibrationKind::isotonic,
            .knots = isotonic_knots({slice.margin, slice.label, slice.weight})};
}

TEST(Isotonic, is_right_on_rows_it_never_saw) {
    const Margins slice = off_by(0.7, 0.5, 40'000);
    const auto curve = curve_of(slice);
    ASSERT_TRUE(brain::check(curve));
    const Margins other = off_by(0.7, 0.5, 40'000, 4);
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

TEST(Isotonic, expects_what_was_observed_though_the_curve_bends) {
    const Margins slice = off_by(-2, 1.5, 40'000);
    const auto curve = curve_of(slice);
    double expected = 0;
    for (const double margin : slice.margin) expected += brain::apply(curve, margin);
    EXPECT_NEAR(expected / slice.failures(), 1, 0.01);
}

TEST(Isotonic, never_says_never) {
    // The lower half never failed, but still does not get a probability of zero.
    Margins slice;
    for (int i = 0; i < 4'000; ++i) {
        slice.margin.push_back(i < 2'000 ? -5 - i * 1e-4 : i * 1e-4);
        slice.label.push_back(i >= 2'000 && i % 3 == 0 ? 1.0F : 0.0F);
        slice.weight.push_back(1);
    }
    const auto curve = curve_of(slice);
    EXPECT_GT(brain::apply(curve, -6), brain::kProbabilityMin);
    EXPECT_LT(brain::apply(curve, -6), 0.001);
}

}  // namespace
}  // namespace parley::learn
