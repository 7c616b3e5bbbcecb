// Learn: where rows of demand come from: recorded runs, or runs made for the purpose.

#pragma once

#include "learn/rounds/demand_record.h"
#include "learn/rounds/training_runs.h"

#include <string>
#include <vector>

namespace parley::learn {

/// Rows of recorded runs. Fails as read_runs does, or if one was served by a model with features of
/// another version than are made here: what was decided then is not what would be decided now.
[[nodiscard]] Result<DemandData> demand_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                                const DemandRules& rules, const Done& done);

/// Rows of simulated runs.
[[nodiscard]] Result<DemandData> demand_of_simulation(const SimulatedRuns& runs,
                                                      const DemandRules& rules, const Done& done);

}  // namespace parley::learn
