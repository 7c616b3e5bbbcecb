// Cluster seam: what a side reports since it was last asked. Typed, decoded, not yet trusted.

#pragma once

#include "model/pod.h"
#include "model/snapshot.h"

#include <cstdint>
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
    model::Uid node;        ///< None: not bound.
    std::string says = {};  ///< While it waits: what the scheduler or kubelet says of it, one line.
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

using Change = std::variant<NodeChange, NodeGone, WorkloadChange, WorkloadGone, PodChange, PodGone,
                            PodRestarted>;

/// Where pods may be, whatever room there is; the pods name it by `PodRow::places`. Told with the
/// first of them and whenever it changes.
struct PlacesChange {
    std::uint32_t id = 0;              ///< From 1.
    bool known = true;                 ///< False: what keeps them off nodes cannot all be read.
    std::vector<std::uint64_t> nodes;  ///< A bit for each of `Batch::order`.
};

/// Raw figures of one node, as a source gave them: possibly absent, impossible or old. Nothing: the
/// source does not report it.
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
};

/// How a source fared when it was last asked.
struct SourceReport {
    model::Source source = model::Source::api;
    bool off = false;     ///< By choice.
    bool failed = false;  ///< It did not answer.
    std::string reason;
    std::optional<TimePoint> heard = {};  ///< Of the API: when it last spoke. Nothing: just now.
};

/// Everything new since the last batch, in the order in which it happened.
struct Batch {
    bool complete = false;  ///< The changes list everything there is: what is not named is gone.
    std::vector<Change> changes;
    std::vector<PlacesChange> places;  ///< As of after the changes.
    std::vector<model::Uid> order;     ///< The nodes that the bits of `places` stand for.
    std::vector<NodeSample> nodes;
    std::vector<WorkloadSample> workloads;
    std::vector<SourceReport> sources;
    std::optional<model::Stimulus> stimulus;  ///< The current one, if an exerciser runs.
    std::optional<double> energy_price;       ///< Nothing: assumed from configuration.
};

}  // namespace parley::cluster
