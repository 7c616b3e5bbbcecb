// Simulation, truth: the true state. Recorded separately, and never seen by layers 1 to 4.

#pragma once

#include "base/describe.h"
#include "base/time.h"
#include "model/ids.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace parley::sim {

enum class FaultCause : std::uint8_t { none, sudden, degrading, load, rack, scripted };
BOOST_DESCRIBE_ENUM(FaultCause, none, sudden, degrading, load, rack, scripted)

struct NodeTruth {
    model::NodeId id;
    bool down = false;                       ///< Failed, and not yet back.
    bool harmless = false;                   ///< It shows signs that mean nothing.
    FaultCause cause = FaultCause::none;     ///< Of the failure, or of the signs that lead to one.
    double severity = 0.0;                   ///< Of the signs, 0 to 1.
    double hazard_per_hour = 0.0;            ///< Rate of failing now, announced failures included.
    double speed = 1.0;                      ///< Of its cores: clock and gray failures.
    std::optional<TimePoint> would_fail_at;  ///< If nothing is done and the load stays.
};
BOOST_DESCRIBE_STRUCT(NodeTruth, (),
                      (id, down, harmless, cause, severity, hazard_per_hour, speed, would_fail_at))

struct WorkloadTruth {
    model::WorkloadId id;
    std::int32_t serving = 0;    ///< Pods that really serve.
    double offered_per_s = 0.0;  ///< New requests in this step, without retries.
    double done_per_s = 0.0;
    double lost_per_s = 0.0;
    double queued = 0.0;
    double utilisation = 0.0;  ///< Of its pods' bottleneck.
    double latency_mean_s = 0.0;
    double latency_p95_s = 0.0;
    double latency_p99_s = 0.0;
};
BOOST_DESCRIBE_STRUCT(WorkloadTruth, (),
                      (id, serving, offered_per_s, done_per_s, lost_per_s, queued, utilisation,
                       latency_mean_s, latency_p95_s, latency_p99_s))

struct NodeFailure {
    model::NodeId node;
    TimePoint at;
    FaultCause cause = FaultCause::none;
    friend bool operator==(const NodeFailure&, const NodeFailure&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeFailure, (), (node, at, cause))

struct Truth {
    std::vector<NodeTruth> nodes;          ///< As of the last step of the world.
    std::vector<WorkloadTruth> workloads;  ///< As of the last step of the world.
    std::vector<NodeFailure> failures;     ///< All so far, in order of time.
};
BOOST_DESCRIBE_STRUCT(Truth, (), (nodes, workloads, failures))

}  // namespace parley::sim
