// Execution: Jobs that an order of ours held back and that nothing holds back any more.

#pragma once

#include "model/memory.h"
#include "model/open_action.h"
#include "model/round.h"

#include <vector>

namespace parley::execution {

/// Begins to give back Jobs that carry the mark of an order which has expired or stands no more,
/// oldest first and a few at a time: all at once would be the rush that they were held back from.
/// Giving back needs nobody's consent. A simulated cluster frees Jobs by itself and marks none, so
/// it is not searched: trials would pay for that in every round.
void free_held(const model::RoundInput& input, model::Memory& memory,
               std::vector<model::Step>& steps);

}  // namespace parley::execution
