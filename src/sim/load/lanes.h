// Simulation, lanes: two or four doubles computed at once, each with the bits it would have alone.
//
// A formula written for `D` works for a double and for lanes: every operation on a lane rounds as
// on a double. Four lanes take two registers of SSE2, which every x86-64 has, or one of AVX2 if
// run_wide() finds it; nothing is contracted, so that the bits are the same.
//
// Whatever takes or returns lanes is inlined, because how lanes are passed depends on the
// registers.

#pragma once

#include "base/math.h"

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace parley::sim {

using Two = double __attribute__((vector_size(16)));
using Four = double __attribute__((vector_size(32)));

template <class D>
concept Lanes = std::same_as<D, Two> || std::same_as<D, Four>;
template <Lanes D>
inline constexpr int kLanes = sizeof(D) / sizeof(double);

/// A condition of each lane, 0 or -1.
template <Lanes D>
using BitsOf = decltype(D{} < D{});

using TwoWords = std::uint64_t __attribute__((vector_size(16)));
using FourWords = std::uint64_t __attribute__((vector_size(32)));
template <Lanes D>
using WordsOf = std::conditional_t<std::same_as<D, Two>, TwoWords, FourWords>;

inline constexpr std::uint64_t kSizeBits = 0x7fff'ffff'ffff'ffff;  ///< All but the sign.

template <class D>
[[gnu::always_inline]] inline D every(double x) {
    if constexpr (Lanes<D>) {
        return x - D{};  // Of all sums, only this one keeps a negative zero.
    } else {
        return x;
    }
}

/// One lane after the other from `of(lane)`.
template <Lanes D, class F>
[[gnu::always_inline]] inline D lanes_of(F&& of) {
    D out{};
    for (int i = 0; i < kLanes<D>; ++i) out[i] = of(i);
    return out;
}

inline bool any(bool condition) { return condition; }
template <class Bits>
    requires(!std::integral<Bits>)
[[gnu::always_inline]] inline bool any(Bits condition) {
#if __has_builtin(__builtin_reduce_or)
    return __builtin_reduce_or(condition) != 0;
#else
    bool found = false;
    for (std::size_t i = 0; i < sizeof(condition) / 8; ++i) found = found || condition[i] != 0;
    return found;
#endif
}
inline bool all(bool condition) { return condition; }
template <class Bits>
    requires(!std::integral<Bits>)
[[gnu::always_inline]] inline bool all(Bits condition) {
    return !any(~condition);
}

inline double choose(bool condition, double yes, double no) { return condition ? yes : no; }
template <Lanes D>
[[gnu::always_inline]] inline D choose(BitsOf<D> condition, D yes, D no) {
#if defined(__clang__)
    return condition ? yes : no;
#else
    // g++ 12 crashes if lanes that it keeps in two registers are chosen by `?:`.
    using Bits = BitsOf<D>;
    return std::bit_cast<D>((condition & std::bit_cast<Bits>(yes)) |
                            (~condition & std::bit_cast<Bits>(no)));
#endif
}

/// Like std::min and std::max: among equals, or beside NaN, the first.
template <class D>
[[gnu::always_inline]] inline D least(D a, D b) {
    return choose(b < a, b, a);
}
template <class D>
[[gnu::always_inline]] inline D most(D a, D b) {
    return choose(a < b, b, a);
}

inline double root(double x) { return std::sqrt(x); }
template <Lanes D>
[[gnu::always_inline]] inline D root(D x) {
#if __has_builtin(__builtin_elementwise_sqrt)
    return __builtin_elementwise_sqrt(x);
#else
    return lanes_of<D>([&](int i) { return std::sqrt(x[i]); });
#endif
}

template <Lanes D>
[[gnu::always_inline]] inline D size_of(D x) {
    return std::bit_cast<D>(std::bit_cast<WordsOf<D>>(x) & kSizeBits);
}

inline double exp_of(double x) { return math::exp(x); }
inline double log_of(double x) { return math::log(x); }

/// If any lane is a special case, all are computed one by one.
namespace lanes {

[[gnu::noinline]] inline void exp_each(double* x, int count) {
    for (int i = 0; i < count; ++i) x[i] = math::exp(x[i]);
}
[[gnu::noinline]] inline void log_each(double* x, int count) {
    for (int i = 0; i < count; ++i) x[i] = math::log(x[i]);
}

}  // namespace lanes

template <Lanes D>
[[gnu::always_inline]] inline D exp_of(D x) {
    using namespace math::detail;
    if (!all(size_of(x) < 708.0)) [[unlikely]] {
        lanes::exp_each(reinterpret_cast<double*>(&x), kLanes<D>);
        return x;
    }
    const D shifted = x * kInverseLn2 + kShift;
    const D k = shifted - kShift;
    const D r = (x - k * kLn2High) - k * kLn2Low;
    const D power = 1.0 + (r + exp_tail(r));
    // The lower bits of `shifted` are the exponent; those above are shifted out.
    return std::bit_cast<D>(std::bit_cast<WordsOf<D>>(power) +
                            (std::bit_cast<WordsOf<D>>(shifted) << 52));
}

template <Lanes D>
[[gnu::always_inline]] inline D log_of(D x) {
    using namespace math::detail;
    if (!all((x >= 0x1p-1022) & (x <= 0x1.fffffffffffffp+1023))) [[unlikely]] {
        lanes::log_each(reinterpret_cast<double*>(&x), kLanes<D>);
        return x;
    }
    const auto bits = std::bit_cast<WordsOf<D>>(x);
    // 2048 is added to the exponent, since SSE2 has no signed shift of 64 bits.
    const auto exponent = (bits - (kSqrtHalfBits ^ (std::uint64_t{1} << 63))) >> 52;
    const D f = std::bit_cast<D>(bits - ((exponent - 2048) << 52)) - 1.0;
    // Converts integer to double through the lower bits of a large double.
    const D k =
        std::bit_cast<D>(exponent + std::bit_cast<std::uint64_t>(kShift)) - (kShift + 2048.0);
    const D s = f / (2.0 + f);
    const D rest = s * (f - log_rest(s * s));
    return k * kLn2High - ((rest - k * kLn2Low) - f);
}

namespace lanes {

template <class F>
[[gnu::target("avx2"), gnu::noinline]] void in_avx2(const F& body) {
    body();
}
template <class F>
[[gnu::noinline]] void in_sse2(const F& body) {
    body();
}
inline const bool kHasAvx2 = __builtin_cpu_supports("avx2") != 0;

}  // namespace lanes

/// Calls `body`, compiled for the registers of this CPU; its function must be always_inline.
template <class F>
void run_wide(const F& body) {
    if (lanes::kHasAvx2) {
        lanes::in_avx2(body);
    } else {
        lanes::in_sse2(body);
    }
}

}  // namespace parley::sim
