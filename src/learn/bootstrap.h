// Learn: how sure a figure is: rows resampled by entity, a 95 % interval out.

#pragma once

#include "learn/metrics.h"

#include <cstdint>
#include <functional>
#include <span>

namespace parley::learn {

struct BootstrapOptions {
    int resamples = 200;
    std::uint64_t seed = 0;
};

/// Draws entities with replacement and asks `statistic` with each row's weight times how often its
/// entity was drawn. The value is that of `weight` itself; low and high are the 2.5 % and 97.5 %
/// quantiles. Rows of one entity stay together: they are not independent.
Interval bootstrap(std::span<const std::int32_t> entity, std::span<const float> weight,
                   const std::function<double(std::span<const float>)>& statistic,
                   const BootstrapOptions& options);

}  // namespace parley::learn
