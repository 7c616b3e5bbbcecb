// Prometheus, the result of a round of questions: samples of the seam, and what was left out.

#pragma once

#include "cluster/changes.h"
#include "prometheus/queries.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::prometheus {

/// How often something happened, and the first case by name.
struct Tally {
    std::size_t count = 0;
    std::string first;
};

struct Joined {
    /// Several for one target if its figures have different ages.
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    Tally unmatched;   ///< Series about nothing that the API shows.
    Tally doubtful;    ///< Targets with two series in one answer: neither counts.
    Tally no_numbers;  ///< NaN, infinities, impossible values.
    Tally undated;     ///< Series without a known age: their target is gone or silent.
    Tally partial;     ///< Workloads whose requests are not known for all pods, and so not used.
    std::array<std::size_t, kNodeFigures> covered{};  ///< Nodes with a recent figure.
    std::size_t nodes_known = 0;

    /// What people should know, in a sentence; empty: nothing.
    std::string remarks() const;
};

/// Writes a figure to its member.
void put(cluster::NodeSample& sample, Figure figure, double value);
void put(cluster::WorkloadSample& sample, Figure figure, double value);
/// Writes the figures of a workload's pods, `missing` of which have none: summed up, the slowest,
/// or the use of each.
void put(cluster::WorkloadSample& sample, Figure figure, std::vector<double> of_pods,
         std::int32_t missing);

}  // namespace parley::prometheus
