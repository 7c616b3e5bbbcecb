// Cluster seam: futures to compare with. In the simulator a fork of the world.

#pragma once

#include "model/action.h"
#include "model/score.h"

#include <vector>

namespace parley::cluster {

/// Twins of accepted actions. Synchronous: a twin is computed, not asked over a network.
class Twins {
public:
    virtual ~Twins() = default;

    /// From now on, follow what would have come of doing nothing, of the action itself, and of the
    /// best loser (its plan; empty: there is none) on these leaves.
    virtual void fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
                      const std::vector<model::PlannedStep>& loser) = 0;

    /// Stops following an action.
    virtual void drop(model::DecisionId action) = 0;

    /// Where every twin stands at `now`. Counters go on from those of the cluster they were forked
    /// from. For the leaf WholeCluster, the queue, every Job there is by then is listed.
    virtual std::vector<model::TwinSample> sample(TimePoint now) = 0;
};

}  // namespace parley::cluster
