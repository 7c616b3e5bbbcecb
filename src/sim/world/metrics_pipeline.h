// Simulation, metric pipelines: true figures in; out, samples as a source delivers them: late,
// lost, noisy or impossible.

#pragma once

#include "cluster/changes.h"
#include "sim/world/event_queue.h"

#include <cstdint>
#include <vector>

namespace parley::sim {

struct State;

/// True figures of a node over a window. The source's errors depend only on the sample's number, so
/// they are computed only for what is read.
struct NodePoint {
    bool there = false;
    double cpu_cores = 0.0, memory_bytes = 0.0, disk_share = 0.0, net_share = 0.0, power_w = 0.0;
};
struct WorkPoint {
    bool there = false;
    std::int32_t pods = 0;
    double cpu_pod_m = 0.0, memory_pod = 0.0;  ///< Means.
    double p90 = 1.0, max = 1.0;               ///< Of the CPU of pods, over the mean.
    double requests_per_s = 0.0, latency_p95_s = 0.0, startup_p95_s = 0.0;
    double latency_sigma = 0.0;  ///< How far off the percentile of so few requests may be.
};

/// All that a source measured at one moment.
struct Frame {
    std::int64_t number = 0;
    Ms stamp = 0;
    Ms delivered = 0;
    std::vector<NodePoint> nodes;
    std::vector<WorkPoint> works;
};

/// The samples of a source that are not delivered yet.
struct SourceFeed {
    std::int64_t scrapes = 0;
    Ms told = -1;               ///< Time stamp of what was delivered last.
    std::vector<Frame> frames;  ///< A ring of reused frames, so that a scrape allocates nothing.
    std::size_t next = 0;
    Ms before = 0;                                    ///< Time of the scrape before.
    std::vector<double> node_cpu, node_io, node_net;  ///< Totals at the scrape before.
    std::vector<double> work_cpu, work_offered, work_done, work_latency, work_spread;
};

/// A source closes its window.
void scrape(State& s, std::uint32_t feed);
/// Adds samples and reports of all sources that have something new.
void deliver(State& s, cluster::Batch& out);

}  // namespace parley::sim
