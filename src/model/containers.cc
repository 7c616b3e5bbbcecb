#include "model/containers.h"

namespace parley::model {

Containers::Containers(const Snapshot& snapshot, Slot node) : snapshot_(snapshot) {
    snapshot.containers.for_each([&](Slot, const ContainerRow& row) {
        const PodRow* pod = snapshot.pods.find(row.pod);
        if (pod != nullptr && pod->node == node) others_[pod->uid].push_back(&row);
    });
}

std::vector<ContainerSeen> Containers::of(const PodRow& pod) const {
    std::vector<ContainerSeen> out;
    const PodShape* shape = shape_of(snapshot_, pod);
    if (shape == nullptr) return out;
    for (const ContainerSpec& spec : shape->containers) out.push_back({.spec = &spec});
    if (out.empty()) return out;
    out.front().state = pod.first;
    out.front().restarts = pod.restarts;  // Of all of them, less those of the others.
    const auto others = others_.find(pod.uid);
    if (others == others_.end()) return out;
    for (const ContainerRow* row : others->second) {
        if (row->at == 0 || row->at >= out.size()) continue;
        out[row->at].state = row->state;
        out[row->at].restarts = row->restarts;
        out.front().restarts -= row->restarts;
    }
    return out;
}

}  // namespace parley::model
