// Model: counters that only grow, from which costs are computed, and the lines of the cost account.

#pragma once

#include "base/describe.h"
#include "model/per_role.h"

#include <array>
#include <cstdint>

namespace parley::model {

/// The lines of the cost account. Each belongs to one agent.
enum class CostLine : std::uint8_t {
    lost_requests,
    disruptions,
    energy,
    node_hours,
    pending,
    rejections,
    violating_requests,
    core_hours,
    gib_hours,
};
BOOST_DESCRIBE_ENUM(CostLine, lost_requests, disruptions, energy, node_hours, pending, rejections,
                    violating_requests, core_hours, gib_hours)

constexpr Role role_of(CostLine line) {
    switch (line) {
        case CostLine::lost_requests:
        case CostLine::disruptions:
            return Role::safety;
        case CostLine::energy:
        case CostLine::node_hours:
            return Role::efficiency;
        case CostLine::pending:
        case CostLine::rejections:
            return Role::admission;
        case CostLine::violating_requests:
        case CostLine::core_hours:
        case CostLine::gib_hours:
            break;
    }
    return Role::scaling;
}

/// The lines that a workload has, and those that a node has.
inline constexpr std::array kWorkLines = {
    CostLine::lost_requests,      CostLine::disruptions, CostLine::pending,  CostLine::rejections,
    CostLine::violating_requests, CostLine::core_hours,  CostLine::gib_hours};
inline constexpr std::array kNodeLines = {CostLine::energy, CostLine::node_hours};

struct LineSet {
    std::uint32_t bits = 0;

    constexpr bool has(CostLine line) const { return (bits >> static_cast<unsigned>(line)) & 1U; }
    constexpr LineSet with(CostLine line) const {
        return {bits | (1U << static_cast<unsigned>(line))};
    }
    constexpr bool empty() const { return bits == 0; }
    friend constexpr LineSet operator|(LineSet a, LineSet b) { return {a.bits | b.bits}; }
    friend bool operator==(const LineSet&, const LineSet&) = default;
};
BOOST_DESCRIBE_STRUCT(LineSet, (), (bits))

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
    /// Lines that nobody counted since the reading before: their counters stand still, which is
    /// not the same as nothing happening.
    LineSet uncounted;
    /// Counters of different histories cannot be compared: between them is a time that nobody
    /// counted. 0: the source counts by itself.
    std::int64_t history = 0;

    friend bool operator==(const WorkCounters&, const WorkCounters&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkCounters, (),
                      (offered, done, lost, violating, disruptions, pending_ms, rejections,
                       completions, reserved_core_ms, reserved_mib_ms, service_ms, uncounted,
                       history))

/// Counters of one node since it was first seen.
struct NodeCounters {
    std::int64_t energy_mj = 0;  ///< Millijoules.
    std::int64_t on_ms = 0;      ///< Milliseconds powered on.
    LineSet uncounted;           ///< As for a workload.
    std::int64_t history = 0;    ///< As for a workload.

    friend bool operator==(const NodeCounters&, const NodeCounters&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeCounters, (), (energy_mj, on_ms, uncounted, history))

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
