// Brain: fits a logistic curve to weighted points: margins and targets in, intercept and slope out.

#pragma once

#include <limits>
#include <span>

namespace parley::brain {

struct Logistic {
    double a = 0;  ///< Intercept.
    double b = 1;  ///< Slope.
};

/// What is believed without data: a is normal around 0, b around 1. Infinite deviation: no belief.
struct LogisticPrior {
    double a_deviation = std::numeric_limits<double>::infinity();
    double b_deviation = std::numeric_limits<double>::infinity();
};

/// The most likely a and b of P = logistic(a + b * margin) for targets in [0, 1], by damped Newton
/// steps. Deterministic. If the data does not determine them (no weight, a single margin), they
/// stay near a = 0, b = 1.
Logistic fit_logistic(std::span<const double> margin, std::span<const double> target,
                      std::span<const float> weight, const LogisticPrior& prior = {});

/// The same with b fixed at 1; afterwards the expected count equals the observed one.
double fit_intercept(std::span<const double> margin, std::span<const double> target,
                     std::span<const float> weight);

}  // namespace parley::brain
