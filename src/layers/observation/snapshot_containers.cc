// The part of the snapshot builder that keeps containers: what of a pod's row is about its first
// one lies there, the others have rows of their own.

#include "layers/observation/plausible.h"
#include "layers/observation/snapshot_builder.h"

#include <algorithm>

namespace parley::observation {

using model::ContainerRow;
using model::ContainerState;

void SnapshotBuilder::put_containers(Slot pod, std::vector<ContainerRow> rows) {
    const auto found = others_.find(pod);
    if (found == others_.end() && rows.empty()) return;
    std::vector<Slot> before;
    if (found != others_.end()) before = std::move(found->second);
    std::vector<Slot> slots;
    for (ContainerRow& row : rows) {
        row.pod = pod;
        row.state.take_use({});
        const auto same = std::ranges::find_if(
            before, [&](Slot slot) { return snapshot_.containers.at(slot).at == row.at; });
        if (same == before.end()) {
            slots.push_back(snapshot_.containers.insert(row));
            continue;
        }
        row.state.take_use(snapshot_.containers.at(*same).state);
        if (snapshot_.containers.at(*same) != row) snapshot_.containers.edit(*same) = row;
        slots.push_back(*same);
        before.erase(same);
    }
    const bool there = snapshot_.pods.has(pod) && pods_.contains(snapshot_.pods.at(pod).uid);
    for (const Slot slot : before) {
        // Only what it uses is known of it: that it neither restarted nor ended.
        ContainerState use;
        use.take_use(snapshot_.containers.at(slot).state);
        if (!there || !use.measured.known()) {
            snapshot_.containers.erase(slot);
            continue;
        }
        ContainerRow& kept = snapshot_.containers.edit(slot);
        kept.restarts = 0;
        kept.state = use;
        slots.push_back(slot);
    }
    if (slots.empty()) {
        others_.erase(pod);
    } else {
        others_[pod] = std::move(slots);
    }
}

ContainerState& SnapshotBuilder::state_of(Slot pod, std::uint16_t at) {
    if (at == 0) return snapshot_.pods.edit(pod).first;
    std::vector<Slot>& slots = others_[pod];
    for (const Slot slot : slots) {
        if (snapshot_.containers.at(slot).at == at) return snapshot_.containers.edit(slot).state;
    }
    slots.push_back(snapshot_.containers.insert({.pod = pod, .at = at}));
    return snapshot_.containers.edit(slots.back()).state;
}

void SnapshotBuilder::take_sample(const cluster::PodSample& sample, TimePoint now) {
    const auto found = pods_.find(sample.pod);
    if (found == pods_.end() || wrong_time(sample.measured, now)) return;
    const Slot pod = found->second;
    const TimePoint created = snapshot_.pods.at(pod).created;
    const model::PodShape* shape = snapshot_.shapes.find(snapshot_.pods.at(pod).shape);
    if (shape == nullptr) return;
    for (const cluster::ContainerSample& each : sample.containers) {
        const auto spec =
            std::ranges::find(shape->containers, each.name, &model::ContainerSpec::name);
        if (spec == shape->containers.end() || each.cpu_m < 0 || each.memory < 0) continue;
        ContainerState use;
        use.put_use(created, {each.cpu_m, each.memory, sample.measured, sample.window});
        const auto at = static_cast<std::uint16_t>(spec - shape->containers.begin());
        const ContainerState* kept = at == 0 ? &snapshot_.pods.at(pod).first : nullptr;
        // What was measured before comes again until it is measured anew: nothing to write.
        if (kept != nullptr && kept->measured == use.measured) continue;
        ContainerState& state = state_of(pod, at);
        if (use.measured.seconds >= state.measured.seconds) state.take_use(use);
    }
}

}  // namespace parley::observation
