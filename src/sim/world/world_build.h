// Simulation, building a world: a scenario and a seed in, the state at time 0 out, with everything
// placed and ready.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

State build_state(std::shared_ptr<const Scenario> scenario, std::uint64_t seed);

/// Adds a workload without pods, in the place of one that is gone if there is any.
Index add_workload(State& s, const WorkloadSpec& spec);

/// Of the speed of a node.
double noise_at_start(std::uint64_t seed, std::uint64_t node);
/// How long a pod has been ready that runs from the start.
Ms age_at_start(std::uint64_t seed, std::uint64_t serial);

}  // namespace parley::sim
