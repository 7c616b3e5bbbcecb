// Model: how full a node is, as a share of what it can give. Nothing if that is not known.

#pragma once

#include "model/snapshot.h"

#include <algorithm>
#include <optional>

namespace parley::model {

struct Utilisation {
    std::optional<double> cpu;     ///< In [0, 1]; nothing: unknown.
    std::optional<double> memory;  ///< In [0, 1]; nothing: unknown.
    bool cpu_measured = false;     ///< True: measured use; false: what pods requested.
    bool memory_measured = false;

    /// The prototype's blend: 0.55 CPU + 0.35 memory, in [0, 0.9].
    std::optional<double> blend() const {
        if (!cpu || !memory) return std::nullopt;
        return 0.55 * *cpu + 0.35 * *memory;
    }
};

/// A part of a whole, cut to [0, 1]: measured use includes the system's own processes and may
/// exceed what is allocatable.
inline std::optional<double> share_of(std::int64_t part, std::int64_t whole) {
    if (whole <= 0) return std::nullopt;
    return std::clamp(static_cast<double>(part) / static_cast<double>(whole), 0.0, 1.0);
}

/// Measured use if a sample is no older than `age_max`; else what pods requested.
inline Utilisation utilisation_of(const NodeRow& node, TimePoint now, Duration age_max) {
    const std::int64_t* cpu = node.cpu_used_m.fresh(now, age_max);
    const std::int64_t* memory = node.memory_used.fresh(now, age_max);
    return {.cpu = share_of(cpu ? *cpu : node.cpu_requested_m, node.cpu_allocatable_m),
            .memory = share_of(memory ? *memory : node.memory_requested, node.memory_allocatable),
            .cpu_measured = cpu != nullptr,
            .memory_measured = memory != nullptr};
}

/// As the prototype computes it: what pods requested, replaced by what Prometheus measured.
inline Utilisation prototype_utilisation(const NodeRow& node, TimePoint now, Duration age_max) {
    const auto measured = [&](const Reading<std::int64_t>& reading) {
        return reading.from().source == Source::prometheus ? reading.fresh(now, age_max) : nullptr;
    };
    const std::int64_t* cpu = measured(node.cpu_used_m);
    const std::int64_t* memory = measured(node.memory_used);
    return {.cpu = share_of(cpu ? *cpu : node.cpu_requested_m, node.cpu_allocatable_m),
            .memory = share_of(memory ? *memory : node.memory_requested, node.memory_allocatable),
            .cpu_measured = cpu != nullptr,
            .memory_measured = memory != nullptr};
}

}  // namespace parley::model
