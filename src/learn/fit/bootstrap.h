// Learn: the uncertainty of a figure: rows resampled by entity and by day, a 95 % interval out.

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

/// Two ways in which rows are grouped; one entry per row.
struct Clusters {
    std::span<const std::int32_t> entity;
    /// Of a run; empty, or all the same: days are not resampled.
    std::span<const std::int32_t> day = {};
};

/// Draws entities and, independently, days with replacement, and calls `statistic` with each row's
/// weight times how often its entity and its day were drawn. Rows of one entity are not
/// independent, nor are those of one day: what fails together fails on the same day. The value is
/// that of `weight` itself; low and high are the 2.5 % and 97.5 % quantiles.
Interval bootstrap(const Clusters& clusters, std::span<const float> weight,
                   const std::function<double(std::span<const float>)>& statistic,
                   const BootstrapOptions& options);

}  // namespace parley::learn
