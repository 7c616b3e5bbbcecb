// Learn: rows of demand from recorded runs, or from runs simulated for the purpose.

#pragma once

#include "learn/rounds/demand_record.h"
#include "learn/rounds/training_runs.h"

#include <string>
#include <vector>

namespace parley::learn {

/// Rows of recorded runs. Fails as read_runs does, or if a run was served by a model with another
/// version of features: its decisions are not what would be decided now.
[[nodiscard]] Result<DemandData> demand_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                                const DemandRules& rules, const Done& done);

/// Rows of simulated runs.
[[nodiscard]] Result<DemandData> demand_of_simulation(const SimulatedRuns& runs,
                                                      const DemandRules& rules, const Done& done);

}  // namespace parley::learn
