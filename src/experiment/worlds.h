// Experiment, worlds: scenarios of runs by name: built-in ones and those of a user.

#pragma once

#include "base/result.h"
#include "sim/scenario/scenario.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace parley::experiment {

/// Scenarios from files, by name. Their parameters are fixed; arrivals and faults are drawn by the
/// seed of a run.
using OwnScenarios = std::map<std::string, std::shared_ptr<const sim::Scenario>, std::less<>>;

/// The user's scenario of that name, else the built-in one for this seed. Denied if there is
/// neither.
[[nodiscard]] Result<std::shared_ptr<const sim::Scenario>> world_of(const OwnScenarios& own,
                                                                    std::string_view name,
                                                                    std::uint64_t seed);

}  // namespace parley::experiment
