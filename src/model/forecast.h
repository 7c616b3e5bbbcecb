// Model: what layer 2 believes: node risk with what rests on it, node and workload demand.

#pragma once

#include "base/table.h"
#include "model/action.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

/// Signals of a failing node. Predictors say which spoke, and which were missing.
enum class Signal : std::uint8_t {
    lease_slow,      ///< Lease 10 to 40 s old.
    lease_lost,      ///< Lease over 40 s old.
    not_ready,       ///< Ready=False or Unknown.
    pressure,        ///< A pressure condition.
    restarts,        ///< At least 3 restarts in 10 min over at least 2 pods.
    flaps,           ///< At least 2 Ready flaps in an hour.
    pods_unhealthy,  ///< `formula`: a pod on it is failed, pending, unknown or unready.
    pods_restarted,  ///< `formula`: a container on it ever restarted.
    cpu,
    memory,
};
BOOST_DESCRIBE_ENUM(Signal, lease_slow, lease_lost, not_ready, pressure, restarts, flaps,
                    pods_unhealthy, pods_restarted, cpu, memory)

struct SignalSet {
    std::uint32_t bits = 0;

    constexpr bool has(Signal s) const { return (bits >> static_cast<unsigned>(s)) & 1U; }
    constexpr void add(Signal s) { bits |= 1U << static_cast<unsigned>(s); }
    friend bool operator==(const SignalSet&, const SignalSet&) = default;
};
BOOST_DESCRIBE_STRUCT(SignalSet, (), (bits))

/// One way to answer a risk: act if p x loss x efficacy x timeliness > 1.1 x cost.
struct Remedy {
    ActionKind kind = ActionKind::noop;
    double efficacy = 0;
    double timeliness = 0;
    double cost = 0;   ///< Pod-minutes.
    double limit = 2;  ///< The risk from which it pays; above 1: never.
    friend bool operator==(const Remedy&, const Remedy&) = default;
};
BOOST_DESCRIBE_STRUCT(Remedy, (), (kind, efficacy, timeliness, cost, limit))

struct NodeForecast {
    Slot node = kNoSlot;
    std::optional<double> risk;        ///< Nothing: unknown, never zero.
    SignalSet spoke;                   ///< What pushed the risk up.
    SignalSet missing;                 ///< What could not be seen.
    double loss = 0;                   ///< Pod-minutes of service lost if it fails unwatched.
    std::array<Remedy, 3> remedies{};  ///< Throttle, replicate, migrate.
    double limit = 2;                  ///< Its own limit: the lowest of its remedies.
    std::optional<double> demand;      ///< Share of its capacity wanted; nothing: unknown.
    friend bool operator==(const NodeForecast&, const NodeForecast&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeForecast, (), (node, risk, spoke, missing, loss, remedies, limit, demand))

struct WorkloadForecast {
    Slot workload = kNoSlot;
    std::optional<double> demand_m;  ///< Millicores wanted; nothing: unknown.
    friend bool operator==(const WorkloadForecast&, const WorkloadForecast&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkloadForecast, (), (workload, demand_m))

struct Forecast {
    std::string model;  ///< `formula`, `evidence` or a trained model's id.
    Duration horizon;
    std::vector<NodeForecast> nodes;          ///< By slot.
    std::vector<WorkloadForecast> workloads;  ///< By slot.
    bool danger = false;
    std::string danger_because;  ///< A sentence; empty without danger.
    friend bool operator==(const Forecast&, const Forecast&) = default;
};
BOOST_DESCRIBE_STRUCT(Forecast, (), (model, horizon, nodes, workloads, danger, danger_because))

}  // namespace parley::model
