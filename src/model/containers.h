// Model: the containers of a pod, joined from where a snapshot keeps their parts.

#pragma once

#include "model/snapshot.h"

#include <cstdint>
#include <map>
#include <vector>

namespace parley::model {

/// One container: what is asked for it, and what was seen of it.
struct ContainerSeen {
    const ContainerSpec* spec = nullptr;
    std::int32_t restarts = 0;
    ContainerState state;
};

/// Of the pods on one node. Borrows the snapshot. Reads its table of containers once.
class Containers {
public:
    Containers(const Snapshot& snapshot, Slot node);

    /// In the order of the pod's shape; none: they are not known.
    std::vector<ContainerSeen> of(const PodRow& pod) const;

private:
    const Snapshot& snapshot_;
    std::map<Uid, std::vector<const ContainerRow*>> others_;  ///< By pod: besides its first.
};

/// The shape of a pod; null: not known.
inline const PodShape* shape_of(const Snapshot& snapshot, const PodRow& pod) {
    return snapshot.shapes.find(pod.shape);
}

}  // namespace parley::model
