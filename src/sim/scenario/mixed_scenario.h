// Simulation, scenario `mixed`: a seed in, a cluster with all parameters drawn from it out.

#pragma once

#include "sim/scenario/scenario.h"

#include <cstdint>

namespace parley::sim {

/// 12 to 36 nodes, 3 to 9 services, Jobs, and faults of all kinds, harmless ones included. For
/// training and comparing, so that results do not depend on one set of numbers.
Scenario mixed_scenario(std::uint64_t seed);

}  // namespace parley::sim
