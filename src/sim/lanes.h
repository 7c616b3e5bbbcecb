// Simulation, lanes: two doubles worked on at once, with the bits that each would give alone.
//
// A formula written for `D` is good for a double and for a Two: every operation of a lane rounds as
// that of a double does. SSE2 alone, which every x86-64 has, so that no build differs.

#pragma once

#include "base/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <emmintrin.h>

namespace parley::sim {

using Two = double __attribute__((vector_size(16)));
using TwoBits = std::int64_t __attribute__((vector_size(16)));  ///< As a condition: 0 or -1.

inline constexpr std::int64_t kSizeBits = 0x7fff'ffff'ffff'ffff;  ///< All but the sign.

template <class D>
D every(double x);
template <>
inline double every<double>(double x) {
    return x;
}
template <>
inline Two every<Two>(double x) {
    return Two{x, x};
}

inline bool any(bool condition) { return condition; }
inline bool any(TwoBits condition) {
    return _mm_movemask_pd(std::bit_cast<__m128d>(condition)) != 0;
}
inline bool all(bool condition) { return condition; }
inline bool all(TwoBits condition) {
    return _mm_movemask_pd(std::bit_cast<__m128d>(condition)) == 3;
}

inline double choose(bool condition, double yes, double no) { return condition ? yes : no; }
inline Two choose(TwoBits condition, Two yes, Two no) {
    return std::bit_cast<Two>((condition & std::bit_cast<TwoBits>(yes)) |
                              (~condition & std::bit_cast<TwoBits>(no)));
}

/// As std::min and std::max: of equal ones, or beside NaN, the first.
inline double least(double a, double b) { return b < a ? b : a; }
inline double most(double a, double b) { return a < b ? b : a; }
inline Two least(Two a, Two b) { return _mm_min_pd(b, a); }
inline Two most(Two a, Two b) { return _mm_max_pd(b, a); }

inline double root(double x) { return std::sqrt(x); }
inline Two root(Two x) { return _mm_sqrt_pd(x); }

inline double exp_of(double x) { return math::exp(x); }
inline double log_of(double x) { return math::log(x); }

/// The polynomials of base/math.h, term by term.
namespace lanes {

inline Two exp_tail(Two r) {
    const Two r2 = r * r;
    const Two r4 = r2 * r2;
    const Two low = (0x1.000000000000cp-1 + r * 0x1.5555555555561p-3) +
                    r2 * (0x1.555555554ff93p-5 + r * 0x1.111111110d5adp-7);
    const Two high = (0x1.6c16c185cab8cp-10 + r * 0x1.a01a01bb12394p-13) +
                     r2 * (0x1.a0199630d943ap-16 + r * 0x1.71dddf614731bp-19) +
                     r4 * (0x1.28b0a70807832p-22 + r * 0x1.af862f160c4bbp-26);
    return r2 * (low + r4 * high);
}

inline Two log_rest(Two z) {
    const Two z2 = z * z;
    const Two low = 0x1.5555555555593p-1 + z * 0x1.999999997f8d4p-2;
    const Two mid = 0x1.249249423c4ccp-2 + z * 0x1.c71c51c7d680ap-3;
    const Two high = 0x1.74664d357bb43p-3 + z * 0x1.39a034bbe5cf7p-3 + z2 * 0x1.2f1586c46989dp-3;
    return z * (low + z2 * (mid + z2 * high));
}

[[gnu::noinline]] inline Two exp_edges(Two x) { return Two{math::exp(x[0]), math::exp(x[1])}; }
[[gnu::noinline]] inline Two log_edges(Two x) { return Two{math::log(x[0]), math::log(x[1])}; }

}  // namespace lanes

// Both are inlined wherever they are used: a call would first store what is in the registers.
[[gnu::always_inline]] inline Two exp_of(Two x) {
    using namespace math::detail;
    const Two size = std::bit_cast<Two>(std::bit_cast<TwoBits>(x) & kSizeBits);
    if (!all(size < 708.0)) [[unlikely]]
        return lanes::exp_edges(x);
    const Two shifted = x * kInverseLn2 + kShift;
    const Two k = shifted - kShift;
    const Two r = (x - k * kLn2High) - k * kLn2Low;
    const Two power = 1.0 + (r + lanes::exp_tail(r));
    // The lower bits of `shifted` are the exponent; what is above them falls out.
    return std::bit_cast<Two>(std::bit_cast<TwoBits>(power) +
                              (std::bit_cast<TwoBits>(shifted) << 52));
}

[[gnu::always_inline]] inline Two log_of(Two x) {
    using namespace math::detail;
    if (!all((x >= 0x1p-1022) & (x <= 0x1.fffffffffffffp+1023))) [[unlikely]] {
        return lanes::log_edges(x);
    }
    const TwoBits bits = std::bit_cast<TwoBits>(x);
    const TwoBits exponent = (bits - static_cast<std::int64_t>(kSqrtHalfBits)) >> 52;
    const Two f = std::bit_cast<Two>(bits - (exponent << 52)) - 1.0;
    // An integer becomes a double through the lower bits of a large one.
    const Two k = std::bit_cast<Two>(exponent + std::bit_cast<std::int64_t>(kShift)) - kShift;
    const Two s = f / (2.0 + f);
    const Two rest = s * (f - lanes::log_rest(s * s));
    return k * kLn2High - ((rest - k * kLn2Low) - f);
}

}  // namespace parley::sim
