// Simulation, pods resized in place: what their container asks for, and how it is answered.

#pragma once

#include "base/result.h"
#include "model/request.h"
#include "sim/world/world_state.h"

namespace parley::sim {

/// All of it or nothing, as a real cluster does. It is denied if a pod may never be given it:
/// another container, a limit where none is, a limit below its request, another QoS class, less
/// memory than it holds; or if its node has no room for it. Requests count at once, a CPU limit is
/// in force after some seconds.
Result<void> resize_pod(State& s, Index p, const std::vector<model::ContainerResize>& wanted);

/// Whether the pod asks for that already.
bool has_size(const PodState& pod, const std::vector<model::ContainerResize>& wanted);

}  // namespace parley::sim
