// Learn: rows of node risk from recorded runs, or from runs simulated for the purpose.

#pragma once

#include "learn/rounds/risk_rows.h"
#include "learn/rounds/training_runs.h"

#include <string>
#include <vector>

namespace parley::learn {

/// Rows of recorded runs; fails as read_runs does.
[[nodiscard]] Result<RiskData> rows_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                            const RiskRules& rules, const Done& done);

/// Rows of simulated runs. If nobody acts, nothing hides what was to be predicted; if a model acts,
/// rows say what was acted on and what was withheld.
[[nodiscard]] Result<RiskData> rows_of_simulation(const SimulatedRuns& runs, const RiskRules& rules,
                                                  const Done& done);

}  // namespace parley::learn
