// Layer 1, observation: asks the cluster's reading side once a round.

#pragma once

#include "cluster/watcher.h"
#include "layers/observation/snapshot_builder.h"

#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace parley::observation {

/// Turns what a Watcher reports into the snapshot of each round. A cluster that does not answer is
/// not an error: the snapshot says so and ages. The watcher is borrowed and must outlive it.
class Observer {
public:
    Observer(cluster::Watcher& watcher, ObservationLimits limits);
    /// Continues from the last snapshot of an earlier process.
    Observer(cluster::Watcher& watcher, ObservationLimits limits, model::Snapshot from);

    boost::asio::awaitable<model::Snapshot> observe(std::uint64_t round, TimePoint now);

private:
    cluster::Watcher& watcher_;
    SnapshotBuilder builder_;
};

}  // namespace parley::observation
