// Simulation, building a world: a scenario and a seed in, the state at time 0 out, with everything
// placed and ready.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

State build_state(std::shared_ptr<const Scenario> scenario, std::uint64_t seed);

/// Adds a workload without pods; reuses the slot of one that is gone.
Index add_workload(State& s, const WorkloadSpec& spec);

/// The initial noise on the speed of a node.
double noise_at_start(std::uint64_t seed, std::uint64_t node);
/// How long a pod that exists at the start has been ready.
Ms age_at_start(std::uint64_t seed, std::uint64_t serial);

}  // namespace parley::sim
