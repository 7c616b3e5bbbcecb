#include "exercise/plan.h"

#include "base/quantity.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace parley::exercise {
namespace {

using model::NodeRow;
using model::Quantity;
using model::Snapshot;

constexpr std::int64_t kMib = std::int64_t{1} << 20;
constexpr std::int64_t kCpuMin = 10;            // Less is not worth a pod.
constexpr std::int64_t kMemoryMin = 16 * kMib;  // With less a container may not even start.

/// A node without what the exerciser itself has there.
struct Room {
    std::string name;
    std::int64_t cpu_m = 0, memory = 0;                      ///< Allocatable.
    std::int64_t cpu_requested_m = 0, memory_requested = 0;  ///< By others.
    std::int32_t pods = 0, pods_max = 0;
    bool open = false;  ///< For pods without tolerations.
};

/// What the exerciser has in the snapshot, so that it can be left out.
struct Own {
    std::int64_t cpu_m = 0, memory = 0, waiting = 0;
};

struct Stand {
    std::vector<Room> rooms;
    Own own;
};

bool open_for_pods(const NodeRow& node) {
    return node.ready == model::Readiness::yes && !set_aside(node) && !node.foreign_taint &&
           !node.quarantined && !node.memory_pressure && !node.disk_pressure && !node.pid_pressure;
}

Stand stand_of(const Snapshot& snapshot, const PlanOptions& options) {
    std::vector<std::pair<Slot, Room>> rooms;
    snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        rooms.push_back({slot,
                         {.name = node.id.text(),
                          .cpu_m = node.cpu_allocatable_m,
                          .memory = node.memory_allocatable,
                          .cpu_requested_m = node.cpu_requested_m,
                          .memory_requested = node.memory_requested,
                          .pods = node.pods,
                          .pods_max = node.pods_allocatable,
                          .open = open_for_pods(node)}});
    });
    Own own;
    snapshot.pods.for_each([&](Slot, const model::PodRow& pod) {
        if (pod.workload == kNoSlot) return;
        if (snapshot.workloads.at(pod.workload).id.space.view() != options.space) return;
        if (pod.phase == model::PodPhase::pending && !pod.terminating) ++own.waiting;
        const auto room = std::ranges::find(rooms, pod.node, &std::pair<Slot, Room>::first);
        if (pod.node == kNoSlot || room == rooms.end()) return;
        own.cpu_m += pod.cpu_request_m;
        own.memory += pod.memory_request;
        room->second.cpu_requested_m -= pod.cpu_request_m;
        room->second.memory_requested -= pod.memory_request;
        --room->second.pods;
    });
    if (!options.watched) own.waiting = 0;
    Stand stand{.own = own};
    for (auto& [slot, room] : rooms) stand.rooms.push_back(std::move(room));
    return stand;
}

/// Of the quantity that the phase means to move, without the exerciser's own part.
std::int64_t amount_before(const Snapshot& snapshot, const Stand& stand, Quantity quantity) {
    if (quantity == Quantity::none) return 0;
    if (quantity == Quantity::queue) {
        const std::int64_t* queue = snapshot.queue.value();
        return queue == nullptr ? 0 : std::max<std::int64_t>(0, *queue - stand.own.waiting);
    }
    std::int64_t sum = 0;
    for (const Room& room : stand.rooms) {
        sum += quantity == Quantity::cpu_requested ? room.cpu_requested_m : room.memory_requested;
    }
    return sum;
}

/// The node that others ask least of. Null: none is open.
const Room* emptiest(const Stand& stand) {
    const auto key = [](const Room& room) {
        const auto share = static_cast<double>(room.cpu_requested_m) /
                           static_cast<double>(std::max<std::int64_t>(1, room.cpu_m));
        return std::tuple(share, -room.cpu_m, room.name);
    };
    const Room* best = nullptr;
    for (const Room& room : stand.rooms) {
        if (!room.open || room.pods >= room.pods_max) continue;
        if (best == nullptr || key(room) < key(*best)) best = &room;
    }
    return best;
}

/// How much brings a node from what others ask to the share that the phase means.
std::int64_t fill(std::int64_t has, std::int64_t others, std::int64_t wanted, std::int64_t model) {
    const auto share = static_cast<double>(wanted) / static_cast<double>(model);
    const auto target = static_cast<std::int64_t>(share * static_cast<double>(has));
    return std::min(target, has) - others;
}

std::string percent(std::int64_t part, std::int64_t whole) {
    return std::to_string(part * 100 / std::max<std::int64_t>(1, whole)) + " %";
}

/// Sizes of the one pod that fills a node.
Result<cluster::Filler> filler_for(const Phase& phase, const Stand& stand) {
    const Room* room = emptiest(stand);
    if (room == nullptr) {
        return fail(ErrorCode::denied, std::string(phase.name) +
                                           ": no node is ready and open for pods, so none was put");
    }
    const std::int64_t cpu =
        fill(room->cpu_m, room->cpu_requested_m, phase.cpu_m + kModelOthersCpuM, kModelCpuM);
    const std::int64_t memory = fill(room->memory, room->memory_requested,
                                     (phase.memory_mib + kModelOthersMemoryMib), kModelMemoryMib);
    const std::int64_t cpu_free = room->cpu_m - room->cpu_requested_m;
    const std::int64_t memory_free = room->memory - room->memory_requested;
    const bool by_memory = phase.moves == Quantity::memory_requested;
    const bool too_full = by_memory ? memory < kMemoryMin : cpu < kCpuMin;
    if (too_full || cpu_free < kCpuMin || memory_free < kMemoryMin) {
        return fail(ErrorCode::denied,
                    std::string(phase.name) + ": others ask for " +
                        percent(room->cpu_requested_m, room->cpu_m) + " of the CPU and " +
                        percent(room->memory_requested, room->memory) + " of the memory of " +
                        room->name + ", the emptiest node, so no pod fits the phase");
    }
    return cluster::Filler{.phase = std::string(phase.name),
                           .pods = phase.pods,
                           .cpu_m = std::max(cpu, kCpuMin),
                           .memory = std::max(memory / kMib * kMib, kMemoryMin),
                           .node = room->name};
}

std::string text_of(const cluster::Filler& filler) {
    std::string text = std::to_string(filler.pods) + (filler.pods == 1 ? " pod of " : " pods of ") +
                       print_millicores(filler.cpu_m) + " CPU and " + print_bytes(filler.memory);
    if (!filler.node.empty()) text += " on " + filler.node;
    if (filler.nowhere) text += ", for a node that is not there";
    if (filler.burns_cpu || filler.holds_memory) {
        text += ", which ";
        text += filler.burns_cpu ? "burn CPU" : "";
        text += filler.burns_cpu && filler.holds_memory ? " and " : "";
        text += filler.holds_memory ? "hold memory" : "";
    }
    return text;
}

}  // namespace

Result<Plan> plan_phase(const PlanOptions& options, std::int64_t number, const Snapshot& snapshot) {
    const Stand stand = stand_of(snapshot, options);
    std::int64_t largest = 0;
    for (const Room& room : stand.rooms) largest = std::max(largest, room.open ? room.cpu_m : 0);
    const Phase phase = phase_of(options.choice, number, largest);
    Plan plan{.phase = phase};
    plan.stimulus = {.phase = Name::of(phase.name),
                     .intent = std::string(phase.intent),
                     .text = "deleted everything in " + options.space,
                     .moves = phase.moves,
                     .before = amount_before(snapshot, stand, phase.moves)};
    if (phase.pods == 0) return plan;
    const bool by_shortage = phase.waits && options.choice.form == Form::shortage;
    if (by_shortage && largest == 0) {
        return fail(ErrorCode::denied, std::string(phase.name) +
                                           ": no node is ready and open for pods, so nothing can "
                                           "be short");
    }
    if (phase.waits) {
        plan.filler = cluster::Filler{.phase = std::string(phase.name),
                                      .pods = phase.pods,
                                      .cpu_m = phase.cpu_m,
                                      .memory = phase.memory_mib * kMib,
                                      .nowhere = options.choice.form == Form::selector};
    } else {
        auto filler = filler_for(phase, stand);
        if (!filler) return tl::unexpected(filler.error());
        plan.filler = *std::move(filler);
        plan.filler->burns_cpu = options.burn_cpu;
        plan.filler->holds_memory = options.hold_memory;
    }
    plan.stimulus.text = text_of(*plan.filler);
    return plan;
}

Effect effect_of(const Plan& plan, const cluster::Cast& cast) {
    if (!plan.filler) {
        const std::int32_t left = cast.pods + cast.leaving;
        if (left == 0) return {true, "all pods are gone"};
        return {false,
                std::to_string(left) + (left == 1 ? " pod is" : " pods are") + " still there"};
    }
    const std::int32_t wanted = plan.filler->pods;
    const std::string of = " of " + std::to_string(wanted);
    if (cast.pods < wanted) {
        return {false, std::to_string(cast.pods) + of + " were created" +
                           (cast.trouble.empty() ? "" : ": " + cast.trouble)};
    }
    const std::int32_t waiting = cast.pods - cast.bound;
    if (!plan.phase.waits) {
        if (cast.ready >= wanted) return {true, std::to_string(cast.ready) + of + " run"};
        std::string text = std::to_string(cast.ready) + of + " run";
        if (waiting > 0) text += ", " + std::to_string(waiting) + " wait for a place";
        if (!cast.trouble.empty()) text += ": " + cast.trouble;
        return {false, std::move(text)};
    }
    const bool reached = plan.filler->nowhere ? waiting == wanted : waiting > 0;
    return {reached, std::to_string(waiting) + of + " wait"};
}

}  // namespace parley::exercise
