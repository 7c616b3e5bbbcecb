// Cluster seam: futures to compare with. In the simulator a fork of the world, on a real cluster a
// model that starts from the snapshot.

#pragma once

#include "model/open_action.h"
#include "model/score.h"
#include "model/snapshot.h"

#include <vector>

namespace parley::cluster {

/// Twins of accepted actions. Synchronous: a twin is computed, not asked over a network.
class Twins {
public:
    virtual ~Twins() = default;

    /// Starts to follow, on these leaves, what would happen without any action, with the action
    /// itself, and with the plan of the best loser (empty: there is no loser). `seen` is what the
    /// decision rests on.
    virtual void fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
                      const std::vector<model::PlannedStep>& loser,
                      const model::Snapshot& seen) = 0;

    /// Stops following an action.
    virtual void drop(model::DecisionId action) = 0;

    /// The state of every twin at `now`. Counters continue from those of the cluster they were
    /// forked from, or from nothing. The leaf WholeCluster, which is the queue, lists every Job
    /// that exists by then. `seen` is what the cluster shows at that time: what happens to it
    /// whatever we do, happens to a model, too.
    virtual std::vector<model::TwinSample> sample(TimePoint now, const model::Snapshot& seen) = 0;
};

}  // namespace parley::cluster
