#include "base/math.h"

#include "base/normal_parts.h"

#include <array>
#include <cstddef>
#include <limits>

namespace parley::math {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using detail::polynomial;
using detail::scaled_erfc;
using detail::small_erf;

constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

double two_to(std::int64_t k) {
    return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

/// y * 2^k for y near 1 and any k from -1100 to 1100: in two steps, each within the range of
/// normals.
double scale(double y, std::int64_t k) {
    const std::int64_t half = k >> 1;
    return y * two_to(half) * two_to(k - half);
}

/// An unevaluated sum, low being what high could not hold.
struct Pair {
    double high;
    double low;
};

constexpr Pair sum_of(double a, double b) {
    const double high = a + b;
    const double of_b = high - a;
    return {high, (a - (high - of_b)) + (b - of_b)};
}

/// The upper 26 bits and the rest, which multiply without rounding; for |a| < 2^996.
constexpr Pair halves(double a) {
    const double wide = a * 134217729.0;  // 2^27 + 1
    const double high = wide - (wide - a);
    return {high, a - high};
}

constexpr Pair product_of(double a, double b) {
    const double high = a * b;
    const auto [ah, al] = halves(a);
    const auto [bh, bl] = halves(b);
    return {high, ((ah * bh - high) + ah * bl + al * bh) + al * bl};
}

/// What follows 2/3 in log_rest(z) / z, divided by z.
constexpr double log_tail(double z) {
    const double z2 = z * z;
    const double low = 0x1.9999999999b36p-2 + z * 0x1.249249245725bp-2;
    const double mid = 0x1.c71c722e683aap-3 + z * 0x1.745ce9875f82fp-3;
    const double high = 0x1.3b1efd3bd3d84p-3 + z * 0x1.0f7e4b82f7024p-3 + z2 * 0x1.0e5226d2cf6a0p-3;
    return low + z2 * (mid + z2 * high);
}

/// log(1 + f) to 2^-64 relative, for |f| < 0.42. Slow: it only makes the table.
constexpr Pair log_pair(double f) {
    // s = f / (2 + f) in two parts.
    const Pair divisor = sum_of(2.0, f);
    const double s = f / divisor.high;
    const Pair back = product_of(s, divisor.high);
    const double s_low = ((f - back.high) - back.low - s * divisor.low) / divisor.high;
    // z = s^2, then 2/3 + z * tail, then times z: all in two parts.
    Pair z = product_of(s, s);
    z.low += 2.0 * s * s_low;
    Pair factor = sum_of(0x1.5555555555555p-1, z.high * log_tail(z.high));
    factor.low += 0x1.5555555555555p-55;
    Pair rest = product_of(z.high, factor.high);
    rest.low += z.high * factor.low + z.low * factor.high;
    Pair cubic = product_of(s, rest.high);
    cubic.low += s * rest.low + s_low * rest.high;
    const Pair sum = sum_of(2.0 * s, cubic.high);
    return sum_of(sum.high, sum.low + (cubic.low + 2.0 * s_low));
}

/// A number c near 1/m for the m of one cell, with ten bits, and -log(c) in two parts, of which the
/// upper one added to a multiple of kLn2High is exact.
struct Row {
    double inverse = 1.0;
    double high = 0.0;
    double low = 0.0;
};

/// Cells begin here, at 0.70703125, and end at twice that; 1 lies between two of them.
constexpr std::uint64_t kFirstCell = 0x3fe6a00000000000;
constexpr int kCellBits = 45;  // A cell spans 2^45 neighbouring doubles: 128 cells.

constexpr std::array<Row, 128> make_rows() {
    constexpr double kCut = 0x1.8p+9;  // Added and taken away, it leaves multiples of 2^-43.
    std::array<Row, 128> rows{};
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
        const std::uint64_t middle = kFirstCell + (i << kCellBits) + (1ULL << (kCellBits - 1));
        const double m = std::bit_cast<double>(middle);
        // Near 1 the logarithm is as small as f and must stand alone.
        if (m > 1.0 - 0x1p-8 && m < 1.0 + 0x1p-7) continue;
        Row& row = rows[i];
        row.inverse = ((512.0 / m + detail::kShift) - detail::kShift) / 512.0;
        const Pair log = log_pair(row.inverse - 1.0);
        row.high = (kCut - log.high) - kCut;
        row.low = (-log.high - row.high) - log.low;
    }
    return rows;
}
constexpr std::array<Row, 128> kRows = make_rows();

/// log(x) for positive normal x to 2^-63 relative: pow multiplies its error by up to 745. All
/// products but those of the last line are exact, since the factors have few bits.
Pair precise_log(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t offset = bits - kFirstCell;
    const std::int64_t exponent = static_cast<std::int64_t>(offset) >> 52;
    const auto k = static_cast<double>(exponent);
    const Row& row = kRows[(offset >> kCellBits) & 127];
    const std::uint64_t m = bits - (static_cast<std::uint64_t>(exponent) << 52);
    const double upper = std::bit_cast<double>(m & ~((1ULL << 29) - 1));
    const double f = upper * row.inverse - 1.0;
    const double f_low = (std::bit_cast<double>(m) - upper) * row.inverse;
    const Pair first = sum_of(k * detail::kLn2High + row.high, f);
    const Pair second = sum_of(first.high, f_low);
    const Pair third = sum_of(second.high, -0.5 * (f * f));
    const double g = f + f_low;
    const double g2 = g * g;
    const double series = (1.0 / 3 - g * (1.0 / 4)) + g2 * (1.0 / 5 - g * (1.0 / 6)) +
                          (g2 * g2) * ((1.0 / 7 - g * (1.0 / 8)) + g2 * (1.0 / 9 - g * (1.0 / 10)));
    const double rest = g * g2 * series - f_low * (f + 0.5 * f_low);
    return sum_of(third.high,
                  (first.low + second.low + third.low) + (rest + (k * detail::kLn2Low + row.low)));
}

bool is_integer(double y) { return std::trunc(y) == y; }

bool is_odd(double y) {
    return std::fabs(y) < 0x1p53 && is_integer(y) && (static_cast<std::int64_t>(y) & 1) != 0;
}

/// x > 0 and finite, y finite.
double positive_power(double x, double y) {
    constexpr double kSmallestNormal = 0x1p-1022;
    Pair log_x = precise_log(x < kSmallestNormal ? x * 0x1p54 : x);
    if (x < kSmallestNormal) {
        const Pair sum = sum_of(-54.0 * detail::kLn2High, log_x.high);
        log_x = sum_of(sum.high, sum.low + (log_x.low - 54.0 * detail::kLn2Low));
    }
    const double about = y * log_x.high;
    if (about > 710.0) return kInfinity;
    if (about < -746.0) return 0.0;
    if (std::fabs(about) < 0x1p-60) return 1.0 + about;  // Also keeps a huge y out of product_of.
    const Pair product = product_of(y, log_x.high);
    auto [k, r] = detail::reduce(product.high);
    r += product.low + y * log_x.low;
    return scale(1.0 + detail::exp_minus_one(r), k);
}

/// exp(-x^2 / divisor) for divisor 1 or 2 and |x| < 50: the upper bits of x have an exact square.
double bell(double x, double divisor) {
    const double upper =
        std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0xffffffff00000000);
    return exp(-(upper * upper) / divisor) * exp(-((x - upper) * (x + upper)) / divisor);
}

/// Above 0.925 or below 0.075: minus the quantile, by r = sqrt(-log(the smaller tail)).
double far_quantile(double r) {
    static constexpr double kFarUpper[] = {
        0x1.aa1b1c13ee527p+2, 0x1.5d8ce37b2ee55p+2,  0x1.c88504f0f515dp+0,  0x1.2f37c799447e9p-2,
        0x1.b1a93ab2e8fb6p-6, 0x1.44929e1c8d43ep-10, 0x1.c4781aaf5e1d8p-16, 0x1.ac4cbc47d3a20p-23,
    };
    static constexpr double kFarLower[] = {
        1.0,
        0x1.32f4a33959b25p-1,
        0x1.1818b8173c909p-3,
        0x1.e665c6c3e01c3p-7,
        0x1.9b2083312e56dp-11,
        0x1.341e9e0b2d30bp-16,
        0x1.2eda081364928p-23,
        0x1.20163d51e0467p-49,
    };
    if (r <= detail::kNearTail) return detail::near_quantile(r);
    return polynomial(kFarUpper, r - 5.0) / polynomial(kFarLower, r - 5.0);
}

}  // namespace

namespace detail {

double exp_edge(double x) {
    if (x != x) return x;
    if (x > 709.782712893384) return kInfinity;
    if (x < -745.1332191019412) return 0.0;
    const auto [k, r] = reduce(x);
    return scale(1.0 + exp_minus_one(r), k);
}

double log_edge(double x) {
    if (x != x || x == kInfinity) return x;
    if (x == 0.0) return -kInfinity;
    if (x < 0.0) return kNaN;
    Split parts = split(x * 0x1p54);  // Subnormal.
    parts.k -= 54;
    return log_of(parts);
}

}  // namespace detail

double log1p(double x) {
    if (!(x > -1.0)) return x == -1.0 ? -kInfinity : (x != x ? x : kNaN);
    if (x == kInfinity) return x;
    if (x > -0.29 && x < 0.41) {
        const double s = x / (2.0 + x);
        return x - s * (x - detail::log_rest(s * s));
    }
    const double u = 1.0 + x;
    const double lost = x >= 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
    return detail::log_of(detail::split(u), lost / u);
}

double expm1(double x) {
    if (!(std::fabs(x) >= 0x1p-54)) return x;  // Also NaN, and the sign of zero.
    if (std::fabs(x) < 0.34) return detail::exp_minus_one(x);
    if (x > 40.0) return exp(x);
    if (x < -40.0) return -1.0;
    const auto [exponent, r] = detail::reduce(x);
    const auto k = static_cast<double>(exponent);
    const double lost = ((x - k * detail::kLn2High) - r) - k * detail::kLn2Low;  // In rounding r.
    const double power = two_to(exponent);
    return ((power - 1.0) + power * r) + power * (detail::exp_tail(r) + lost);
}

double pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || y != y) return kNaN;
    const double size = std::fabs(x);
    if (!std::isfinite(y)) {
        if (size == 1.0) return 1.0;
        return (size > 1.0) == (y > 0.0) ? kInfinity : 0.0;
    }
    const bool negative = std::bit_cast<std::int64_t>(x) < 0 && is_odd(y);
    if (size == 0.0 || size == kInfinity) {
        const double limit = (size == 0.0) == (y > 0.0) ? 0.0 : kInfinity;
        return negative ? -limit : limit;
    }
    if (x < 0.0 && !is_integer(y)) return kNaN;
    const double result = positive_power(size, y);
    return negative ? -result : result;
}

double logistic(double x) {
    if (x != x) return x;
    if (x < 0.0) {
        const double odds = exp(x);
        return odds / (1.0 + odds);
    }
    return 1.0 / (1.0 + exp(-x));
}

double erf(double x) {
    const double size = std::fabs(x);
    if (x != x) return x;
    if (size <= 0.5) return small_erf(x);
    const double result = size < 6.0 ? 1.0 - bell(size, 1.0) * scaled_erfc(size) : 1.0;
    return x < 0.0 ? -result : result;
}

double normal_cdf(double x) {
    if (x != x) return x;
    const double size = std::fabs(x);
    if (size <= 0.7) return 0.5 + 0.5 * small_erf(x * kSqrtHalf);
    if (size > 40.0) return x > 0.0 ? 1.0 : 0.0;
    const double tail = 0.5 * bell(x, 2.0) * scaled_erfc(size * kSqrtHalf);
    return x > 0.0 ? 1.0 - tail : tail;
}

double normal_quantile(double p) {
    if (!(p >= 0.0 && p <= 1.0)) return kNaN;
    const double q = p - 0.5;
    if (std::fabs(q) <= detail::kMiddle) return detail::middle_quantile(q);
    const double tail = q < 0.0 ? p : 1.0 - p;
    if (tail == 0.0) return q < 0.0 ? -kInfinity : kInfinity;
    const double size = far_quantile(std::sqrt(-log(tail)));
    return q < 0.0 ? -size : size;
}

}  // namespace parley::math
