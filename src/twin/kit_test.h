// Twin, for tests: a small cluster made by hand.

#pragma once

#include "model/open_action.h"
#include "model/snapshot.h"

#include <string>
#include <string_view>

namespace parley::twin {

inline constexpr TimePoint kNow{1'000'000'000};

inline model::NodeId node_id(std::string_view name) { return {Name::of(name)}; }
inline model::WorkloadId work_id(std::string_view name,
                                 model::WorkloadKind kind = model::WorkloadKind::deployment) {
    return {Name::of("shop"), kind, Name::of(name)};
}
inline model::WorkloadId job_id(std::string_view name) {
    return work_id(name, model::WorkloadKind::job);
}

/// Nodes of one core; pods that ask for a quarter of one.
struct Kit {
    model::Snapshot seen;

    Kit() { seen.taken = kNow; }

    Slot add_node(std::string_view name) {
        return seen.nodes.insert({.id = node_id(name),
                                  .uid = {1, seen.nodes.size() + 1},
                                  .ready = model::Readiness::yes,
                                  .cpu_allocatable_m = 1000,
                                  .memory_allocatable = std::int64_t{4} << 30});
    }
    Slot add_work(const model::WorkloadId& id, std::int32_t wanted) {
        model::WorkloadRow row;
        row.id = id;
        row.uid = {2, seen.workloads.size() + 1};
        row.wanted = wanted;
        row.batch = id.kind == model::WorkloadKind::job;
        row.cpu_request_m = 250;
        row.memory_request = std::int64_t{256} << 20;
        return seen.workloads.insert(row);
    }
    /// On a node and ready, or waiting for CPU if there is no node.
    model::Uid add_pod(Slot work, Slot node) {
        model::PodRow row;
        row.uid = {3, seen.pods.size() + 1};
        row.workload = work;
        row.node = node;
        row.cpu_request_m = 250;
        row.memory_request = std::int64_t{256} << 20;
        row.phase = node == kNoSlot ? model::PodPhase::pending : model::PodPhase::running;
        row.ready = node != kNoSlot;
        if (node == kNoSlot) {
            row.pending = row.pending.with(model::Cause::cpu);
        } else {
            model::NodeRow& at = seen.nodes.edit(node);
            at.cpu_requested_m += row.cpu_request_m;
            at.memory_requested += row.memory_request;
            ++at.pods;
        }
        seen.pods.insert(row);
        return row.uid;
    }
    model::NodeRow& node(Slot slot) { return seen.nodes.edit(slot); }
    model::WorkloadRow& work(Slot slot) { return seen.workloads.edit(slot); }
};

}  // namespace parley::twin
