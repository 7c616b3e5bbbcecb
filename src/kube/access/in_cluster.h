// Kube, in a pod: variables and the mounted service account in, an Access out.

#pragma once

#include "base/result.h"
#include "kube/access/access.h"

#include <string>

namespace parley::kube {

inline constexpr const char* kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Whether this looks like a pod: KUBERNETES_SERVICE_HOST and _PORT are set, and the mount has a
/// token.
bool in_pod(const Environment& environment, const std::string& mount = kServiceAccount);

/// The API server that the variables name, the CA of the mount, its token as a file that is read
/// again, and its namespace ("default" if that file is missing). Reads files.
[[nodiscard]] Result<Access> pod_access(const Environment& environment,
                                        const std::string& mount = kServiceAccount);

}  // namespace parley::kube
