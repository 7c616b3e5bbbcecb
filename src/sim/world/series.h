// Simulation, series: the value of a quantity that changes over time.

#pragma once

#include "base/random.h"
#include "sim/scenario/scenario.h"
#include "sim/world/event_queue.h"

#include <cstdint>

namespace parley::sim {

/// The shape at a moment, without noise; never negative.
double series_shape(const Series& series, Ms at);

/// Steps between independent draws of the noise, whose logarithm is linear between them: ten
/// minutes of 15 s.
inline constexpr std::int64_t kKnot = 40;

/// The slow random factor of a series in one step: correlated over about ten minutes, its logarithm
/// normal with the series' spread. It depends on seed, stream, entity and step alone.
double series_noise(const Series& series, std::uint64_t seed, Stream stream, std::uint64_t entity,
                    std::int64_t step);

}  // namespace parley::sim
