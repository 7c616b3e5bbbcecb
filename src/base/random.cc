#include "base/random.h"

#include "base/math.h"

#include <algorithm>
#include <cmath>

namespace parley::random {
namespace {

__extension__ using Wide = unsigned __int128;  // The upper half of a product.

constexpr double kExactMeanMax = 32.0;  // Above, walking costs more than it is worth.
constexpr std::int64_t kStepsMax = 100'000;

/// The smallest k whose distribution function exceeds u, where the chance of k + 1 is the chance of
/// k times (a + b k) / (k + 1). Covers all three distributions.
std::int64_t walk(double u, double at_zero, double a, double b) {
    double chance = at_zero;
    double sum = chance;
    std::int64_t k = 0;
    while (u >= sum && k < kStepsMax) {
        const auto at = static_cast<double>(k);
        chance *= std::max(0.0, a + b * at) / (at + 1.0);
        // By rounding, the sum may stay below u for ever; then what follows has no weight.
        if (sum + chance == sum && chance < at_zero) break;
        sum += chance;
        ++k;
    }
    return k;
}

/// The number of successes in n tries with chance p, counted from the rarer outcome if that is
/// quicker.
std::int64_t binomial(std::uint64_t bits, double mean, double dispersion) {
    const double n = std::max(std::ceil(mean), std::floor(mean / (1.0 - dispersion) + 0.5));
    const double p = mean / n;
    const double q = 1.0 - p;
    const auto from = [n](double u, double chance) {
        const double odds = chance / (1.0 - chance);
        return walk(u, math::exp(n * math::log1p(-chance)), n * odds, -odds);
    };
    if (q <= 0.0) return static_cast<std::int64_t>(n);
    if (mean <= kExactMeanMax) return from(uniform01(bits), p);
    if (n * q <= kExactMeanMax) return static_cast<std::int64_t>(n) - from(uniform01(~bits), q);
    const double deviation = std::sqrt(mean * q);
    const double skew = (q - p) / deviation;
    const double excess = (1.0 - 6.0 * p * q) / (mean * q);
    const double z = normal(bits);
    const double shape = z + skew * (z * z - 1.0) / 6.0 + excess * z * (z * z - 3.0) / 24.0 -
                         skew * skew * z * (2.0 * z * z - 5.0) / 36.0;
    return static_cast<std::int64_t>(
        std::clamp(std::floor(mean + deviation * shape + 0.5), 0.0, n));
}

/// Paulson's normal approximation of the F distribution, of which the negative binomial's function
/// is a case: with w = ((k + 1) / mean)^(1/3), z = (w - g/w^2 - (1 - h)) / sqrt(g/w + h). Solved
/// for w by Newton's method; the left side rises with w and is nearly straight.
double paulson(double z, double mean, double dispersion) {
    const double g = 1.0 / (9.0 * mean);
    const double h = (dispersion - 1.0) / (9.0 * mean);
    double w = 1.0;
    for (int step = 0; step < 8; ++step) {
        const double root = std::sqrt(g / w + h);
        const double value = w - g / (w * w) - (1.0 - h) - z * root;
        const double slope = 1.0 + 2.0 * g / (w * w * w) + z * g / (2.0 * w * w * root);
        const double next = std::max(w - value / slope, 0.05 * w);
        const bool settled = std::fabs(next - w) <= 1e-13 * w;
        w = next;
        if (settled) break;
    }
    return mean * w * w * w;
}

}  // namespace

std::uint64_t below(std::uint64_t bits, std::uint64_t n) {
    PARLEY_CHECK(n > 0);
    return static_cast<std::uint64_t>((Wide{bits} * n) >> 64);
}

std::int64_t between(std::uint64_t bits, std::int64_t lo, std::int64_t hi) {
    PARLEY_CHECK(lo <= hi);
    const std::uint64_t values =
        static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;  // 0 means all 2^64.
    const std::uint64_t offset = values == 0 ? bits : below(bits, values);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + offset);
}

double log_uniform(std::uint64_t bits, double lo, double hi) {
    PARLEY_CHECK(lo > 0.0 && lo <= hi && std::isfinite(hi));
    const double from = math::log(lo);
    return std::clamp(math::exp(from + uniform01(bits) * (math::log(hi) - from)), lo, hi);
}

double exponential(std::uint64_t bits, double mean) {
    return -mean * math::log(uniform_open(bits));
}

double normal(std::uint64_t bits) { return math::normal_quantile(uniform_open(bits)); }

double lognormal(std::uint64_t bits, double median, double sigma) {
    return median * math::exp(sigma * normal(bits));
}

std::int64_t count(std::uint64_t bits, double mean, double dispersion) {
    PARLEY_CHECK(mean >= 0.0 && mean <= 1e15);
    PARLEY_CHECK(dispersion >= 0.0 && std::isfinite(dispersion));
    if (mean == 0.0) return 0;
    if (dispersion < 1.0) return binomial(bits, mean, dispersion);
    if (mean <= kExactMeanMax) {
        const double excess = dispersion - 1.0;
        // At 1 the limit of mean * log(1 + excess) / excess.
        const double weight = excess > 0.0 ? math::log1p(excess) / excess : 1.0;
        return walk(uniform01(bits), math::exp(-mean * weight), mean / dispersion,
                    excess / dispersion);
    }
    const double capped = std::min(dispersion, 1.0 + mean / 2.0);
    const double next = paulson(normal(bits), mean, capped);
    return static_cast<std::int64_t>(std::max(0.0, std::ceil(next - 1.0)));
}

}  // namespace parley::random
