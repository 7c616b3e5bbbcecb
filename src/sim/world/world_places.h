// Simulation, places: which nodes the pods of picky workloads may be on, as the API would let one
// work it out.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// As `PodRow::places`; 0: any node.
std::uint32_t places_of(const State& s, const PodState& pod);

/// Tells what has changed since it was told last, and all of it the first time.
void tell_places(State& s, cluster::Batch& out);

}  // namespace parley::sim
