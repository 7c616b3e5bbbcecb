#include "sim/world/series.h"

#include "base/math.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr Ms kDay = 86'400'000;

// A sine from + and * alone: Bhaskara's quotient is off by at most 0.0016, which no load notices.
double sine_of_turn(double turn) {
    const double x = turn - std::floor(turn);
    const double half = x < 0.5 ? x : x - 0.5;
    const double bump =
        16.0 * half * (0.5 - half);  // 16 h (1/2 - h): 0 at the ends, 1 in the middle.
    const double value = 4.0 * bump / (5.0 - bump);
    return x < 0.5 ? value : -value;
}

double at_points(const Series& series, Ms at) {
    if (series.points.empty()) return series.base;
    const Ms repeat = series.repeat.us / 1000;
    if (repeat > 0) at = ((at % repeat) + repeat) % repeat;
    const auto later =
        std::ranges::upper_bound(series.points, Duration{at * 1000}, {}, &SeriesPoint::at);
    if (later == series.points.begin()) return series.points.front().value;
    const SeriesPoint& from = *(later - 1);
    if (!series.ramp || later == series.points.end()) return from.value;
    const double along = static_cast<double>(at * 1000 - from.at.us) /
                         static_cast<double>(later->at.us - from.at.us);
    return from.value + (later->value - from.value) * along;
}

}  // namespace

double series_shape(const Series& series, Ms at) {
    const Ms t = at + series.offset.us / 1000;
    double value = series.base;
    if (series.kind == SeriesKind::daily) {
        const double turn =
            static_cast<double>(t) / static_cast<double>(kDay) - series.peak_hour / 24.0 + 0.25;
        value *= 1.0 + series.amplitude * sine_of_turn(turn);
    } else if (series.kind == SeriesKind::points) {
        value = at_points(series, t);
    }
    return std::max(0.0, value * series.scale);
}

double series_noise(const Series& series, std::uint64_t seed, Stream stream, std::uint64_t entity,
                    std::int64_t step) {
    if (series.noise <= 0.0) return 1.0;
    // Linear between independent knots: without state, so that any step can be computed first.
    const std::int64_t knot = step / kKnot;
    const auto index = static_cast<std::uint64_t>(knot) | (std::uint64_t{1} << 48);
    const double a = random::normal(draw(seed, stream, entity, index));
    const double b = random::normal(draw(seed, stream, entity, index + 1));
    const double along = static_cast<double>(step % kKnot) / static_cast<double>(kKnot);
    const double z = a + (b - a) * along;
    return math::exp(series.noise * z - 0.5 * series.noise * series.noise);
}

}  // namespace parley::sim
