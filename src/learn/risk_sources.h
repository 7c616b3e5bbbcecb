// Learn: where rows of node risk come from: recorded runs, or runs made for the purpose.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "brain/model.h"
#include "learn/risk_rows.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace parley::learn {

/// How many of the runs are done, in parts of one.
using Done = std::function<void(double runs)>;

/// Seeds below this are for training; tuning and tests have others, and manifests name the range.
inline constexpr std::uint64_t kTrainingSeedsEnd = 100'000;

/// Rows of recorded runs, one group each. Fails if one cannot be read whole, keeps no inputs, or is
/// damaged: rows that are missing would look like survivors.
[[nodiscard]] Result<RiskData> rows_of_runs(Disk& disk, const std::vector<std::string>& folders,
                                            const RiskRules& rules, const Done& done);

struct SimulatedRuns {
    std::string scenario = "mixed";
    std::uint64_t first_seed = 1;
    std::uint64_t last_seed = 60;
    Duration length = hours(24);
    Duration interval = seconds(15);
    std::shared_ptr<const brain::Model> acting;  ///< Null: nobody acts.
    double holdout = 0;                          ///< Of the one that acts.
};

/// Rows of simulated runs, one group per seed. In those in which nobody acts nothing hides what was
/// to be predicted; where a model does, its rows say what was acted on and what withheld. Refuses
/// seeds that are not for training, and scripted scenarios.
[[nodiscard]] Result<RiskData> rows_of_simulation(const SimulatedRuns& runs, const RiskRules& rules,
                                                  const Done& done);

}  // namespace parley::learn
