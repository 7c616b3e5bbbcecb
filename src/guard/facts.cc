#include "guard/facts.h"

#include "guard/hard_limits.h"

#include <algorithm>

namespace parley::guard {

Facts::Facts(const model::RoundInput& input, const model::Forecast& forecast,
             const model::Memory& memory, const model::Policy& policy)
    : input_(&input),
      forecast_(&forecast),
      memory_(&memory),
      policy_(bounded(policy)),
      census_(take_census(input, forecast, memory, policy_)) {
    by_handle_.reserve(input.snapshot.nodes.size());
    input.snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& node) {
        by_handle_.emplace_back(node.id.name.handle(), slot);
    });
    std::ranges::sort(by_handle_);
}

Slot Facts::slot_of(model::NodeId id) const {
    const auto found = std::ranges::lower_bound(by_handle_, id.name.handle(), {},
                                                &std::pair<std::uint32_t, Slot>::first);
    if (found == by_handle_.end() || found->first != id.name.handle()) return kNoSlot;
    return found->second;
}

const WorkloadIndex& Facts::workloads() const {
    if (workloads_) return *workloads_;
    WorkloadIndex& all = workloads_.emplace();
    snapshot().workloads.for_each([&](Slot slot, const model::WorkloadRow& row) {
        all.slots[row.id] = slot;
        const bool scales = row.id.kind == model::WorkloadKind::deployment ||
                            row.id.kind == model::WorkloadKind::stateful_set;
        if (scales) all.replicas += row.wanted;
    });
    for (const model::OpenAction& each : memory_->scaling) {
        const auto* id = std::get_if<model::WorkloadId>(&each.target);
        if (id != nullptr && !is_final(each.state)) all.scaling.insert(*id);
    }
    return all;
}

Slot Facts::slot_of(const model::WorkloadId& id) const {
    const auto found = workloads().slots.find(id);
    return found == workloads().slots.end() ? kNoSlot : found->second;
}

bool Facts::is_scaling(const model::WorkloadId& id) const {
    return workloads().scaling.contains(id);
}

std::int64_t Facts::replicas() const { return workloads().replicas; }

std::vector<const model::PodShape*> Facts::shapes_of(Slot workload) const {
    if (!shapes_) {
        shapes_.emplace();
        snapshot().pods.for_each([&](Slot, const model::PodRow& pod) {
            if (model::PodRow::Glance(pod).leaves() || pod.node == kNoSlot) return;
            shapes_->emplace_back(pod.workload, pod.shape);
        });
        std::ranges::sort(*shapes_);
        const auto again = std::ranges::unique(*shapes_);
        shapes_->erase(again.begin(), again.end());
    }
    std::vector<const model::PodShape*> out;
    for (const auto& [of, slot] :
         std::ranges::equal_range(*shapes_, workload, {}, &std::pair<Slot, Slot>::first)) {
        const model::PodShape* shape = snapshot().shapes.find(slot);
        if (shape != nullptr) out.push_back(shape);
    }
    return out;
}

bool Facts::could_hold(std::int64_t cpu_m, std::int64_t memory) const {
    if (!nodes_) {
        nodes_.emplace();
        snapshot().nodes.for_each([&](Slot, const model::NodeRow& node) {
            nodes_->emplace_back(node.cpu_allocatable_m, node.memory_allocatable);
        });
    }
    return std::ranges::any_of(
        *nodes_, [&](const auto& node) { return node.first >= cpu_m && node.second >= memory; });
}

const model::SourceState* Facts::source(model::Source source) const {
    const auto found = std::ranges::find(snapshot().sources, source, &model::SourceState::source);
    return found == snapshot().sources.end() ? nullptr : &*found;
}

const model::NodeFold* Facts::fold_of(Slot node) const {
    const model::NodeRow* row = snapshot().nodes.find(node);
    const model::NodeFold* fold = derived().nodes.find(node);
    return row != nullptr && fold != nullptr && fold->uid == row->uid ? fold : nullptr;
}

const model::WorkFold* Facts::fold_of(const model::WorkloadRow& workload) const {
    const model::WorkFold* fold = derived().workloads.find(slot_of(workload.id));
    return fold != nullptr && fold->uid == workload.uid ? fold : nullptr;
}

}  // namespace parley::guard
