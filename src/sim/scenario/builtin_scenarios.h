// Simulation, built-in scenarios: a name in, a scenario out.

#pragma once

#include "sim/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::sim {

struct BuiltinScenario {
    std::string name;
    std::string description;  ///< One line, with its size.
};

/// All of them, in the order in which to show them.
std::vector<BuiltinScenario> builtin_scenarios();

/// Nothing: there is none of that name. The seed matters only for `mixed`, whose parameters are
/// drawn from it.
std::optional<Scenario> builtin_scenario(std::string_view name, std::uint64_t seed = 0);

}  // namespace parley::sim
