// App: asks a cluster for everything that `parley check` reports.

#pragma once

#include "apps/live/preflight.h"
#include "kube/access/credentials.h"
#include "kube/provider/provider.h"
#include "model/policy.h"
#include "model/round.h"

#include <string>
#include <vector>

namespace parley::app {

struct CheckOptions {
    kube::Access access;
    kube::CredentialOptions credentials;
    std::string name;                 ///< Of the cluster, for people.
    std::vector<std::string> spaces;  ///< Only these namespaces; empty: all.
    std::string runs = "runs";        ///< Where runs would be recorded.
    model::Mode mode = model::Mode::observe;
    std::vector<model::OptIn> allow;        ///< In mode `act`: what the policy allows, where.
    std::vector<kube::Provider> providers;  ///< Commands for power and clocks.
    std::string home = "parley-system";     ///< In mode `act`: where lease and ledger are.
    Duration metrics_late = seconds(60);
};

/// Reads, and asks about its own permissions; changes nothing. Blocks until everything is answered.
Preflight check_cluster(const CheckOptions& options);

}  // namespace parley::app
