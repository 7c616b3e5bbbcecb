// Kube: decoded nodes, and objects that concern them.

#pragma once

#include "kube/decode/objects.h"
#include "kube/decode/objects_pod.h"

namespace parley::kube {

struct Taint {
    std::string key;
    std::string value;
    TaintEffect effect = TaintEffect::unknown;
    friend bool operator==(const Taint&, const Taint&) = default;
};

struct Node {
    Meta meta;
    Labels labels;
    std::vector<Taint> taints;
    bool unschedulable = false;
    model::Readiness ready = model::Readiness::unknown;
    TimePoint ready_since;
    bool memory_pressure = false;
    bool disk_pressure = false;
    bool pid_pressure = false;
    Amounts allocatable;
    std::int32_t pods_allocatable = 0;
    std::vector<std::string> addresses;  ///< For joining metrics; at most 8.
};

struct Lease {
    Meta meta;          ///< Has the name of its node.
    TimePoint renewed;  ///< By the node's clock, so only changes of it count.
};

struct NodePool {
    Meta meta;
};
struct NodeClaim {
    Meta meta;
    std::string node;
};

}  // namespace parley::kube
