// App: whether settings may put `live` into mode act. A file with every setting in it, as `config
// print` makes one for the simulated cluster, must not do so by itself.

#pragma once

#include "apps/terminal/settings.h"
#include "kube/provider/provider.h"

#include <vector>

namespace parley::app {

/// Mode act is asked for on the command line, and for namespaces that are named. Other modes are
/// always fine.
[[nodiscard]] Result<void> check_asked_for(const LoadedSettings& loaded);

/// The same, and this build can carry out on a real cluster what is allowed: what could never be
/// done is refused at start rather than at the first try.
[[nodiscard]] Result<void> check_acting(const LoadedSettings& loaded,
                                        const std::vector<kube::Provider>& providers);

}  // namespace parley::app
