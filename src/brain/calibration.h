// Brain: from a margin to a probability that can be trusted. Fitting is elsewhere; here is what was
// fitted, and how it is used.

#pragma once

#include "base/describe.h"
#include "base/result.h"

#include <string>
#include <vector>

namespace parley::brain {

/// By how many events the calibration slice had (learning from few must not bend the curve).
enum class CalibrationKind : std::uint8_t {
    none,       ///< The margin as it is; may not drive actions.
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

/// No probability leaves these: nothing is certain, and odds must stay finite.
inline constexpr double kProbabilityMin = 1e-5;
inline constexpr double kProbabilityMax = 0.999;

/// Nothing if numbers are finite, slopes positive and knots in order; else what is not.
[[nodiscard]] Result<void> check(const Calibration& calibration);

/// The probability of a margin, within the limits above; NaN gives NaN. Beyond the first and last
/// knot the curve is level.
double apply(const Calibration& calibration, double margin);
double apply(const Recalibration& recalibration, double probability);

/// One calibration that says what both say one after the other; between the knots of an isotonic
/// one, nearly. Its id is empty.
Calibration joined(const Calibration& calibration, const Recalibration& recalibration);

/// ln(p / (1 - p)).
double logit(double probability);

}  // namespace parley::brain
