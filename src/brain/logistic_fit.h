// Brain: a logistic curve through weighted points: margins and targets in, intercept and slope out.

#pragma once

#include <limits>
#include <span>

namespace parley::brain {

struct Logistic {
    double a = 0;  ///< Intercept.
    double b = 1;  ///< Slope.
};

/// What is believed before any data: a is normal around 0, b around 1. Infinite: anything goes.
struct LogisticPrior {
    double a_deviation = std::numeric_limits<double>::infinity();
    double b_deviation = std::numeric_limits<double>::infinity();
};

/// Most likely a and b of P = logistic(a + b * margin) for targets in [0, 1], by Newton's method
/// with damping. Deterministic. Where the data does not determine them (no weight, one margin),
/// stays near a = 0, b = 1.
Logistic fit_logistic(std::span<const double> margin, std::span<const double> target,
                      std::span<const float> weight, const LogisticPrior& prior = {});

/// The same with b fixed at 1: expected equals observed afterwards.
double fit_intercept(std::span<const double> margin, std::span<const double> target,
                     std::span<const float> weight);

}  // namespace parley::brain
