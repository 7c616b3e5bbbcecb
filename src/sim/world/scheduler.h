// Simulation, scheduler: places waiting pods, or says why they cannot be placed.

#pragma once

#include "sim/world/world_state.h"

#include <array>

namespace parley::sim {

inline constexpr Ms kScheduleNew = 100;     ///< From a new pod to its placing.
inline constexpr Ms kScheduleRetry = 1000;  ///< From a change that may help to the next attempt.

/// This many feasible nodes are compared, from a starting place that advances, as Kubernetes does
/// in large clusters.
inline constexpr Index kEnough = 100;

/// `part` / `whole` as integers, for 0 <= part < 2^53, whole > 0. Uses a division of doubles, which
/// is several times as fast and exact: the quotient is rounded up to a whole number only if it is
/// one.
inline std::int64_t quotient(std::int64_t part, std::int64_t whole) {
    return static_cast<std::int64_t>(static_cast<double>(part) / static_cast<double>(whole));
}

/// By how much pods of the same workload, on a node and in its zone, lower the node's score.
inline std::int64_t crowding(std::int64_t here, std::int64_t in_zone) {
    return 400 * here + 200 * in_zone;
}
/// The most that free room can add to a score; in thousandths.
inline constexpr std::int64_t kRoomMax = 1000;

/// Plans a pass, unless one is due sooner.
void request_schedule(State& s, Ms delay);

/// Tries to place all waiting pods, by priority, then age.
void schedule_pass(State& s);

/// Where the pod goes now; kNone: nowhere.
Index choose_node(State& s, Index p);

/// Nodes that turn a pod away, by cause.
struct Obstacles {
    model::CauseSet causes;
    std::array<std::int32_t, 32> nodes{};  ///< By cause.
};
Obstacles obstacles(const State& s, Index p);

/// Whether the workload asks for nodes like this one, whatever is on them.
bool selects(const WorkState& work, const NodeState& node);

/// Whether one more pod in this zone would violate the workload's spread, after one of its pods has
/// left the zone `leaving` (kNone: none leaves).
bool skewed(const WorkState& work, Index zone, Index leaving = kNone);

/// Why this node does not accept the pod; empty: it does.
model::CauseSet turned_away(const State& s, const PodState& pod, const NodeState& node);

}  // namespace parley::sim
