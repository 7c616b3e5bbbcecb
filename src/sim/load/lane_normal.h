// Simulation, the normal distribution in lanes: function and quantile as in base/math.h for several
// values at once, with the same bits.

#pragma once

#include "base/normal_parts.h"
#include "sim/load/lanes.h"

namespace parley::sim {

/// math::normal_cdf for each.
template <Lanes D>
[[gnu::always_inline]] inline D normal_cdf(D x) {
    using namespace math::detail;
    constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;
    const D size = size_of(x);
    const auto small = size <= 0.7;
    const auto huge = size > 40.0;
    // Lanes that do not need the tail compute it for 1 and drop it.
    const D far = choose(small | huge, every<D>(1.0), size);
    const D upper =
        std::bit_cast<D>(std::bit_cast<WordsOf<D>>(far) & std::uint64_t{0xffff'ffff'0000'0000});
    const D bell = exp_of(-(upper * upper) / 2.0) * exp_of(-((far - upper) * (far + upper)) / 2.0);
    const D tail = choose(huge, D{}, 0.5 * bell * scaled_erfc(far * kSqrtHalf));
    const D out = choose(x > 0.0, 1.0 - tail, tail);
    return any(small) ? choose(small, 0.5 + 0.5 * small_erf(x * kSqrtHalf), out) : out;
}

/// math::normal_quantile for each, for p from 2^-53 to 1 - 2^-53.
template <Lanes D>
[[gnu::always_inline]] inline D normal_quantile(D p) {
    using namespace math::detail;
    const D q = p - 0.5;
    const D z = middle_quantile(q);
    const auto middle = size_of(q) <= kMiddle;
    if (all(middle)) return z;
    const auto lower = q < 0.0;
    const D r = root(-log_of(choose(lower, p, 1.0 - p)));
    const D size = near_quantile(r);
    D out = choose(middle, z, choose(lower, -size, size));
    if (any(r > kNearTail)) [[unlikely]] {
        for (int i = 0; i < kLanes<D>; ++i) out[i] = math::normal_quantile(p[i]);
    }
    return out;
}

}  // namespace parley::sim
