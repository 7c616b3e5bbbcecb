// Cluster seam: what one side reports since it was last asked. Typed and decoded, but not yet
// trusted.

#pragma once

#include "model/pod.h"
#include "model/snapshot.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace parley::cluster {

/// A node as the API shows it. Sums over pods and samples in the row are ignored: observation
/// keeps those itself.
struct NodeChange {
    model::NodeRow row;
};
struct NodeGone {
    model::Uid uid;
};

/// A workload as the API shows it; ready and pending counts, usage and samples are ignored.
struct WorkloadChange {
    model::WorkloadRow row;
};
struct WorkloadGone {
    model::Uid uid;
};

/// A pod as the API shows it; its slots are ignored, owner and node are named by uid.
struct PodChange {
    model::PodRow row;
    model::Uid workload;
    model::Uid node;        ///< Empty: the pod is not bound.
    std::string says = {};  ///< While it waits: what the scheduler or kubelet says of it, one line.
    std::shared_ptr<const model::PodShape> shape = {};  ///< Null: its containers are not known.
    /// Containers besides the first of which there is anything to tell; their slots and their usage
    /// are ignored, as is that of the first in the row.
    std::vector<model::ContainerRow> containers = {};
};
struct PodGone {
    model::Uid uid;
};

/// A container of the pod restarted.
struct PodRestarted {
    model::Uid pod;
    model::Uid node;
    TimePoint at;
    std::int32_t count = 1;
};

/// The API server says of this pod that it is taken away from its owner: an eviction, a
/// preemption, a node that is gone or full.
struct PodDisrupted {
    model::Uid pod;
};

using Change = std::variant<NodeChange, NodeGone, WorkloadChange, WorkloadGone, PodChange, PodGone,
                            PodRestarted, PodDisrupted>;

/// Where a group of pods may be placed, regardless of free room; the pods refer to it by
/// `PodRow::places`. Reported with the first such pod and whenever it changes.
struct PlacesChange {
    std::uint32_t id = 0;  ///< Counted from 1.
    bool known = true;     ///< False: not everything that keeps these pods off nodes could be read.
    std::vector<std::uint64_t> nodes;  ///< One bit for each node of `Batch::order`.
};

/// Raw figures of one node as a source gave them: possibly absent, impossible or old. No value: the
/// source does not report this figure.
struct NodeSample {
    model::Uid node;
    model::Source source = model::Source::metrics;
    TimePoint measured;
    std::optional<double> cpu_m;  ///< Millicores.
    std::optional<double> memory_bytes;
    std::optional<double> disk_share;
    std::optional<double> net_share;
    std::optional<double> power_w;
    std::optional<model::NodeCounters> counters;
};

struct WorkloadSample {
    model::Uid workload;
    model::Source source = model::Source::metrics;
    TimePoint measured;
    std::optional<model::Usage> cpu_m;
    std::optional<model::Usage> memory;
    std::optional<double> requests_per_s;
    std::optional<double> latency_p95_s;
    std::optional<double> startup_p95_s;
    std::optional<model::WorkCounters> counters;
    std::optional<double> failing_per_s = {};  ///< Requests that fail.
};

/// What one container took.
struct ContainerSample {
    Name name;
    std::int64_t cpu_m = 0;
    std::int64_t memory = 0;
};

/// What the containers of one pod took, over a window that ends at `measured`.
struct PodSample {
    model::Uid pod;
    model::Source source = model::Source::metrics;
    TimePoint measured;
    Duration window;  ///< 0: not told.
    std::vector<ContainerSample> containers;
};

/// How a source fared when it was last asked.
struct SourceReport {
    model::Source source = model::Source::api;
    bool off = false;     ///< Switched off by configuration.
    bool failed = false;  ///< It did not answer.
    std::string reason;
    std::optional<TimePoint> heard = {};  ///< When the API was last heard from; nothing: just now.
};

/// Everything new since the last batch, in the order in which it happened.
struct Batch {
    bool complete = false;  ///< The changes list everything there is: what is not named is gone.
    /// To be added to the times in all rows that were reported before: it has become known that
    /// round time is otherwise apart from the clocks of others than was thought.
    Duration moved = {};
    std::vector<Change> changes;
    std::vector<PlacesChange> places;  ///< The state after all `changes`.
    /// The nodes that the bits of `places` refer to, in this order.
    std::vector<model::Uid> order;
    std::vector<NodeSample> nodes;
    std::vector<WorkloadSample> workloads;
    std::vector<PodSample> pods;
    std::vector<SourceReport> sources;
    std::optional<model::Stimulus> stimulus;  ///< The current one, if an exerciser runs.
    std::optional<double> energy_price;       ///< Nothing: assumed from configuration.
};

}  // namespace parley::cluster
