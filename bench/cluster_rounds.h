// Bench: a simulated cluster of a given size, observed round by round as in the pipeline.

#pragma once

#include "model/round.h"
#include "sim/world/world.h"

#include <cstdint>
#include <vector>

namespace parley::bench {

inline constexpr std::int32_t kPodsPerWorkload = 30;

/// `nodes` nodes with thirty pods each, one workload per node.
sim::World sized_world(std::int32_t nodes, std::uint64_t seed);

/// The inputs of `rounds` rounds, `interval` apart, without any action.
std::vector<model::RoundInput> observe(sim::World& world, std::size_t rounds, Duration interval);

/// Allows everything everywhere, so that every agent and rule has work.
model::Policy open_policy();

}  // namespace parley::bench
