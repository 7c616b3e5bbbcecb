#include "guard/pods.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

namespace parley::guard {
namespace {

using model::NodeRow;

bool stays_out(const model::PodRow& pod, const model::WorkloadRow* workload) {
    const bool done =
        pod.phase == model::PodPhase::succeeded || pod.phase == model::PodPhase::failed;
    const bool daemon = workload != nullptr && workload->id.kind == model::WorkloadKind::daemon_set;
    return done || pod.terminating || daemon;
}

bool takes_pods(const Facts& facts, Slot slot, const NodeRow& node) {
    const bool well = node.power == model::Power::on &&
                      !std::ranges::binary_search(facts.census().bad_nodes, slot);
    const bool open = !under_maintenance(node) && !node.quarantined && !node.avoided &&
                      !node.foreign_taint && node.role == model::NodeRole::worker;
    return well && open;
}

/// What is left of `allocatable` once `headroom` of it is kept free.
std::int64_t to_give(std::int64_t allocatable, std::int64_t requested, double headroom) {
    const double usable = static_cast<double>(allocatable) * (1 - headroom);
    return static_cast<std::int64_t>(std::floor(usable)) - requested;
}

}  // namespace

std::vector<Tenant> tenants_of(const model::Snapshot& snapshot, Slot node) {
    std::vector<Tenant> tenants;
    snapshot.pods.for_each([&](Slot, const model::PodRow& pod) {
        if (pod.node != node) return;
        const model::WorkloadRow* row = snapshot.workloads.find(pod.workload);
        if (stays_out(pod, row)) return;
        auto tenant = std::ranges::find(tenants, pod.workload, &Tenant::workload);
        if (tenant == tenants.end()) {
            tenant = tenants.insert(tenants.end(), {.workload = pod.workload, .row = row});
        }
        ++tenant->pods;
        if (pod.ready) ++tenant->ready;
        if (!pod.evictable) ++tenant->unmovable;
        tenant->cpu_request_m = std::max(tenant->cpu_request_m, pod.cpu_request_m);
        tenant->memory_request = std::max(tenant->memory_request, pod.memory_request);
    });
    std::ranges::sort(tenants, {}, name_of);
    return tenants;
}

std::string name_of(const Tenant& tenant) {
    return tenant.row != nullptr ? tenant.row->id.text() : "an unknown workload";
}

std::vector<Room> rooms(const Facts& facts, Slot leaving) {
    std::vector<Room> found;
    const double headroom = facts.rules().headroom;
    facts.snapshot().nodes.for_each([&](Slot slot, const NodeRow& node) {
        if (slot == leaving || !takes_pods(facts, slot, node)) return;
        found.push_back(
            {.cpu_m = to_give(node.cpu_allocatable_m, node.cpu_requested_m, headroom),
             .memory = to_give(node.memory_allocatable, node.memory_requested, headroom),
             .pods = node.pods_allocatable - node.pods,
             .node = node.id.name});
    });
    constexpr std::size_t kMost = 512;  // Several for each pod that a node can have.
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, found.size()));
    std::ranges::partial_sort(found, end, {}, [](const Room& room) {
        return std::tuple(-room.cpu_m, -room.memory, room.node);
    });
    found.erase(end, found.end());
    return found;
}

const Need* homeless(std::vector<Need>& needs, std::vector<Room> rooms) {
    std::ranges::sort(needs, {}, [](const Need& need) {
        return std::tuple(-need.cpu_m, -need.memory, std::string_view(need.whose));
    });
    for (const Need& need : needs) {
        const auto room = std::ranges::find_if(rooms, [&](const Room& r) {
            return r.cpu_m >= need.cpu_m && r.memory >= need.memory && r.pods >= 1;
        });
        if (room == rooms.end()) return &need;
        room->cpu_m -= need.cpu_m;
        room->memory -= need.memory;
        room->pods -= 1;
    }
    return nullptr;
}

}  // namespace parley::guard
