// Simulation, places: the nodes that pods of restricted workloads may be on, as they could be
// derived from the API.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// The value of `PodRow::places`; 0: any node.
std::uint32_t places_of(const State& s, const PodState& pod);

/// Reports what has changed since the last call; everything the first time.
void tell_places(State& s, cluster::Batch& out);

}  // namespace parley::sim
