#include "apps/live/providers.h"

#include "base/number.h"
#include "kube/access/child.h"

#include <algorithm>
#include <utility>

namespace parley::app {
namespace {

/// "act.yaml:4: " of the setting, if it is known.
std::string place_of(const LoadedSettings& loaded, const std::string& path) {
    const auto found = loaded.origins.find(path);
    return found == loaded.origins.end() ? "" : found->second.text() + ": ";
}

}  // namespace

Result<std::vector<kube::Provider>> providers_of(const LoadedSettings& loaded) {
    std::vector<kube::Provider> out;
    for (const ProviderSettings& each : loaded.settings.providers) {
        const std::string at = "providers[" + std::to_string(out.size()) + "]";
        kube::Provider provider{each.nodes, each.power, each.clock};
        if (const auto fine = kube::check_provider(provider); !fine) {
            return fail(ErrorCode::denied, place_of(loaded, "providers") + at + ": " +
                                               fine.error().message + "; see docs/providers.md");
        }
        for (const auto& [name, command] :
             {std::pair{".power", &provider.power}, std::pair{".clock", &provider.clock}}) {
            if (command->empty() || kube::can_run(command->front())) continue;
            return fail(ErrorCode::denied, place_of(loaded, at + name) + at + name + ": " +
                                               in_quotes(command->front()) +
                                               " is no program that can be run");
        }
        out.push_back(std::move(provider));
    }
    return out;
}

std::string lacks_provider(model::ActionKind kind, const std::vector<kube::Provider>& providers) {
    const bool power = kind == model::ActionKind::power_state;
    if (!power && kind != model::ActionKind::dvfs) return {};
    const bool any = std::ranges::any_of(providers, [&](const kube::Provider& each) {
        return !(power ? each.power : each.clock).empty();
    });
    if (any) return {};
    return std::string("no provider is named that can ") + (power ? "switch power" : "set clocks") +
           "; see docs/providers.md";
}

}  // namespace parley::app
