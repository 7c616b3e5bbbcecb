// Model: a pod as one fixed-size row without strings.

#pragma once

#include "base/table.h"
#include "model/container.h"
#include "model/ids.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley::model {

/// A pod's name in two parts. Most are `<generateName><five characters>`: the stem is shared by all
/// pods of an owner and interned, the tail lies in the row, so that pods which come and go leave
/// nothing behind. A name that does not end in a short tail is its own stem.
struct PodName {
    Name stem;
    std::array<char, 12> tail{};  ///< Padded with zeros.

    static PodName of(std::string_view stem, std::string_view tail);
    std::string text() const;
    friend bool operator==(const PodName&, const PodName&) = default;
};

enum class PodPhase : std::uint8_t { pending, running, succeeded, failed, unknown };
BOOST_DESCRIBE_ENUM(PodPhase, pending, running, succeeded, failed, unknown)

/// Why a pod waits. A pod may wait for several reasons at once, so they are kept as a set.
enum class Cause : std::uint8_t {
    selector,         ///< A deliberate selector that no node matches: no shortage.
    cpu,              ///< Short of CPU.
    memory,           ///< Short of memory.
    pods,             ///< Nodes are at their number of pods.
    taint,            ///< Taints it does not tolerate.
    affinity,         ///< Affinity or spread.
    volume,           ///< A volume that cannot be bound here.
    image,            ///< Bound, but its image cannot be pulled.
    our_hold,         ///< Our own admission gate.
    other_gate,       ///< A gate or suspension of someone else.
    other_scheduler,  ///< Another scheduler is responsible.
    unknown,
    resource,    ///< Short of something else that nodes have little of: a device, scratch space.
    port,        ///< Its port of the host is taken.
    claim,       ///< A device it claims is not there or cannot be given.
    config,      ///< Bound, but something it is configured by is missing.
    dead_node,   ///< Bound to a node that does not answer.
    impossible,  ///< No node of this cluster could ever hold it: no shortage.
    restart,     ///< It ran and ended: it is started again after a pause (CrashLoopBackOff).
};
BOOST_DESCRIBE_ENUM(Cause, selector, cpu, memory, pods, taint, affinity, volume, image, our_hold,
                    other_gate, other_scheduler, unknown, resource, port, claim, config, dead_node,
                    impossible, restart)

struct CauseSet {
    std::uint32_t bits = 0;

    constexpr bool has(Cause cause) const { return (bits >> static_cast<unsigned>(cause)) & 1U; }
    constexpr CauseSet with(Cause cause) const {
        return {bits | (1U << static_cast<unsigned>(cause))};
    }
    constexpr bool empty() const { return bits == 0; }
    /// Whether it is short of something that a cluster can have more of. What no node could ever
    /// hold does not count.
    constexpr bool shortage() const {
        return !has(Cause::impossible) &&
               (has(Cause::cpu) || has(Cause::memory) || has(Cause::pods));
    }
    /// Whether more room would end the wait: it is short of some, and nothing else holds it back.
    constexpr bool room_would_help() const {
        for (const Cause cause : {Cause::selector, Cause::volume, Cause::our_hold,
                                  Cause::other_gate, Cause::other_scheduler, Cause::claim}) {
            if (has(cause)) return false;
        }
        return shortage();
    }
    friend bool operator==(const CauseSet&, const CauseSet&) = default;
    friend auto operator<=>(const CauseSet&, const CauseSet&) = default;
};
BOOST_DESCRIBE_STRUCT(CauseSet, (), (bits))

struct PodRow {
    Uid uid;
    PodName name;
    Slot workload = kNoSlot;  ///< Every pod has one; a bare pod is a workload of its own.
    Slot node = kNoSlot;      ///< kNoSlot: not bound.
    PodPhase phase = PodPhase::pending;
    bool ready = false;
    bool terminating = false;
    bool evictable = true;  ///< False: safe-to-evict=false, bare, static, or local storage.
    CauseSet pending;       ///< Why it waits; empty if it does not.
    std::int32_t restarts = 0;
    std::int32_t deletion_cost = 0;
    TimePoint created;
    std::int32_t cpu_request_m = 0;
    std::uint32_t places = 0;  ///< One more than its place in `Snapshot::places`; 0: any node.
    std::int64_t memory_request = 0;
    Slot shape = kNoSlot;  ///< In `Snapshot::shapes`: its containers; kNoSlot: not known.
    After started;         ///< When its kubelet took it up.
    After ready_changed;   ///< When `ready` last became what it is.
    ContainerState first;  ///< Of its first container; others are in `Snapshot::containers`.

    /// Where it is and how it does: what is asked of every pod in every round.
    struct Glance {
        Slot workload = kNoSlot;
        Slot node = kNoSlot;
        PodPhase phase = PodPhase::pending;
        bool ready = false;
        bool terminating = false;
        bool evictable = true;
        CauseSet pending;

        Glance() = default;
        explicit Glance(const PodRow& pod)
            : workload(pod.workload),
              node(pod.node),
              phase(pod.phase),
              ready(pod.ready),
              terminating(pod.terminating),
              evictable(pod.evictable),
              pending(pod.pending) {}

        /// It has ended, or is about to.
        bool leaves() const {
            return terminating || phase == PodPhase::succeeded || phase == PodPhase::failed;
        }
    };

    friend bool operator==(const PodRow&, const PodRow&) = default;
};
BOOST_DESCRIBE_STRUCT(PodName, (), (stem, tail))
BOOST_DESCRIBE_STRUCT(PodRow, (),
                      (uid, name, workload, node, phase, ready, terminating, evictable, pending,
                       restarts, deletion_cost, created, cpu_request_m, memory_request, places,
                       shape, started, ready_changed, first))
/// There are 150,000 of them: whoever makes it larger says why
/// (docs/howto/add-a-field-of-a-pod.md).
static_assert(sizeof(PodRow) == 112);

}  // namespace parley::model
