// Learn: how sure a figure is: rows resampled by entity and by day, a 95 % interval out.

#pragma once

#include "learn/fit/metrics.h"

#include <cstdint>
#include <functional>
#include <span>

namespace parley::learn {

struct BootstrapOptions {
    int resamples = 200;
    std::uint64_t seed = 0;
};

/// Two ways in which rows belong together; one entry per row.
struct Clusters {
    std::span<const std::int32_t> entity;
    std::span<const std::int32_t> day = {};  ///< Of a run; none, or all the same: not resampled.
};

/// Draws entities with replacement, and apart from them days, and asks `statistic` with each row's
/// weight times how often its entity and its day were drawn. Rows of one entity are not
/// independent, and nor are those of one day: what fails together fails on one day. The value is
/// that of `weight` itself; low and high are the 2.5 % and 97.5 % quantiles.
Interval bootstrap(const Clusters& clusters, std::span<const float> weight,
                   const std::function<double(std::span<const float>)>& statistic,
                   const BootstrapOptions& options);

}  // namespace parley::learn
