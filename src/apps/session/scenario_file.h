// App: a scenario by name or from a file, with the CSV series that it refers to.

#pragma once

#include "base/file.h"
#include "base/result.h"
#include "sim/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <string>

namespace parley::app {

/// `tour` is built in; a name with a `/` or the ending .yaml, .yml or .json is a file. Errors
/// suggest the nearest scenario, or give file, line and remedy.
[[nodiscard]] Result<std::shared_ptr<const sim::Scenario>> load_scenario(Disk& disk,
                                                                         const std::string& name,
                                                                         std::uint64_t seed);

/// Whether it names a file rather than a built-in scenario.
bool names_scenario_file(const std::string& name);

/// The scenario adapted to a profile: its exerciser's pods wait in the profile's own form, unless
/// the scenario names one.
[[nodiscard]] std::shared_ptr<const sim::Scenario> scenario_for(
    std::shared_ptr<const sim::Scenario> scenario, model::Profile profile);

/// The same without the names of CSV files, since it holds their points: a file with both is
/// refused.
[[nodiscard]] sim::Scenario without_files(sim::Scenario scenario);

}  // namespace parley::app
