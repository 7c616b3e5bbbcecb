// Simulation, draws in lanes: the numbers that base/random.h draws, for several places at once and
// with the same bits.

#pragma once

#include "base/random.h"
#include "sim/load/lane_normal.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace parley::sim {

/// draw() for several entities or places.
template <class Words>
[[gnu::always_inline]] inline Words draw_lanes(std::uint64_t seed, Stream stream, Words entity,
                                               Words index) {
    // Only the lower half of each word counts, as that is all a product reads.
    const auto times = [](Words x, std::uint64_t y)
                           __attribute__((always_inline)) { return (x & 0xffff'ffff) * y; };
    const Words place = index | (static_cast<std::uint64_t>(stream) << 56);
    Words c0 = place;
    Words c1 = place >> 32;
    Words c2 = entity;
    Words c3 = entity >> 32;
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < 10; ++round) {
        const Words a = times(c0, 0xD2511F53);
        const Words b = times(c2, 0xCD9E8D57);
        c0 = (b >> 32) ^ c1 ^ std::uint64_t{key0};
        c1 = b;
        c2 = (a >> 32) ^ c3 ^ std::uint64_t{key1};
        c3 = a;
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return (c0 & 0xffff'ffff) | (c1 << 32);
}

/// random::uniform_open for each.
template <Lanes D>
[[gnu::always_inline]] inline D uniform_open(WordsOf<D> bits) {
    // 52 bits below the leading one of 2^52.
    const D whole = std::bit_cast<D>((bits >> 12) | 0x4330'0000'0000'0000U) - 0x1p52;
    return (whole + 0.5) * 0x1p-52;
}

/// random::normal for each.
template <Lanes D>
[[gnu::always_inline]] inline D normal_lanes(WordsOf<D> bits) {
    return normal_quantile(uniform_open<D>(bits));
}

/// random::count for each.
template <Lanes D>
[[gnu::always_inline]] inline D count_lanes(WordsOf<D> bits, D mean, D dispersion) {
    // Where base/random.cc walks, each is computed alone.
    if (!all((mean > 32.0) & (mean <= 1e15) & (dispersion >= 1.0) & (dispersion < 1e300))) {
        return lanes_of<D>([&](int i) {
            return static_cast<double>(random::count(bits[i], mean[i], dispersion[i]));
        });
    }
    const D z = normal_lanes<D>(bits);
    const D g = 1.0 / (9.0 * mean);
    const D h = (least(dispersion, 1.0 + mean / 2.0) - 1.0) / (9.0 * mean);
    // Paulson's formula, solved by Newton's method; lanes that have converged wait for the others.
    D w = every<D>(1.0);
    auto moving = w > 0.0;
    for (int step = 0; step < 8 && any(moving); ++step) {
        const D deviation = root(g / w + h);
        const D value = w - g / (w * w) - (1.0 - h) - z * deviation;
        const D slope = 1.0 + 2.0 * g / (w * w * w) + z * g / (2.0 * w * w * deviation);
        const D next = most(w - value / slope, 0.05 * w);
        const auto settled = size_of(next - w) <= 1e-13 * w;
        w = choose(moving, next, w);
        moving &= ~settled;
    }
    const D events = mean * w * w * w;
    // Up to 1e15 or a little more: a double holds such a number whole.
    return lanes_of<D>([&](int i) { return std::max(0.0, std::ceil(events[i] - 1.0)); });
}

}  // namespace parley::sim
