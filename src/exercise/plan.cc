#include "exercise/plan.h"

#include "base/quantity.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace parley::exercise {
namespace {

using model::NodeRow;
using model::Quantity;
using model::Snapshot;

constexpr std::int64_t kMib = std::int64_t{1} << 20;
constexpr std::int64_t kCpuMin = 10;            // Less is not worth a pod.
constexpr std::int64_t kMemoryMin = 16 * kMib;  // With less a container may not even start.

/// A node without the exerciser's own pods.
struct Room {
    std::string name;
    std::int64_t cpu_m = 0, memory = 0;                      ///< Allocatable.
    std::int64_t cpu_requested_m = 0, memory_requested = 0;  ///< By others.
    std::int32_t pods = 0, pods_max = 0;
    bool open = false;  ///< To pods without tolerations.
};

/// The exerciser's own part of the snapshot, to be left out.
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
        const model::WorkloadId& id = snapshot.workloads.at(pod.workload).id;
        if (id.space.view() != options.space || !named_by_phase(id.name.view())) return;
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

/// The quantity that the phase intends to move, without the exerciser's own part.
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

/// Nodes that take pods, sorted by what others request, least first.
std::vector<const Room*> by_emptiness(const Stand& stand) {
    const auto key = [](const Room* room) {
        const auto share = static_cast<double>(room->cpu_requested_m) /
                           static_cast<double>(std::max<std::int64_t>(1, room->cpu_m));
        return std::tuple(share, -room->cpu_m, std::string_view(room->name));
    };
    std::vector<const Room*> rooms;
    for (const Room& room : stand.rooms) {
        // A node with nothing allocatable is not an empty node.
        const bool takes = room.cpu_m >= kCpuMin && room.memory >= kMemoryMin;
        if (room.open && takes && room.pods < room.pods_max) rooms.push_back(&room);
    }
    std::ranges::sort(rooms, {}, key);
    return rooms;
}

/// How much is needed to fill a node from what others request to the phase's share.
std::int64_t fill(std::int64_t has, std::int64_t others, std::int64_t wanted, std::int64_t model) {
    const auto share = static_cast<double>(wanted) / static_cast<double>(model);
    const auto target = static_cast<std::int64_t>(share * static_cast<double>(has));
    return std::min(target, has) - others;
}

std::string percent(std::int64_t part, std::int64_t whole) {
    return std::to_string(part * 100 / std::max<std::int64_t>(1, whole)) + " %";
}

/// The one pod that fills a node. Nothing: others already request as much.
std::optional<cluster::Filler> filler_on(const Room& room, const Phase& phase) {
    const std::int64_t cpu =
        fill(room.cpu_m, room.cpu_requested_m, phase.cpu_m + kModelOthersCpuM, kModelCpuM);
    const std::int64_t memory = fill(room.memory, room.memory_requested,
                                     phase.memory_mib + kModelOthersMemoryMib, kModelMemoryMib);
    const bool by_memory = phase.moves == Quantity::memory_requested;
    const bool too_full = by_memory ? memory < kMemoryMin : cpu < kCpuMin;
    if (too_full || room.cpu_m - room.cpu_requested_m < kCpuMin ||
        room.memory - room.memory_requested < kMemoryMin) {
        return std::nullopt;
    }
    return cluster::Filler{.name = std::string(phase.name),
                           .phase = std::string(phase.name),
                           .pods = phase.pods,
                           .cpu_m = std::max(cpu, kCpuMin),
                           .memory = std::max(memory / kMib * kMib, kMemoryMin),
                           .node = room.name};
}

/// One pod; or, for a phase about the emptiest node, one for every node below its share.
Result<std::vector<cluster::Filler>> fillers_for(const Phase& phase, const Stand& stand) {
    const std::vector<const Room*> rooms = by_emptiness(stand);
    if (rooms.empty()) {
        return fail(ErrorCode::denied, std::string(phase.name) +
                                           ": no node is ready and open for pods, so none was put");
    }
    std::vector<cluster::Filler> fillers;
    for (const Room* room : rooms) {
        auto filler = filler_on(*room, phase);
        if (!filler) continue;  // Already fuller than that.
        fillers.push_back(*std::move(filler));
        if (!phase.everywhere) break;
    }
    if (fillers.empty()) {
        const Room& room = *rooms.front();
        return fail(ErrorCode::denied,
                    std::string(phase.name) + ": others ask for " +
                        percent(room.cpu_requested_m, room.cpu_m) + " of the CPU and " +
                        percent(room.memory_requested, room.memory) + " of the memory of " +
                        room.name + ", the emptiest node, so no pod fits the phase");
    }
    for (std::size_t i = 1; i < fillers.size(); ++i) {
        fillers[i].name += "-" + std::to_string(i + 1);
    }
    return fillers;
}

/// The size from which a pod fits only as often as on the one node that the phases are written for.
/// At least `least`, at most what the largest node has: a pod that no node could hold would not be
/// short of CPU, but impossible.
std::int64_t scarce_cpu(const Stand& stand, std::int64_t least, std::int64_t largest) {
    constexpr std::int64_t kPlaced = 3;
    const auto placed = [&](std::int64_t cpu_m) {
        std::int64_t pods = 0;
        for (const Room& room : stand.rooms) {
            if (room.open)
                pods += std::max<std::int64_t>(0, room.cpu_m - room.cpu_requested_m) / cpu_m;
        }
        return pods;
    };
    std::int64_t low = std::max<std::int64_t>(1, least);
    std::int64_t high = std::max(low, largest);
    while (low < high) {  // The more CPU a pod asks for, the fewer are placed.
        const std::int64_t middle = low + (high - low) / 2;
        if (placed(middle) <= kPlaced) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

/// "1800m", or "1800m to 2100m".
template <class Print>
std::string span(const std::vector<cluster::Filler>& fillers,
                 std::int64_t cluster::Filler::* amount, Print print) {
    const auto [low, high] = std::ranges::minmax(fillers, {}, amount);
    std::string text = print(low.*amount);
    if (print(high.*amount) != text) text += " to " + print(high.*amount);
    return text;
}

/// Where the pods go; `others` nodes stay emptier than the phase intends.
std::string place_text(const std::vector<cluster::Filler>& fillers, std::size_t others) {
    if (fillers.front().nowhere) return ", for a node that is not there";
    if (fillers.front().node.empty()) return "";
    constexpr std::size_t kNamed = 3;
    std::string text = " on ";
    if (fillers.size() > kNamed) {
        text += std::to_string(fillers.size()) + " nodes";
    } else {
        for (std::size_t i = 0; i < fillers.size(); ++i) {
            text += (i == 0 ? "" : i + 1 == fillers.size() ? " and " : ", ") + fillers[i].node;
        }
    }
    if (others > 0) {
        text += "; " + std::to_string(others) + (others == 1 ? " node stays" : " nodes stay") +
                " emptier than is meant";
    }
    return text;
}

std::string text_of(const std::vector<cluster::Filler>& fillers, std::size_t others) {
    const cluster::Filler& first = fillers.front();
    const std::int32_t pods = pods_of(fillers);
    std::string text = std::to_string(pods) + (pods == 1 ? " pod of " : " pods of ") +
                       span(fillers, &cluster::Filler::cpu_m, print_millicores) + " CPU and " +
                       span(fillers, &cluster::Filler::memory, print_bytes) +
                       place_text(fillers, others);
    if (first.burns_cpu || first.holds_memory) {
        text += ", which ";
        text += first.burns_cpu ? "burn CPU" : "";
        text += first.burns_cpu && first.holds_memory ? " and " : "";
        text += first.holds_memory ? "hold memory" : "";
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
                     .text = "deleted what the exerciser had in " + options.space,
                     .moves = phase.moves,
                     .before = amount_before(snapshot, stand, phase.moves)};
    if (phase.pods == 0) return plan;
    const bool by_shortage = phase.waits && options.choice.form != Form::selector;
    if (by_shortage && largest == 0) {
        return fail(ErrorCode::denied, std::string(phase.name) +
                                           ": no node is ready and open for pods, so nothing can "
                                           "be short");
    }
    std::size_t left_empty = 0;  // Nodes that could take a pod and get none.
    if (phase.waits) {
        plan.fillers = {
            {.name = std::string(phase.name),
             .phase = std::string(phase.name),
             .pods = phase.pods,
             .cpu_m = by_shortage ? scarce_cpu(stand, phase.cpu_m, largest) : phase.cpu_m,
             .memory = phase.memory_mib * kMib,
             .nowhere = options.choice.form == Form::selector}};
    } else {
        auto fillers = fillers_for(phase, stand);
        if (!fillers) return tl::unexpected(fillers.error());
        plan.fillers = *std::move(fillers);
        left_empty = plan.fillers.size() - std::min(plan.fillers.size(), kNodesFilledMax);
        plan.fillers.resize(plan.fillers.size() - left_empty);
        for (cluster::Filler& filler : plan.fillers) {
            filler.burns_cpu = options.burn_cpu;
            filler.holds_memory = options.hold_memory;
        }
    }
    plan.stimulus.text = text_of(plan.fillers, left_empty);
    return plan;
}

std::int32_t pods_of(const std::vector<cluster::Filler>& fillers) {
    std::int32_t pods = 0;
    for (const cluster::Filler& filler : fillers) pods += filler.pods;
    return pods;
}

Effect effect_of(const Plan& plan, const cluster::Cast& cast) {
    if (plan.fillers.empty()) {
        const std::int32_t left = cast.pods + cast.leaving;
        if (left == 0) return {true, "all pods are gone"};
        return {false,
                std::to_string(left) + (left == 1 ? " pod is" : " pods are") + " still there"};
    }
    const std::int32_t wanted = pods_of(plan.fillers);
    const std::string of = " of " + std::to_string(wanted);
    if (cast.pods < wanted) {
        return {false, std::to_string(cast.pods) + of + " were created", cast.trouble};
    }
    const std::int32_t waiting = cast.pods - cast.bound;
    if (!plan.phase.waits) {
        if (cast.ready >= wanted) return {true, std::to_string(cast.ready) + of + " run"};
        std::string text = std::to_string(cast.ready) + of + " run";
        if (waiting > 0) text += ", " + std::to_string(waiting) + " wait for a place";
        return {false, std::move(text), cast.trouble};
    }
    const bool reached = plan.fillers.front().nowhere ? waiting == wanted : waiting > 0;
    return {reached, std::to_string(waiting) + of + " wait"};
}

}  // namespace parley::exercise
