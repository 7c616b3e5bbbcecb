// Simulation, requests to a world: applies a request if its precondition holds, or returns an
// error; and what a live read shows.

#pragma once

#include "base/result.h"
#include "model/open_action.h"
#include "sim/world/world_state.h"

namespace parley::sim {

Result<void> apply_request(State& s, const model::Request& request,
                           const model::Precondition& only_if);
model::Live read_request(const State& s, const model::Request& request);

/// By name; kNone: there is none.
Index find_node(const State& s, const model::NodeId& id);
Index find_work(const State& s, const model::WorkloadId& id);

}  // namespace parley::sim
