// Base, parts of the normal distribution: its function and quantile on the ranges where one fit
// holds, for `D` a double or several in lanes. The inside of math.cc and of whoever uses lanes.

#pragma once

#include <cstddef>

namespace parley::math::detail {

inline constexpr double kMiddle = 0.425;  ///< The middle range reaches this far from one half.
inline constexpr double kNearTail = 5.0;  ///< The first fit of the tails holds up to this root.

/// c[0] + c[1] x + c[2] x^2 + ..., unrolled by the compiler.
template <class D, std::size_t N>
[[gnu::always_inline]] inline D polynomial(const double (&c)[N], D x) {
    D sum = x * c[N - 1] + c[N - 2];
    for (std::size_t i = N - 2; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

/// The quantile of 0.5 + q for |q| <= kMiddle.
template <class D>
[[gnu::always_inline]] inline D middle_quantile(D q) {
    constexpr double kUpper[] = {
        0x1.b18d91e9eef75p+1,  0x1.0a590ca2b7a29p+7,  0x1.ed28a210f4718p+10, 0x1.ad7d289868839p+13,
        0x1.6738cd31922cep+15, 0x1.0736ea94fac7dp+16, 0x1.05c5495aade76p+15, 0x1.3a88b8fedc398p+11,
    };
    constexpr double kLower[] = {
        1.0,
        0x1.52953478b36f1p+5,
        0x1.57c30d09eb702p+9,
        0x1.51686ce02a25cp+12,
        0x1.4bda7905d4a1dp+14,
        0x1.339555b446a83p+15,
        0x1.c1d3abf85e123p+14,
        0x1.4782f42a09d0bp+12,
    };
    const D r = 0.180625 - q * q;
    return q * polynomial(kUpper, r) / polynomial(kLower, r);
}

/// Minus the quantile of a lower tail, by r = sqrt(-log(tail)) from 1.6 to kNearTail.
template <class D>
[[gnu::always_inline]] inline D near_quantile(D r) {
    constexpr double kUpper[] = {
        0x1.6c665fde9526ap+0, 0x1.27e6218d90ff1p+2, 0x1.6fe407428e758p+2, 0x1.cfe883db28161p+1,
        0x1.4224135f59d65p+0, 0x1.e91ca9a9528f0p-3, 0x1.6f2faaa91c291p-6, 0x1.90ab04be47cd1p-11,
    };
    constexpr double kLower[] = {
        1.0,
        0x1.062fc1cf7c80ap+1,
        0x1.aad558bde6c64p+0,
        0x1.5e0a024693574p-1,
        0x1.2bae4aa9d20dbp-3,
        0x1.eb2b048538c28p-7,
        0x1.1b445b03015d5p-11,
        0x1.20ce38a162c7fp-30,
    };
    return polynomial(kUpper, r - 1.6) / polynomial(kLower, r - 1.6);
}

/// exp(x^2) erfc(x) for x >= 0: (1 + 2x) times it is smooth in (x - 3.75) / (x + 3.75).
template <class D>
[[gnu::always_inline]] inline D scaled_erfc(D x) {
    constexpr double kFit[] = {
        0x1.3ccda0b5d5dc2p+0,   -0x1.1f367683f89a5p-3,  0x1.d5f294815a686p-9,
        0x1.510169d0966c5p-4,   -0x1.bda9309a29880p-4,  0x1.7a14188a9c302p-4,
        -0x1.e0d0fa6dd6715p-5,  0x1.d0b0037d38fa5p-6,   -0x1.3f603c3b06999p-7,
        0x1.cc3a0e6e5b672p-10,  0x1.33fb2a7e6f628p-12,  -0x1.303fa39fbda9cp-12,
        0x1.b1437837136efp-15,  0x1.778b69feddaaep-16,  -0x1.7fff3e27c8337p-17,
        -0x1.05520494e0833p-20, 0x1.d623bd16d2c30p-20,  -0x1.ec248049b11f1p-25,
        -0x1.157a5ed4c89b9p-22, 0x1.9094879ce0873p-26,  0x1.4ac89ea2b3682p-25,
        -0x1.02ca09376ad52p-28, -0x1.5f19c03a0eadcp-28, 0x1.5a4f45374ab56p-32,
        0x1.c760aa69e41c8p-32,
    };
    return polynomial(kFit, (x - 3.75) / (x + 3.75)) / (1.0 + 2.0 * x);
}

/// erf(x) for |x| <= 0.5.
template <class D>
[[gnu::always_inline]] inline D small_erf(D x) {
    constexpr double kFit[] = {
        0x1.20dd750429b6dp+0,  -0x1.812746b0379b5p-2,  0x1.ce2f21a03d8aap-4,
        -0x1.b82ce30f2fd7cp-6, 0x1.565bcbfa069bap-8,   -0x1.c02d4fbccc75ap-11,
        0x1.f98dbee7e191ep-14, -0x1.f225c42f46246p-17, 0x1.8b5283d1e74dbp-20,
    };
    return x * polynomial(kFit, x * x);
}

}  // namespace parley::math::detail
