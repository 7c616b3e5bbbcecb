// Simulation, load in a world: what every workload gets done and every node uses, from rates, pods
// and nodes.
//
// A workload is settled ahead, to the end of the step, whenever something about it changes; between
// changes everything grows evenly. So figures can be read at any moment without side effects.

#pragma once

#include "model/cost.h"
#include "sim/world/world_state.h"

namespace parley::sim {

/// New rates for all workloads, new use for all nodes; plans the next step.
void step_load(State& s);
/// New speeds for all nodes; pods of Jobs continue at the new pace; pods over their memory are
/// killed.
void step_noise(State& s);
/// Settles touched workloads; call it before time advances.
void settle_touched(State& s);

/// Requests in flight on pods that die now are lost.
void lose_in_flight(State& s, Index w, std::int32_t pods);
/// A node's clock, gray failure or noise changed.
void speed_changed(State& s, Index n);
/// Updates a node's totals to now; call it before its power state or use changes.
void account_node(State& s, Index n);
/// Works out a node's use and power from what runs on it.
void use_node(State& s, Index n);

model::WorkCounters counters_of(const State& s, Index w);
model::NodeCounters counters_of_node(const State& s, Index n);

/// Memory that a pod holds now.
double memory_of(const State& s, Index p);

}  // namespace parley::sim
