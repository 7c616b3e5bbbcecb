#include "guard/pods.h"

#include "model/aside.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace parley::guard {
namespace {

using model::NodeRow;

bool is_daemon(const model::WorkloadRow* workload) {
    return workload != nullptr && workload->id.kind == model::WorkloadKind::daemon_set;
}

bool takes_pods(const Facts& facts, Slot slot, const NodeRow& node) {
    const bool well = node.power == model::Power::on &&
                      !std::ranges::binary_search(facts.census().bad_nodes, slot);
    const bool open = !under_maintenance(node) && !node.quarantined && !node.avoided &&
                      node.role == model::NodeRole::worker;
    return well && open;
}

/// What a node can still give, with the share `headroom` of `allocatable` kept free.
std::int64_t to_give(std::int64_t allocatable, std::int64_t requested, double headroom) {
    const double usable = static_cast<double>(allocatable) * (1 - headroom);
    return static_cast<std::int64_t>(std::floor(usable)) - requested;
}

}  // namespace

std::vector<Tenant> tenants_of(const model::Snapshot& snapshot, Slot node) {
    std::vector<Tenant> tenants;
    snapshot.pods.for_each_glance([&](Slot slot, const model::PodRow::Glance& seen) {
        if (seen.node != node || seen.leaves()) return;
        const model::WorkloadRow* row = snapshot.workloads.find(seen.workload);
        if (is_daemon(row)) return;
        const model::PodRow& pod = snapshot.pods.at(slot);
        auto tenant = std::ranges::find(tenants, pod.workload, &Tenant::workload);
        if (tenant == tenants.end()) {
            tenant = tenants.insert(tenants.end(), {.workload = pod.workload, .row = row});
        }
        ++tenant->pods;
        if (pod.ready) ++tenant->ready;
        if (!pod.evictable) ++tenant->unmovable;
        tenant->cpu_request_m = std::max<std::int64_t>(tenant->cpu_request_m, pod.cpu_request_m);
        tenant->memory_request = std::max(tenant->memory_request, pod.memory_request);
        tenant->rows.push_back(&pod);
    });
    std::ranges::sort(tenants, {}, name_of);
    for (Tenant& tenant : tenants) {
        std::ranges::sort(tenant.rows, {}, [](const model::PodRow* pod) {
            return std::pair(pod->name.text(), pod->uid);  // The uid makes the order total.
        });
    }
    return tenants;
}

std::string name_of(const Tenant& tenant) {
    return tenant.row != nullptr ? tenant.row->id.text() : "an unknown workload";
}

Need need_of(const Tenant& tenant, std::size_t i) {
    const model::PodRow& pod = *tenant.rows.at(i);
    return {.cpu_m = tenant.cpu_request_m,
            .memory = tenant.memory_request,
            .whose = name_of(tenant),
            .places = pod.places,
            .pod = pod.name.text()};
}

bool may_be(const model::Snapshot& snapshot, const Need& need, const Room& room) {
    if (need.places == 0) return !room.tainted;
    return need.places <= snapshot.places.size() && snapshot.places[need.places - 1].has(room.slot);
}

std::vector<Room> rooms(const Facts& facts, Slot leaving, const std::vector<Need>& needs) {
    std::vector<Room> found;
    const double headroom = facts.rules().headroom;
    facts.snapshot().nodes.for_each([&](Slot slot, const NodeRow& node) {
        if (slot == leaving || !takes_pods(facts, slot, node)) return;
        found.push_back(
            {.cpu_m = to_give(node.cpu_allocatable_m, node.cpu_requested_m, headroom),
             .memory = to_give(node.memory_allocatable, node.memory_requested, headroom),
             .pods = node.pods_allocatable - node.pods,
             .node = node.id.name,
             .slot = slot,
             .tainted = node.foreign_taint});
    });
    std::ranges::sort(found, {}, [](const Room& room) {
        return std::tuple(-room.cpu_m, -room.memory, room.node);
    });
    constexpr int kMost = 512;                   // Several for each pod that a node can have.
    std::map<std::uint32_t, const Need*> kinds;  // One need for each set of places.
    for (const Need& need : needs) kinds.try_emplace(need.places, &need);
    std::map<std::uint32_t, int> counts;
    std::erase_if(found, [&](const Room& room) {
        bool wanted = false;
        for (const auto& [places, need] : kinds) {
            if (counts[places] >= kMost || !may_be(facts.snapshot(), *need, room)) continue;
            ++counts[places];
            wanted = true;
        }
        return !wanted;
    });
    return found;
}

const Need* homeless(const model::Snapshot& snapshot, std::vector<Need>& needs,
                     std::vector<Room> rooms) {
    std::ranges::sort(needs, {}, [](const Need& need) {
        return std::tuple(need.places == 0, -need.cpu_m, -need.memory, std::string_view(need.whose),
                          std::string_view(need.pod));
    });
    for (const Need& need : needs) {
        const auto room = std::ranges::find_if(rooms, [&](const Room& r) {
            return r.cpu_m >= need.cpu_m && r.memory >= need.memory && r.pods >= 1 &&
                   may_be(snapshot, need, r);
        });
        if (room == rooms.end()) return &need;
        room->cpu_m -= need.cpu_m;
        room->memory -= need.memory;
        room->pods -= 1;
    }
    return nullptr;
}

std::string nowhere_to_go(const Facts& facts, Slot leaving, std::vector<Need> needs) {
    const model::Snapshot& snapshot = facts.snapshot();
    const std::vector<Room> open = rooms(facts, leaving, needs);
    const Need* left = homeless(snapshot, needs, open);
    if (left == nullptr) return {};
    const std::string who =
        left->pod.empty() ? "a pod of " + left->whose : left->pod + " of " + left->whose;
    const bool unknown = left->places > snapshot.places.size() ||
                         (left->places > 0 && snapshot.places[left->places - 1].nodes.empty());
    if (unknown) {
        return "where " + who + " may run is not known: what keeps it off nodes cannot all be read";
    }
    const auto others = std::ranges::count_if(
        open, [&](const Room& room) { return may_be(snapshot, *left, room); });
    if (left->places > 0 && others == 0) {
        return who + " may run on no other node that takes pods, by its selector, affinity, " +
               "taints, spread or volumes";
    }
    const std::string where = left->places == 0 ? "on no other node"
                              : others == 1     ? "not on the one other node that it may run on"
                                                : "on none of the " + std::to_string(others) +
                                                  " other nodes that it may run on";
    return who + model::need_aside(left->cpu_m, left->memory) + " fits " + where + " with " +
           percent(facts.rules().headroom) + " to spare";
}

}  // namespace parley::guard
