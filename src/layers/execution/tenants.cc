#include "layers/execution/tenants.h"

#include "model/opt_in.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace parley::execution {

using namespace model;

namespace {

auto order(const Tenant& tenant) {
    return std::tuple(tenant.workload->batch, -std::int64_t{tenant.workload->priority},
                      tenant.workload->id);
}

}  // namespace

std::vector<Tenant> tenants_of(const RoundInput& input, const Policy& policy, Slot node,
                               ActionKind kind) {
    const Snapshot& snapshot = input.snapshot;
    const bool asks = input.controls.mode != Mode::observe;
    std::vector<Tenant> tenants;
    snapshot.pods.for_each_glance([&](Slot slot, const PodRow::Glance& pod) {
        if (pod.node != node || node == kNoSlot || pod.leaves()) return;
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        if (row == nullptr || row->protect) return;
        if (asks && !opted_in(policy, kind, row->id.space.view())) return;
        auto tenant = std::ranges::find(tenants, pod.workload, &Tenant::slot);
        if (tenant == tenants.end()) {
            tenant = tenants.insert(tenants.end(), Tenant{pod.workload, row, {}});
        }
        tenant->pods.push_back(&snapshot.pods.at(slot));
    });
    std::ranges::sort(tenants, {}, order);
    for (Tenant& tenant : tenants) {
        std::ranges::sort(tenant.pods, {}, [](const PodRow* pod) {
            return std::pair(pod->name.text(), pod->uid);  // The uid makes the order total.
        });
    }
    return tenants;
}

bool movable(const WorkloadRow& workload, const PodRow& pod) {
    const WorkloadKind kind = workload.id.kind;
    const bool last = !workload.batch && pod.ready && workload.ready <= 1;
    return pod.evictable && !workload.protect && !workload.quorum && !last &&
           kind != WorkloadKind::daemon_set && kind != WorkloadKind::bare;
}

Slot slot_of(const Snapshot& snapshot, NodeId id) {
    Slot found = kNoSlot;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& row) {
        if (row.id == id) found = slot;
    });
    return found;
}

Slot slot_of(const Snapshot& snapshot, const WorkloadId& id) {
    Slot found = kNoSlot;
    snapshot.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        if (row.id == id) found = slot;
    });
    return found;
}

}  // namespace parley::execution
