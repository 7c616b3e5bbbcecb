// App: the providers that the settings name, checked, and whether one can do what is allowed.

#pragma once

#include "apps/terminal/settings.h"
#include "base/result.h"
#include "kube/provider/provider.h"
#include "model/action.h"

#include <string>
#include <vector>

namespace parley::app {

/// `denied` with the place in the settings where one cannot be used: it serves nobody, or its
/// command is no absolute path of a program that can be run.
[[nodiscard]] Result<std::vector<kube::Provider>> providers_of(const LoadedSettings& loaded);

/// Why actions of this kind can be carried out on no node: they need a provider, and none is named.
/// Empty: they do not, or one is.
std::string lacks_provider(model::ActionKind kind, const std::vector<kube::Provider>& providers);

}  // namespace parley::app
