// Simulation, reports of a world: what changed since the last report, as rows that the API would
// show.

#pragma once

#include "cluster/changes.h"
#include "sim/world/world_state.h"

namespace parley::sim {

/// Replaces `out` by what is new; the first time by everything.
void collect_changes(State& s, cluster::Batch& out);

model::NodeRow row_of_node(const State& s, Index n);
model::WorkloadRow row_of_work(const State& s, Index w);
cluster::PodChange row_of_pod(const State& s, Index p);

}  // namespace parley::sim
