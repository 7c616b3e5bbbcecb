// Model: counters that only grow, from which costs are computed, and the lines of the cost account.

#pragma once

#include "base/describe.h"
#include "model/per_role.h"

#include <cstdint>

namespace parley::model {

/// Counters of one workload since it was first seen. A twin reports the same counters for its fork.
struct WorkCounters {
    std::int64_t offered = 0;    ///< In thousandths of a request: the fluid model has fractions.
    std::int64_t done = 0;       ///< In thousandths of a request.
    std::int64_t lost = 0;       ///< In thousandths: overflow, time-outs, in flight on dying pods.
    std::int64_t violating = 0;  ///< In thousandths: slower than the objective.
    std::int64_t disruptions = 0;       ///< Evictions, kills and restarts of its pods.
    std::int64_t pending_ms = 0;        ///< Pod-milliseconds waiting for a shortage or our gate.
    std::int64_t rejections = 0;        ///< Refused by our admission.
    std::int64_t completions = 0;       ///< Pods of Jobs that succeeded.
    std::int64_t reserved_core_ms = 0;  ///< Requested millicores x milliseconds / 1000.
    std::int64_t reserved_mib_ms = 0;   ///< Requested MiB x milliseconds.
    std::int64_t service_ms = 0;        ///< Ready pod-milliseconds.

    friend bool operator==(const WorkCounters&, const WorkCounters&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkCounters, (),
                      (offered, done, lost, violating, disruptions, pending_ms, rejections,
                       completions, reserved_core_ms, reserved_mib_ms, service_ms))

/// Counters of one node since it was first seen.
struct NodeCounters {
    std::int64_t energy_mj = 0;  ///< Millijoules.
    std::int64_t on_ms = 0;      ///< Milliseconds powered on.

    friend bool operator==(const NodeCounters&, const NodeCounters&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeCounters, (), (energy_mj, on_ms))

/// Cost in millionths of a pod-minute, by the agent that owns the line: safety lost requests and
/// disruptions, efficiency energy and node-hours, admission pending pod-seconds and rejections,
/// scaling violating requests and reserved core- and GiB-hours. Integers, so that parts add up to
/// the whole exactly.
struct Cost : PerRole<std::int64_t> {
    using PerRole::PerRole;

    std::int64_t total() const {
        std::int64_t sum = 0;
        for (const Role role : kRoles) sum += (*this)[role];
        return sum;
    }
    friend Cost operator+(Cost a, const Cost& b) {
        for (const Role role : kRoles) a[role] += b[role];
        return a;
    }
    friend Cost operator-(Cost a, const Cost& b) {
        for (const Role role : kRoles) a[role] -= b[role];
        return a;
    }
};

inline constexpr double kCostUnit = 1e6;  ///< Cost units in a pod-minute.

}  // namespace parley::model
