// Simulation, world: a scenario and a seed in, a cluster that lives on its own out. Requests change
// it, changes and samples are collected from it.
//
// Synchronous and a value: a copy is a fork, and two forks given the same actions stay equal. What
// actions cannot influence (arrivals, payloads, fault thresholds, interference) depends on the seed
// alone. One world is used by one thread.

#pragma once

#include "base/result.h"
#include "cluster/changes.h"
#include "model/cost.h"
#include "model/open_action.h"
#include "sim/scenario/scenario.h"
#include "sim/world/event_queue.h"
#include "sim/world/truth.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace parley::sim {

struct State;

class World {
public:
    /// `scenario` must be valid (validate). At time 0 everything is placed and ready.
    World(std::shared_ptr<const Scenario> scenario, std::uint64_t seed);
    World(const World& other);
    World& operator=(const World& other);
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    ~World();

    /// Starts at zero, in whole milliseconds.
    TimePoint now() const;
    /// Lets everything happen up to and including `until`; does nothing for a time in the past.
    void advance(TimePoint until);

    /// Applies one request if its target still is `only_if.uid` (none: any) at `only_if.version`
    /// (0: any). Errors: gone (no such object, or another uid), conflict (another version), blocked
    /// (a disruption budget says no), denied (the platform or the object does not allow it).
    Result<void> apply(const model::Request& request, const model::Precondition& only_if);
    /// The present state of the target. A request about a pod shows the mark of its node; admission
    /// and batch cap show that of the whole cluster.
    model::Live read(const model::Request& request) const;

    /// Replaces `out` by what is new since the last call; the first call gives everything. Every
    /// object occurs at most once, and only if something about it changed. Samples are the newest
    /// that the sources have delivered by now, each once; counters come with them, as of now.
    void collect(cluster::Batch& out);
    /// For forks that are only looked into: keeps no lists of changes from now on.
    void stop_reporting();

    /// Nothing: there is no such object. Counters never decrease, and are equal in equal forks.
    std::optional<model::WorkCounters> work_counters(const model::WorkloadId& workload) const;
    std::optional<model::NodeCounters> node_counters(const model::NodeId& node) const;

    /// The true state; not for anything that decides.
    const Truth& truth() const;
    /// How much happened so far, as counted by `Happened`. A sweep over all workloads counts once
    /// for each; direct consequences of an event (the pods of a node whose speed changed) do not
    /// count.
    std::uint64_t events() const;
    /// For benches: from now on, appends everything that happens to `out`, which must outlive this;
    /// nullptr ends it. Forks do not write.
    void write_down(std::vector<Happening>* out);

    /// For tests: equal if two worlds would continue in the same way.
    std::uint64_t fingerprint() const;

    const Scenario& scenario() const;
    std::uint64_t seed() const;

private:
    std::unique_ptr<State> state_;
};

}  // namespace parley::sim
