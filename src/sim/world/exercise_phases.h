// Simulation: the exerciser that puts the phases of exercise/phases.h into a world.

#pragma once

#include <cstdint>

namespace parley::sim {

struct State;

/// A burst of Jobs, shown as a stimulus if it has a name.
void burst_event(State& s, std::uint32_t work, std::uint32_t burst);

/// Goes on to the next phase and plans the one after.
void exercise_event(State& s);

}  // namespace parley::sim
