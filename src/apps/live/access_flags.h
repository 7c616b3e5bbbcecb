// App: the flags that select a cluster, named as in kubectl, for all commands that need one.

#pragma once

#include "apps/terminal/command.h"
#include "base/result.h"
#include "kube/access/credentials.h"
#include "kube/access/kubeconfig_load.h"

#include <string>
#include <vector>

namespace parley::app {

struct AccessFlags {
    kube::AccessOptions access;
    std::string token;
    std::vector<std::string> allow_exec;
};
void add_access_flags(Command& command, AccessFlags& into);

/// -n, which may be repeated; each is checked to be a name.
void add_space_flag(Command& command, std::vector<std::string>& into);

/// The selected cluster, and how to log in there.
struct ChosenCluster {
    kube::Access access;
    kube::CredentialOptions credentials;
    std::string name;  ///< The context, or the address if there is none.
};
[[nodiscard]] Result<ChosenCluster> cluster_of(const AccessFlags& flags);

}  // namespace parley::app
