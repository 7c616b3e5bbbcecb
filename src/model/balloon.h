// Model: what lowering memory requests comes to, shared by the agent that proposes it and the plan
// that does it.

#pragma once

#include "model/policy.h"
#include "model/snapshot.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace parley::model {

/// What a balloon makes each pod of a workload request: the largest pod's measured use plus a
/// margin, but at least `scale_ppm` of the template. Nothing: the pods are left alone, because they
/// need all of it, belong to an autoscaler, or are not all measured.
inline std::optional<std::int64_t> ballooned_request(const WorkloadRow& row, std::int64_t scale_ppm,
                                                     const Policy& policy, TimePoint now) {
    const Usage* used = row.memory_used.fresh(now, policy.guard.metrics_age_max);
    if (used == nullptr || used->count <= 0 || used->missing > 0) return std::nullopt;
    if (row.scale_owner == ScaleOwner::hpa || row.size_owner != ScaleOwner::nobody) {
        return std::nullopt;
    }
    if (row.memory_request <= 0) return std::nullopt;
    const double need =
        std::ceil(static_cast<double>(used->max) * policy.efficiency.balloon_margin);
    const std::int64_t wished = row.memory_request / 1000 * scale_ppm / 1000;
    const std::int64_t request = std::max(static_cast<std::int64_t>(need), wished);
    if (request >= row.memory_request) return std::nullopt;
    return request;
}

}  // namespace parley::model
