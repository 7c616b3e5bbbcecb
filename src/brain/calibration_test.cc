#include "brain/calibration.h"

#include "base/math.h"

#include <gtest/gtest.h>

#include <limits>

namespace parley::brain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const Calibration kNone{};
const Calibration kIntercept{.kind = CalibrationKind::intercept, .a = -1};
const Calibration kPlatt{.kind = CalibrationKind::platt, .a = -1, .b = 2};
const Calibration kIsotonic{.kind = CalibrationKind::isotonic,
                            .knots = {{-2, 0.1}, {0, 0.1}, {2, 0.5}, {3, 1.0}}};

struct Case {
    const char* name;
    Calibration calibration;
    double margin;
    double probability;
};

class CalibrationApplied : public testing::TestWithParam<Case> {};

TEST_P(CalibrationApplied, gives_a_probability) {
    EXPECT_DOUBLE_EQ(apply(GetParam().calibration, GetParam().margin), GetParam().probability);
}

const Case kCases[] = {
    {"none", kNone, 0, 0.5},
    {"none_clipped_low", kNone, -100, kProbabilityMin},
    {"none_clipped_high", kNone, kInfinity, kProbabilityMax},
    {"intercept", kIntercept, 1, 0.5},
    {"platt", kPlatt, 0.5, 0.5},
    {"platt_off", kPlatt, 1, math::logistic(1)},
    {"isotonic_at_a_knot", kIsotonic, 2, 0.5},
    {"isotonic_between", kIsotonic, 1, 0.3},
    {"isotonic_level", kIsotonic, -1, 0.1},
    {"isotonic_below_all", kIsotonic, -kInfinity, 0.1},
    {"isotonic_above_all", kIsotonic, kInfinity, kProbabilityMax},
    {"isotonic_one_knot", {.kind = CalibrationKind::isotonic, .knots = {{0, 0.25}}}, -3, 0.25},
};
INSTANTIATE_TEST_SUITE_P(Table, CalibrationApplied, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Calibration, what_is_not_a_number_stays_so) {
    for (const Calibration& each : {kNone, kIntercept, kPlatt, kIsotonic}) {
        EXPECT_NE(apply(each, kNan), apply(each, kNan));
    }
    EXPECT_NE(apply(Recalibration{}, kNan), apply(Recalibration{}, kNan));
}

TEST(Recalibration, moves_the_odds) {
    EXPECT_NEAR(apply(Recalibration{}, 0.3), 0.3, 1e-15);
    EXPECT_NEAR(apply(Recalibration{"", math::log(2), 1}, 0.5), 2.0 / 3.0, 1e-15);
    EXPECT_NEAR(apply(Recalibration{"", 0, 2}, 0.75), 0.9, 1e-15);
    EXPECT_EQ(apply(Recalibration{"", -50, 1}, 0.5), kProbabilityMin);
}

TEST(Calibration, refuses_what_is_no_curve) {
    using Kind = CalibrationKind;
    const struct {
        const char* name;
        Calibration calibration;
        std::string error;
    } cases[] = {
        {"fine", kIsotonic, ""},
        {"nan", {.a = kNan}, "the calibration has a number that is not finite"},
        {"falling", {.b = 0}, "the calibration has a slope that is not above 0"},
        {"no_knots",
         {.kind = Kind::isotonic},
         "the calibration is isotonic without knots, or has knots and is not"},
        {"knots_of_platt",
         {.kind = Kind::platt, .knots = {{0, 0}}},
         "the calibration is isotonic without knots, or has knots and is not"},
        {"probability",
         {.kind = Kind::isotonic, .knots = {{0, 1.5}}},
         "the calibration has a knot that is no point of a curve"},
        {"order",
         {.kind = Kind::isotonic, .knots = {{0, 0.5}, {1, 0.4}}},
         "the calibration has knots that do not rise"},
        {"same_margin",
         {.kind = Kind::isotonic, .knots = {{0, 0.5}, {0, 0.6}}},
         "the calibration has knots that do not rise"},
        {"many",
         {.kind = Kind::isotonic, .knots = std::vector<Knot>(10'001)},
         "the calibration has more than 10,000 knots"},
    };
    for (const auto& c : cases) {
        const auto fine = check(c.calibration);
        EXPECT_EQ(fine ? "" : fine.error().message, c.error) << c.name;
    }
}

TEST(Calibration, joined_with_a_correction_says_what_both_say) {
    const Recalibration correction{.id = "r", .a = 0.4, .b = 0.8};
    const Calibration all[] = {{.id = "c", .kind = CalibrationKind::none},
                               {.id = "c", .kind = CalibrationKind::intercept, .a = -0.3},
                               {.id = "c", .kind = CalibrationKind::platt, .a = -0.3, .b = 1.7},
                               {.id = "c",
                                .kind = CalibrationKind::isotonic,
                                .knots = {{-4, 0.01}, {-2, 0.05}, {0, 0.4}, {2, 0.8}}}};
    for (const Calibration& calibration : all) {
        const Calibration both = joined(calibration, correction);
        EXPECT_TRUE(check(both)) << enum_name(calibration.kind);
        EXPECT_TRUE(both.id.empty());
        for (const double margin : {-4.0, -2.0, 0.0, 2.0}) {
            EXPECT_NEAR(apply(both, margin), apply(correction, apply(calibration, margin)), 1e-12)
                << enum_name(calibration.kind) << " " << margin;
        }
    }
}

}  // namespace
}  // namespace parley::brain
