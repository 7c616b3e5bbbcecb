// Cluster seam: condenses the figures of a workload's pods, as a source gave them, to the one value
// that decisions use.

#pragma once

#include "model/snapshot.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace parley::cluster {

/// Sum, median, 90th percentile (nearest rank) and greatest of these figures.
inline model::Usage usage_over(std::vector<std::int64_t> figures, std::int32_t missing) {
    model::Usage usage{.count = static_cast<std::int32_t>(figures.size()), .missing = missing};
    if (figures.empty()) return usage;
    std::ranges::sort(figures);
    const auto rank = [&](std::size_t percent) {
        return figures[(figures.size() * percent + 99) / 100 - 1];
    };
    for (const std::int64_t each : figures) usage.sum += each;
    usage.p50 = rank(50);
    usage.p90 = rank(90);
    usage.max = figures.back();
    return usage;
}

}  // namespace parley::cluster
