// Simulation, life of a node: it fails, is noticed, loses its pods, comes back, sleeps and wakes.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

inline constexpr Ms kLeasePeriod = 10'000;
/// Silence after which it counts as unreachable; noticed up to 10 s later.
inline constexpr Ms kUnreadyAfter = 40'000;
inline constexpr Ms kToleration = 300'000;    ///< From Unknown to the eviction of its pods.
inline constexpr Ms kRemovedAfter = 600'000;  ///< A node that never comes back is removed then.

/// When the lease was renewed last.
Ms lease_of(const NodeState& node, Ms now);
/// Renewals become irregular; from now on each is planned by itself.
void lease_late(State& s, Index n);
/// Renewals are on time again.
void lease_regular(State& s, Index n);
void lease_event(State& s, Index n);

/// Nothing on it runs any more. It comes back after `repair`; 0: it is removed for good.
void fail_node(State& s, Index n, FaultCause cause, Ms repair);
/// Its pods keep running, but neither they nor the node can be reached for a while.
void cut_off_node(State& s, Index n);
void reconnect_node(State& s, Index n);

void node_unready(State& s, Index n);  ///< The node controller notices.
void node_evict(State& s, Index n);    ///< Its pods are evicted.
void node_back(State& s, Index n);     ///< Repaired or booted; or removed.

/// Puts it to sleep or switches it off (only if all its pods are of DaemonSets), or begins to boot
/// it.
void set_power(State& s, Index n, model::PowerWish wish);
/// Pods on it that are not of a DaemonSet.
std::int32_t own_pods(const State& s, Index n);

/// Sets what the API shows of its readiness.
void show_node(State& s, Index n, model::Readiness ready);
void set_pressure(State& s, Index n, bool memory, bool disk);

}  // namespace parley::sim
