// Tuner: the standard normal between two bounds: how much of it lies there, and a draw from it.

#pragma once

namespace parley::tuner {

/// log of P(Z <= x), also where that is below the smallest double.
double log_normal_cdf(double x);

/// log of P(a < Z <= b) for a < b. Keeps its digits in both tails.
double log_normal_mass(double a, double b);

/// The value below which the share `u` (0 to 1) of the normal between a and b lies.
double truncated_quantile(double u, double a, double b);

}  // namespace parley::tuner
