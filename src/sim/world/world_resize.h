// Simulation, pods resized in place: what their container asks for, and how it is answered.

#pragma once

#include "base/result.h"
#include "model/action.h"
#include "sim/world/world_state.h"

namespace parley::sim {

/// As a real cluster answers: all of it or nothing. Denied is what a pod may never be given:
/// another container, a limit where none is, a limit below its request, another QoS class, less
/// memory than it holds; and what its node has no room for. Requests count at once, a CPU limit is
/// in force after some seconds.
Result<void> resize_pod(State& s, Index p, const std::vector<model::ContainerResize>& wanted);

/// Whether it asks for that already.
bool has_size(const PodState& pod, const std::vector<model::ContainerResize>& wanted);

}  // namespace parley::sim
