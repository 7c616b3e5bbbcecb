// Prometheus, what a round of questions came to: samples of the seam, and what was left out of
// them.

#pragma once

#include "cluster/changes.h"
#include "prometheus/queries.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::prometheus {

/// How often something happened, and the first of them by name.
struct Tally {
    std::size_t count = 0;
    std::string first;
};

struct Joined {
    /// Several of one target where its figures are of different ages.
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    Tally unmatched;   ///< Series about nobody whom the API shows.
    Tally doubtful;    ///< Targets that two series of one answer are about: neither counts.
    Tally no_numbers;  ///< NaN, infinities, what no figure can be.
    Tally undated;     ///< Series whose age nobody tells: what they are about is gone or silent.
    Tally partial;     ///< Workloads whose requests are not known of all pods, and so of none.
    std::array<std::size_t, kNodeFigures> covered{};  ///< Nodes that have a figure of late.
    std::size_t nodes_known = 0;

    /// What people should know, in a sentence; empty: nothing.
    std::string remarks() const;
};

/// A figure in its place.
void put(cluster::NodeSample& sample, Figure figure, double value);
void put(cluster::WorkloadSample& sample, Figure figure, double value);
/// Figures of a workload's pods, `missing` of which have none: added up, the slowest, or the use of
/// each.
void put(cluster::WorkloadSample& sample, Figure figure, std::vector<double> of_pods,
         std::int32_t missing);

}  // namespace parley::prometheus
