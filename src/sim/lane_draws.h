// Simulation, draws in lanes: two places of a run in, the numbers that base/random.h draws for each
// out, with the same bits.

#pragma once

#include "base/random.h"
#include "sim/lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace parley::sim {

using TwoWords = std::uint64_t __attribute__((vector_size(16)));

/// draw() of two entities or places.
inline TwoWords draw_two(std::uint64_t seed, Stream stream, TwoWords entity, TwoWords index) {
    // Of each word only the lower half counts: a product looks at nothing else.
    const auto times = [](TwoWords x, std::uint64_t y) {
        return std::bit_cast<TwoWords>(
            _mm_mul_epu32(std::bit_cast<__m128i>(x), std::bit_cast<__m128i>(TwoWords{y, y})));
    };
    const TwoWords place = index | (static_cast<std::uint64_t>(stream) << 56);
    TwoWords c0 = place;
    TwoWords c1 = place >> 32;
    TwoWords c2 = entity;
    TwoWords c3 = entity >> 32;
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const TwoWords a = times(c0, 0xD2511F53);
        const TwoWords b = times(c2, 0xCD9E8D57);
        c0 = (b >> 32) ^ c1 ^ key0;
        c1 = b;
        c2 = (a >> 32) ^ c3 ^ key1;
        c3 = a;
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return (c0 & 0xffff'ffff) | (c1 << 32);
}

/// random::uniform_open of each.
inline Two uniform_open(TwoWords bits) {
    // 52 bits below the leading one of 2^52.
    const Two whole = std::bit_cast<Two>((bits >> 12) | 0x4330'0000'0000'0000U) - 0x1p52;
    return (whole + 0.5) * 0x1p-52;
}

/// random::normal of each.
inline Two normal_two(TwoWords bits) {
    const Two p = uniform_open(bits);
    const Two q = p - 0.5;
    const Two size = std::bit_cast<Two>(std::bit_cast<TwoBits>(q) & kSizeBits);
    const Two r = 0.180625 - q * q;
    const Two upper =
        ((((((0x1.3a88b8fedc398p+11 * r + 0x1.05c5495aade76p+15) * r + 0x1.0736ea94fac7dp+16) * r +
            0x1.6738cd31922cep+15) *
               r +
           0x1.ad7d289868839p+13) *
              r +
          0x1.ed28a210f4718p+10) *
             r +
         0x1.0a590ca2b7a29p+7) *
            r +
        0x1.b18d91e9eef75p+1;
    const Two lower =
        ((((((0x1.4782f42a09d0bp+12 * r + 0x1.c1d3abf85e123p+14) * r + 0x1.339555b446a83p+15) * r +
            0x1.4bda7905d4a1dp+14) *
               r +
           0x1.51686ce02a25cp+12) *
              r +
          0x1.57c30d09eb702p+9) *
             r +
         0x1.52953478b36f1p+5) *
            r +
        1.0;
    Two z = q * upper / lower;
    if (!all(size <= 0.425)) {
        // The tails go another way; they are few.
        if (!(size[0] <= 0.425)) z[0] = math::normal_quantile(p[0]);
        if (!(size[1] <= 0.425)) z[1] = math::normal_quantile(p[1]);
    }
    return z;
}

/// random::count of each.
inline std::array<std::int64_t, 2> count_two(TwoWords bits, Two mean, Two dispersion) {
    // Where base/random.cc walks, so does this, one by one.
    if (!all((mean > 32.0) & (mean <= 1e15) & (dispersion >= 1.0) & (dispersion < 1e300))) {
        return {random::count(bits[0], mean[0], dispersion[0]),
                random::count(bits[1], mean[1], dispersion[1])};
    }
    const Two z = normal_two(bits);
    const Two g = 1.0 / (9.0 * mean);
    const Two h = (least(dispersion, 1.0 + mean / 2.0) - 1.0) / (9.0 * mean);
    // Paulson's formula, solved by Newton's method; who has settled waits for the other.
    Two w{1.0, 1.0};
    auto moving = w > 0.0;
    for (int step = 0; step < 8 && any(moving); ++step) {
        const Two deviation = root(g / w + h);
        const Two value = w - g / (w * w) - (1.0 - h) - z * deviation;
        const Two slope = 1.0 + 2.0 * g / (w * w * w) + z * g / (2.0 * w * w * deviation);
        const Two next = most(w - value / slope, 0.05 * w);
        const Two moved = std::bit_cast<Two>(std::bit_cast<TwoBits>(next - w) & kSizeBits);
        const auto settled = moved <= 1e-13 * w;
        w = choose(moving, next, w);
        moving &= ~settled;
    }
    const Two events = mean * w * w * w;
    const auto whole = [](double x) {
        return static_cast<std::int64_t>(std::max(0.0, std::ceil(x - 1.0)));
    };
    return {whole(events[0]), whole(events[1])};
}

}  // namespace parley::sim
