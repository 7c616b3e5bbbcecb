// Simulation, scheduler: pods that wait in, places for them out, or the reasons why there is none.

#pragma once

#include "sim/world/world_state.h"

#include <array>

namespace parley::sim {

inline constexpr Ms kScheduleNew = 100;     ///< From a new pod to its placing.
inline constexpr Ms kScheduleRetry = 1000;  ///< From a change that may help to trying again.

/// `part` / `whole` for 0 <= part < 2^53, whole > 0: the same by a division of doubles, which is
/// several times as fast. Their quotient rounds up to a whole number only if it is one.
inline std::int64_t quotient(std::int64_t part, std::int64_t whole) {
    return static_cast<std::int64_t>(static_cast<double>(part) / static_cast<double>(whole));
}

/// What pods of its own workload, on a node and in its zone, take from a node's score.
inline std::int64_t crowding(std::int64_t here, std::int64_t in_zone) {
    return 400 * here + 200 * in_zone;
}
/// The most that room can add to it: shares of a thousand, as a node has more than 1 MB.
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

/// Whether one pod more in this zone is one too many for the workload, once one of its pods has
/// left the zone `leaving`; kNone: none leaves.
bool skewed(const WorkState& work, Index zone, Index leaving = kNone);

/// Why this node does not take the pod; empty: it does.
model::CauseSet turned_away(const State& s, const PodState& pod, const NodeState& node);

}  // namespace parley::sim
