// Simulation, replica controllers: create and delete pods until as many exist as are wanted; and
// what disruption budgets allow.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// Creates or deletes pods until there are as many as wanted; for a DaemonSet one for every node.
/// Terminating pods do not count, but a StatefulSet waits until they are gone.
void reconcile(State& s, Index w);

/// Whether `a` is deleted before `b`: not placed, not ready, lower deletion cost, more neighbours
/// of the same workload on its node, younger. The order of Kubernetes' ReplicaSet controller; a
/// StatefulSet deletes its highest number.
bool deleted_before(const State& s, Index a, Index b);

/// Pods that are shown ready and not terminating.
std::int32_t shown_ready(const State& s, Index w);
/// What the workload's budget allows now; without a budget, all its pods.
std::int32_t disruptions_allowed(const State& s, Index w);

/// Sets the wanted number and reconciles.
void set_wanted(State& s, Index w, std::int32_t wanted);
/// Deletes a workload with all its pods, without grace.
void delete_workload(State& s, Index w);

}  // namespace parley::sim
