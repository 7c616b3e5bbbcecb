// Kube: joins usage, which is reported by name, with the objects it is about; samples of nodes and
// pods in, samples of the seam out. Pure.

#pragma once

#include "cluster/changes.h"
#include "kube/decode/decode_metrics.h"
#include "kube/picture/picture.h"

#include <cstddef>
#include <string>
#include <vector>

namespace parley::kube {

struct JoinedUsage {
    std::vector<cluster::NodeSample> nodes;
    std::vector<cluster::WorkloadSample> workloads;
    std::vector<cluster::PodSample> pods;
    std::size_t unmatched = 0;    ///< Samples of nodes and pods that the API does not show.
    std::string first_unmatched;  ///< `node x` or `pod a/b`.
    std::size_t nodes_known = 0;
    std::size_t unreadable = 0;  ///< Samples without a usable figure.
    std::string first_fault;     ///< Of the first such sample.

    /// What is incomplete, for people; empty: nothing.
    std::string remarks() const;
};

/// Matches exact names. A workload's figures cover its pods with a sample; bound pods without one
/// are counted as missing. They are as old as the oldest sample among them.
JoinedUsage join_usage(const UsagePage& nodes, const UsagePage& pods, const Picture& picture);

}  // namespace parley::kube
