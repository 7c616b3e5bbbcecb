// Tuner: the standard normal distribution between two bounds: its mass, and a draw.

#pragma once

namespace parley::tuner {

/// log of P(Z <= x), even if that is below the smallest double.
double log_normal_cdf(double x);

/// log of P(a < Z <= b) for a < b, accurate in both tails.
double log_normal_mass(double a, double b);

/// The value below which the share `u` (0 to 1) of the normal between a and b lies.
double truncated_quantile(double u, double a, double b);

}  // namespace parley::tuner
