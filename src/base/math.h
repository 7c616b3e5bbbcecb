// Base: elementary functions that give the same bits from every build on x86-64.
//
// They use + - * / sqrt and the bits of a double, nothing of libm, whose exp, log and pow differ
// from CPU to CPU. Each is defined for all inputs, as C defines it: NaN gives NaN, a pole gives an
// infinity. Polynomials and quotients are our own minimax fits, computed with 60 digits.

#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace parley::math {

namespace detail {

inline constexpr double kInverseLn2 = 0x1.71547652b82fep+0;
inline constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // 42 bits: times an exponent it is exact.
inline constexpr double kLn2Low = 0x1.ef35793c76730p-45;
inline constexpr double kShift = 0x1.8p+52;  // Added to a small double, it rounds to an integer.
inline constexpr std::uint64_t kSqrtHalfBits = 0x3fe6a09e667f3bcd;

/// exp(r) - 1 - r for |r| <= ln(2)/2, to 0.03 ulp of 1 before rounding. Summed as a tree, since a
/// chain would take three times as long. `D` is a double, here and below, or several in lanes.
template <class D>
[[gnu::always_inline]] inline D exp_tail(D r) {
    const D r2 = r * r;
    const D r4 = r2 * r2;
    const D low = (0x1.000000000000cp-1 + r * 0x1.5555555555561p-3) +
                  r2 * (0x1.555555554ff93p-5 + r * 0x1.111111110d5adp-7);
    const D high = (0x1.6c16c185cab8cp-10 + r * 0x1.a01a01bb12394p-13) +
                   r2 * (0x1.a0199630d943ap-16 + r * 0x1.71dddf614731bp-19) +
                   r4 * (0x1.28b0a70807832p-22 + r * 0x1.af862f160c4bbp-26);
    return r2 * (low + r4 * high);
}

inline double exp_minus_one(double r) { return r + exp_tail(r); }

/// log((1 + s) / (1 - s)) = 2 s + s R, where R depends on z = s * s; |s| <= 0.1716.
template <class D>
[[gnu::always_inline]] inline D log_rest(D z) {
    const D z2 = z * z;
    const D low = 0x1.5555555555593p-1 + z * 0x1.999999997f8d4p-2;
    const D mid = 0x1.249249423c4ccp-2 + z * 0x1.c71c51c7d680ap-3;
    const D high = 0x1.74664d357bb43p-3 + z * 0x1.39a034bbe5cf7p-3 + z2 * 0x1.2f1586c46989dp-3;
    return z * (low + z2 * (mid + z2 * high));
}

/// x = 2^k * exp(r), |r| <= ln(2)/2, for |x| < 2000.
struct Reduced {
    std::int64_t k;
    double r;
};
inline Reduced reduce(double x) {
    const double shifted = x * kInverseLn2 + kShift;
    const double k = shifted - kShift;
    return {std::bit_cast<std::int64_t>(shifted) - std::bit_cast<std::int64_t>(kShift),
            (x - k * kLn2High) - k * kLn2Low};
}

/// x = 2^k * (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), f exact; for positive normal x.
struct Split {
    std::int64_t k;
    double f;
};
inline Split split(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto k = static_cast<std::int64_t>(bits - kSqrtHalfBits) >> 52;
    return {k, std::bit_cast<double>(bits - (static_cast<std::uint64_t>(k) << 52)) - 1.0};
}

/// k ln(2) + log(1 + f) + extra. From f - s (f - R) = 2 s + s R: f is exact where s is rounded.
inline double log_of(Split x, double extra = 0.0) {
    const auto k = static_cast<double>(x.k);
    const double s = x.f / (2.0 + x.f);
    const double rest = s * (x.f - log_rest(s * s));
    return k * kLn2High - ((rest - (k * kLn2Low + extra)) - x.f);
}

double exp_edge(double x);  // NaN, infinities, overflow and results near or below 2^-1022.
double log_edge(double x);  // NaN, infinity, zero, negative and subnormal x.

}  // namespace detail

/// Less than 1.1 ulp off, also where the result is subnormal.
inline double exp(double x) {
    if (!(std::fabs(x) < 708.0)) return detail::exp_edge(x);
    const auto [k, r] = detail::reduce(x);
    const double power = 1.0 + detail::exp_minus_one(r);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(power) +
                                 (static_cast<std::uint64_t>(k) << 52));
}

/// Natural logarithm, at most 1 ulp off.
inline double log(double x) {
    constexpr std::uint64_t kFirst = 0x0010000000000000;     // The smallest normal number.
    constexpr std::uint64_t kInfinity = 0x7ff0000000000000;  // Above it, NaN and negative numbers.
    if (std::bit_cast<std::uint64_t>(x) - kFirst >= kInfinity - kFirst) return detail::log_edge(x);
    return detail::log_of(detail::split(x));
}

/// log(1 + x) without the loss near zero, at most 2 ulp off.
double log1p(double x);
/// exp(x) - 1 without the loss near zero, at most 2 ulp off.
double expm1(double x);
/// x to the power y with C's special cases, at most 2 ulp off where the result is normal.
double pow(double x, double y);
/// 1 / (1 + exp(-x)), at most 3 ulp off; never leaves [0, 1].
double logistic(double x);

/// At most 3 ulp off.
double erf(double x);
/// P(Z <= x) for a standard normal Z, at most 8 ulp off also in the lower tail.
double normal_cdf(double x);
/// The x with normal_cdf(x) = p, to 1e-15 relative; 0 and 1 give infinities, outside is NaN.
double normal_quantile(double p);

}  // namespace parley::math
