// Simulation, scripted faults: begins the faults in the scenario's script.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// The node that entry `i` concerns; drawn among workers by the seed if it names none.
Index scripted_node(const State& s, Index i);
/// When entry `i` happens; the jitter is drawn by the seed.
Ms scripted_at(const State& s, Index i);
/// Sets, for each node, when the script will take it down next.
void announce_script(State& s);
/// Entry `i` of the script happens.
void script_event(State& s, Index i);

}  // namespace parley::sim
