#include "tuner/truncated_normal.h"

#include "base/math.h"

#include <algorithm>
#include <cmath>

namespace parley::tuner {
namespace {

constexpr double kFar = -37.0;     // Below, the distribution function is subnormal.
constexpr double kNothing = -8.5;  // Below it, adding it to 1 changes nothing.
constexpr double kLogRootTwoPi = 0.9189385332046727;

/// By the asymptotic series, whose terms fall until they are too small to count for x < -37.
double log_far_tail(double x) {
    const double inverse = 1 / (x * x);
    double term = 1;
    double sum = 1;
    for (int i = 1; i < 8; ++i) {
        term *= -inverse * (2 * i - 1);
        sum += term;
    }
    return -0.5 * x * x - math::log(-x) - kLogRootTwoPi + math::log(sum);
}

/// Both bounds at or below zero.
double log_left_mass(double a, double b) {
    const double upper = log_normal_cdf(b);
    const double lower = log_normal_cdf(a);
    // expm1 keeps the digits of a narrow interval, where the two are nearly equal.
    return upper + math::log(-math::expm1(lower - upper));
}

}  // namespace

double log_normal_cdf(double x) {
    if (x < kFar) return log_far_tail(x);
    if (x > 5) return math::log1p(-math::normal_cdf(-x));
    return math::log(math::normal_cdf(x));
}

double log_normal_mass(double a, double b) {
    if (b <= 0) return log_left_mass(a, b);
    if (a > 0) return log_left_mass(-b, -a);
    if (a < kNothing && b > -kNothing) return 0;
    const double outside = math::normal_cdf(a) + math::normal_cdf(-b);
    if (outside < 0.9) return math::log1p(-outside);
    // Nearly all mass lies outside, where a difference would be noise; the two halves are not.
    constexpr double kRootHalf = 0.7071067811865476;
    return math::log(0.5 * (math::erf(b * kRootHalf) - math::erf(a * kRootHalf)));
}

double truncated_quantile(double u, double a, double b) {
    if (a > 0) return -truncated_quantile(1 - u, -b, -a);
    if (b < kFar) {  // So far out the tail is nearly exponential; logarithms keep the digits.
        const double lower = log_normal_cdf(a) - log_normal_cdf(b);
        const double log_share = math::log(math::exp(lower) + u * -math::expm1(lower));
        return std::clamp(b + log_share / -b, a, b);
    }
    const double lower = math::normal_cdf(a);
    const double share = lower + u * (math::normal_cdf(b) - lower);
    return std::clamp(math::normal_quantile(std::clamp(share, 0.0, 1.0)), a, b);
}

}  // namespace parley::tuner
