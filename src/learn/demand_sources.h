// Learn: where rows of demand come from: recorded runs, or runs made for the purpose.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "learn/demand_record.h"
#include "learn/risk_sources.h"

#include <string>
#include <vector>

namespace parley::learn {

/// Rows of recorded runs, one group each. Fails if one cannot be read whole, keeps no inputs, is
/// damaged, or was served by a model with features of another version than are made here: what was
/// decided then is not what would be decided now.
[[nodiscard]] Result<DemandData> demand_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                                const DemandRules& rules, const Done& done);

/// Rows of simulated runs in which nobody acts; one group per seed. Refuses seeds that are not for
/// training, and scripted scenarios.
[[nodiscard]] Result<DemandData> demand_of_simulation(const SimulatedRuns& runs,
                                                      const DemandRules& rules, const Done& done);

}  // namespace parley::learn
