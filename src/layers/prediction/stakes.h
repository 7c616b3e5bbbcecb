// Layer 2, prediction: pods and workloads in, the cost of each node's failure out.

#pragma once

#include "model/round.h"

#include <array>
#include <vector>

namespace parley::prediction {

/// What is at stake on one node, in pod-minutes of service.
struct Stakes {
    double loss = 0;                          ///< If it fails and nothing was done.
    std::array<model::Remedy, 3> remedies{};  ///< Throttle, replicate, migrate.
    double limit = 2;  ///< Its own limit: the lowest of its remedies; above 1: acting never pays.

    friend bool operator==(const Stakes&, const Stakes&) = default;
};

/// The stakes of every node, by slot; free slots have none. One pass over the pods; sums are
/// integers, so that the order of pods and nodes does not change a bit. A Ready pod that stays is
/// worth (detection + toleration + start-up) minutes x its share of the workload's service, 1 /
/// ready pods. A pod of a Job counts in full; a pod of a daemon set, which serves its node only,
/// not at all. A remedy averts the loss only of the pods it can touch, which lowers its efficacy;
/// one that can touch none never pays. `horizon` is that of the risk; copies are kept for as long.
std::vector<Stakes> stakes_of(const model::Snapshot& snapshot, const model::Policy& policy,
                              Duration horizon);

}  // namespace parley::prediction
