// Simulation, twins: forks of the world that continue without an action, with it, or with what the
// best loser wanted.

#pragma once

#include "cluster/twin.h"
#include "sim/world/world.h"

#include <cstddef>
#include <vector>

namespace parley::sim {

struct TwinLimits {
    std::size_t actions_max = 8;  ///< Followed at once; beyond that, new actions have no twin.
};

/// Borrows the live world, which must outlive it; forks it when an action begins, before its first
/// request. Used by one thread.
class Twins final : public cluster::Twins {
public:
    explicit Twins(const World& live, TwinLimits limits = {});

    void fork(const model::OpenAction& action, const std::vector<model::Target>& leaves,
              const std::vector<model::PlannedStep>& loser, const model::Snapshot& seen) override;
    void drop(model::DecisionId action) override;
    std::vector<model::TwinSample> sample(TimePoint now, const model::Snapshot& seen) override;

private:
    /// One future: a world, and what is still to be done in it.
    struct Future {
        model::Branch branch;
        World world;
        std::vector<model::PlannedStep> plan;
        std::size_t at = 0;
        bool awaiting = false;
    };
    struct Followed {
        model::DecisionId action;
        std::vector<model::Target> leaves;
        std::vector<Future> futures;
    };

    static void carry_on(Future& future);
    static void add_jobs(const World& world, std::vector<model::LeafCounters>& leaves);
    static model::TwinSample look(const Followed& followed, const Future& future);

    const World& live_;
    TwinLimits limits_;
    std::vector<Followed> followed_;
};

/// The counters of a workload or node in a world; empty for any other leaf.
model::LeafCounters counters_of(const World& world, const model::Target& leaf);

}  // namespace parley::sim
