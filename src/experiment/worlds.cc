#include "experiment/worlds.h"

#include "base/number.h"
#include "sim/scenario/builtin_scenarios.h"

#include <utility>

namespace parley::experiment {

Result<std::shared_ptr<const sim::Scenario>> world_of(const OwnScenarios& own,
                                                      std::string_view name, std::uint64_t seed) {
    if (const auto found = own.find(name); found != own.end()) return found->second;
    auto scenario = sim::builtin_scenario(name, seed);
    if (!scenario) {
        return fail(ErrorCode::denied, "no scenario is called " + in_quotes(name) +
                                           "; parley scenario list shows those there are");
    }
    return std::make_shared<const sim::Scenario>(*std::move(scenario));
}

}  // namespace parley::experiment
