// Simulation, scripted faults: an entry of the scenario's script in, the fault begun out.

#pragma once

#include "sim/world/world_state.h"

namespace parley::sim {

/// The node that entry `i` is about; drawn by the seed among workers if it names none.
Index scripted_node(const State& s, Index i);
/// When entry `i` happens; a part of it is drawn by the seed.
Ms scripted_at(const State& s, Index i);
/// Tells nodes when the script will take them down next, from now on.
void announce_script(State& s);
/// Entry `i` of the script happens.
void script_event(State& s, Index i);

}  // namespace parley::sim
