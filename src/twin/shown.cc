#include "twin/shown.h"

#include <algorithm>
#include <map>

namespace parley::twin {

using namespace model;

namespace {

bool holds_room(const PodRow::Glance& pod) {
    return pod.node != kNoSlot && pod.phase != PodPhase::succeeded && pod.phase != PodPhase::failed;
}

Work work_of(const WorkloadRow& row, const Following& following, Duration startup_assumed) {
    Work work{.id = row.id, .uid = row.uid, .wanted = row.wanted, .batch = row.batch};
    const bool ours = row.mark && row.mark->decision == following.action;
    (ours ? work.wanted : work.held) += row.held;
    work.each = {row.cpu_request_m, row.memory_request, 1};
    const Duration* startup = row.startup_p95.value();
    work.startup = startup != nullptr ? *startup : startup_assumed;
    work.follows_nodes = row.id.kind == WorkloadKind::daemon_set;
    if (row.has_budget) work.may_lose = row.disruptions_allowed;
    return work;
}

/// Nodes with all the room that pods may ask for.
std::vector<Place> places_of(const Snapshot& seen, const Following& following) {
    std::vector<Place> places(seen.nodes.end_slot());
    seen.nodes.for_each([&](Slot slot, const NodeRow& row) {
        const bool kept_away = row.quarantined && slot != following.target;
        places[slot] = {.there = true,
                        .up = row.ready == Readiness::yes,
                        .on = row.power == Power::on || row.power == Power::booting,
                        .open = !row.cordoned && !row.foreign_taint && !kept_away,
                        .room = {row.cpu_allocatable_m - row.cpu_requested_m,
                                 row.memory_allocatable - row.memory_requested,
                                 row.pods_allocatable - row.pods}};
    });
    return places;
}

/// The workloads by their slots, in the order in which they are followed.
std::map<Slot, std::size_t> take_works(const Snapshot& seen, Following& following,
                                       Duration startup_assumed, Shown& out) {
    std::map<Uid, std::size_t> known;
    for (std::size_t i = 0; i < following.works.size(); ++i) known.emplace(following.works[i], i);
    out.works.resize(following.works.size());
    for (std::size_t i = 0; i < following.works.size(); ++i) out.works[i].uid = following.works[i];
    std::map<Slot, std::size_t> slots;
    seen.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        auto found = known.find(row.uid);
        const bool comes = following.queue && row.id.kind == WorkloadKind::job;
        if (found == known.end() && !comes) return;
        if (found == known.end()) {
            found = known.emplace(row.uid, following.works.size()).first;
            following.works.push_back(row.uid);
            out.works.emplace_back();
        }
        out.works[found->second] = work_of(row, following, startup_assumed);
        slots.emplace(slot, found->second);
    });
    return slots;
}

void take_disruptions(const Snapshot& seen, const Following& following,
                      const std::map<Slot, std::size_t>& slots, Shown& out) {
    for (const Restart& each : seen.restarts) {
        const auto work = slots.find(each.workload);
        if (work != slots.end()) out.works[work->second].disrupted += each.count;
    }
    for (const Disruption& each : seen.disruptions) {
        const auto work = slots.find(each.workload);
        // What a node that is down costs is worked out for each future by itself.
        const bool lost = each.node >= out.places.size() || !out.places[each.node].up;
        if (work == slots.end() || lost || following.own_pods.contains(each.pod)) continue;
        ++out.works[work->second].disrupted;
    }
}

}  // namespace

Shown show(const Snapshot& seen, Following& following, Duration startup_assumed, bool pods) {
    Shown out{.places = places_of(seen, following), .works = {}, .pods = {}};
    const auto slots = take_works(seen, following, startup_assumed, out);
    std::vector<std::size_t> by_slot(seen.workloads.end_slot(), out.works.size());
    for (const auto& [slot, work] : slots) by_slot[slot] = work;
    seen.pods.for_each_glance([&](Slot slot, const PodRow::Glance& glance) {
        const std::size_t at =
            glance.workload < by_slot.size() ? by_slot[glance.workload] : out.works.size();
        if (at == out.works.size()) return;
        const PodRow& row = seen.pods.at(slot);
        const Room asks{row.cpu_request_m, row.memory_request, 1};
        if (holds_room(glance) && glance.node < out.places.size()) {
            Room& room = out.places[glance.node].room;
            room = {room.cpu_m + asks.cpu_m, room.memory + asks.memory, room.pods + 1};
        }
        Work& work = out.works[at];
        if (row.places > 0 && row.places <= seen.places.size() && work.places.empty()) {
            work.places = seen.places[row.places - 1].nodes;
        }
        if (pods && !glance.leaves()) {
            out.pods.push_back(
                {row.uid, at, glance.node, glance.ready, glance.pending.shortage(), asks});
        }
    });
    take_disruptions(seen, following, slots, out);
    return out;
}

Room resized(const ResizePod& request, const Snapshot& seen) {
    Room room{0, 0, 1};
    seen.pods.for_each([&](Slot, const PodRow& row) {
        if (row.uid != request.pod) return;
        room = {row.cpu_request_m, row.memory_request, 1};
        const PodShape* shape = row.shape == kNoSlot ? nullptr : seen.shapes.find(row.shape);
        if (shape == nullptr) return;
        for (const ContainerResize& each : request.containers) {
            const auto was =
                std::ranges::find(shape->containers, each.container, &ContainerSpec::name);
            if (was == shape->containers.end()) continue;
            if (each.cpu_request_m)
                room.cpu_m += *each.cpu_request_m - was->cpu_request_m.value_or(0);
            if (each.memory_request) {
                room.memory += *each.memory_request - was->memory_request.value_or(0);
            }
        }
    });
    return room;
}

}  // namespace parley::twin
