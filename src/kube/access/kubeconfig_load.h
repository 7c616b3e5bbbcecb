// Kube, kubeconfig: flags and variables in, the one Access that they select out.

#pragma once

#include "base/result.h"
#include "kube/access/in_cluster.h"
#include "kube/access/kubeconfig_choice.h"

#include <string>

namespace parley::kube {

struct AccessOptions {
    std::string kubeconfig;  ///< --kubeconfig: exactly this file, and no other.
    Overrides overrides;
    /// Whether a pod's own service account is preferred to $HOME/.kube/config, as usual for
    /// controllers. Not if a context, cluster or user is named, since only a file can have these.
    bool pod_first = true;
    std::string service_account = kServiceAccount;  ///< Where a pod finds it.
};

/// `--kubeconfig`, else the files of KUBECONFIG, else (pod_first) the service account of this pod,
/// else $HOME/.kube/config; `--server` needs none of them. In KUBECONFIG empty names and missing
/// files are skipped; a file that cannot be read or parsed is an error. Reads files, including the
/// CA; certificates, keys and tokens in files are left to Credentials. Errors are one sentence with
/// place and remedy, without secrets.
[[nodiscard]] Result<Access> load_access(const Environment& environment,
                                         const AccessOptions& options);

/// The variables of this process. If a name occurs twice, the first value counts.
Environment process_environment();

}  // namespace parley::kube
