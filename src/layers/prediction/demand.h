// Layer 2, prediction: usage in, future demand of nodes and workloads out.

#pragma once

#include "model/forecast.h"
#include "model/snapshot.h"
#include "model/utilisation.h"

#include <optional>
#include <vector>

namespace parley::prediction {

/// Sets a node's demand to the blend of `use`, and names CPU or memory as missing if the figure is
/// what pods requested instead of what they use. A node that is powered down has no demand.
void set_demand(const model::NodeRow& node, const model::Utilisation& use,
                model::NodeForecast& forecast);

/// Millicores that a workload will want: what it uses now (persistence). Pods without a sample
/// count as the mean of the others; nothing if no pod has a fresh one.
std::optional<double> workload_demand(const model::WorkloadRow& workload, TimePoint now,
                                      Duration age_max);

/// For every workload, by slot.
std::vector<model::WorkloadForecast> workload_demands(const model::Snapshot& snapshot,
                                                      TimePoint now, Duration age_max);

}  // namespace parley::prediction
