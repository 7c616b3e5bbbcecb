// Simulation, scripted faults: an entry of the scenario's script in, the fault begun out.

#pragma once

#include "sim/world_state.h"

namespace parley::sim {

/// The node that entry `i` is about; drawn by the seed among workers if it names none.
Index scripted_node(const State& s, Index i);
/// Entry `i` of the script happens.
void script_event(State& s, Index i);

}  // namespace parley::sim
