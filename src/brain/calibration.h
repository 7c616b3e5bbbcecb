// Brain: turns a margin into a probability that can be trusted. This is the result of fitting and
// how to apply it; fitting itself is elsewhere.

#pragma once

#include "base/describe.h"
#include "base/result.h"

#include <string>
#include <vector>

namespace parley::brain {

/// Chosen by how many events the calibration slice had: a few must not bend the curve.
enum class CalibrationKind : std::uint8_t {
    none,       ///< The margin unchanged; may not drive actions.
    intercept,  ///< a + margin.
    platt,      ///< a + b * margin.
    isotonic,   ///< Straight lines between knots.
};
BOOST_DESCRIBE_ENUM(CalibrationKind, none, intercept, platt, isotonic)

/// A point of an isotonic curve.
struct Knot {
    double margin = 0;
    double probability = 0;
    friend bool operator==(const Knot&, const Knot&) = default;
};
BOOST_DESCRIBE_STRUCT(Knot, (), (margin, probability))

struct Calibration {
    std::string id;  ///< Recorded with every round that used it.
    CalibrationKind kind = CalibrationKind::none;
    double a = 0;
    double b = 1;
    std::vector<Knot> knots;  ///< Rising in margin, not falling in probability.
    friend bool operator==(const Calibration&, const Calibration&) = default;
};
BOOST_DESCRIBE_STRUCT(Calibration, (), (id, kind, a, b, knots))

/// Learned while serving, on top of a calibration: logit p' = a + b * logit p.
struct Recalibration {
    std::string id;
    double a = 0;
    double b = 1;
    friend bool operator==(const Recalibration&, const Recalibration&) = default;
};
BOOST_DESCRIBE_STRUCT(Recalibration, (), (id, a, b))

/// Probabilities are kept within these limits: nothing is certain, and odds must stay finite.
inline constexpr double kProbabilityMin = 1e-5;
inline constexpr double kProbabilityMax = 0.999;

/// Checks that numbers are finite, slopes positive and knots in order; the error says what is not.
[[nodiscard]] Result<void> check(const Calibration& calibration);

/// The probability for a margin, within the limits above; NaN gives NaN. Beyond the first and last
/// knot the curve is constant.
double apply(const Calibration& calibration, double margin);
double apply(const Recalibration& recalibration, double probability);

/// One calibration equivalent to applying both in turn; approximately so between the knots of an
/// isotonic one. Its id is empty.
Calibration joined(const Calibration& calibration, const Recalibration& recalibration);

/// ln(p / (1 - p)).
double logit(double probability);

}  // namespace parley::brain
