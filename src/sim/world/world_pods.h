// Simulation, pods: they are created, placed, started, killed, stopped and removed only here, so
// that every sum over pods stays right.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

inline constexpr Ms kSucceededKept = 60'000;  ///< A pod of a Job is shown this long after its end.

/// Of the one container that every simulated pod has.
inline Name container_name() {
    static const Name name = Name::of("main");
    return name;
}

/// A new pod of a workload, waiting for a node (or gated). `run`: of a Job, else kNone.
Index create_pod(State& s, Index w, Index run = kNone, bool gated = false);
/// Opens the gate of a gated pod.
void ungate_pod(State& s, Index p);
/// Puts a waiting pod on a node and begins to start it. `ready_now`: as if it had long been
/// running.
void bind_pod(State& s, Index p, Index n, bool ready_now = false);
/// Sets why a pod waits, and counts the time that pods wait for a shortage or our gate.
void set_causes(State& s, Index p, model::CauseSet causes);

/// The event that ends the pod's present stage: ready, started again, or gone.
void pod_event(State& s, Index p);
/// An in-place resize takes effect.
void pod_resized(State& s, Index p);

/// Its container dies, for want of memory or by itself, and is started again after a pause.
void kill_container(State& s, Index p, model::Ending how = model::Ending::error);
/// Its node has booted: what ran on it starts anew, what was to stop is gone. `counted`: as a
/// restart and a disruption.
void restart_pod(State& s, Index p, bool counted);
/// Stops it in order. On a node that does not answer this never ends.
void terminate_pod(State& s, Index p, bool disruption);
/// A pod of a Job is done: it frees its place and is still shown for a while.
void succeed_pod(State& s, Index p);
/// Takes the pod away at once.
void remove_pod(State& s, Index p);

/// Whether clients and the API reach the pod; called when its node fails, flaps or comes back.
void set_reachable(State& s, Index p, bool reachable);
/// Sets what the node controller shows of its readiness.
void show_ready(State& s, Index p, bool ready);

/// Whether it serves at this moment, whatever the API shows.
bool serves(const PodState& pod);
/// Updates the integer sums of a workload to now; call it before changing what they sum.
void account(State& s, Index w);

/// By uid; kNone: there is none.
Index find_pod(const State& s, const model::Uid& uid);

}  // namespace parley::sim
