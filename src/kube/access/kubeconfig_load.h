// Kube, kubeconfig: flags and variables in, the one Access that they mean out.

#pragma once

#include "base/result.h"
#include "kube/access/in_cluster.h"
#include "kube/access/kubeconfig_choice.h"

#include <string>

namespace parley::kube {

struct AccessOptions {
    std::string kubeconfig;  ///< --kubeconfig: exactly this file, and no other.
    Overrides overrides;
    /// Whether a pod's own service account comes before $HOME/.kube/config, as users of controllers
    /// expect. Not when a context, cluster or user is named, which only a file can have.
    bool pod_first = true;
    std::string service_account = kServiceAccount;  ///< Where a pod finds it.
};

/// `--kubeconfig`, else the files of KUBECONFIG, else (pod_first) the service account of this pod,
/// else $HOME/.kube/config; `--server` needs none of them. In KUBECONFIG empty names and missing
/// files are skipped; one that cannot be read or understood is an error. Reads files, the CA among
/// them; certificates, keys and tokens in files are left to Credentials. Errors are one sentence
/// with place and remedy, and hold no secret.
[[nodiscard]] Result<Access> load_access(const Environment& environment,
                                         const AccessOptions& options);

/// The variables of this process. A name that comes twice keeps its first value.
Environment process_environment();

}  // namespace parley::kube
