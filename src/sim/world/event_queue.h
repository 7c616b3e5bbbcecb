// Simulation, events: what happens when, in one flat heap. Nothing is allocated per event once the
// heap has reached its size.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace parley::sim {

using Ms = std::int64_t;  ///< Milliseconds since the start of the run.

/// At the same moment, events happen in this order, then in the order in which they were planned.
enum class EventKind : std::uint8_t {
    noise,          ///< New speeds of nodes.
    step,           ///< New loads.
    order_expires,  ///< Admission; entity 0: order, 1: batch cap.
    exercise,       ///< The next phase.
    burst,          ///< Jobs at a fixed moment; the generation is its index.
    job,            ///< A Job arrives; the entity is its run.
    script,         ///< The entity is an index into the scenario's script.
    rack_shock,
    crash_loop,     ///< A workload's release begins to crash.
    node_fault,     ///< Its integrated hazard crosses the threshold.
    node_episode,   ///< A degrading episode ends.
    node_gray,      ///< A slow spell begins or ends.
    node_nuisance,  ///< Harmless signs begin or end.
    node_flap,
    node_symptom,  ///< A restart because of what the node suffers from.
    node_lease,    ///< A late renewal.
    node_unready,  ///< The lease has been silent for too long.
    node_evict,    ///< Toleration is over.
    node_back,     ///< Repaired, booted, or removed for good.
    pod,           ///< What comes next depends on the pod's stage.
    pod_resized,
    schedule,
    scrape,  ///< The entity is an index into the scenario's sources.
};

/// Small and trivially copyable. An event is void if its generation is no longer that of its
/// entity.
struct Event {
    Ms at = 0;
    std::uint64_t order = 0;  ///< Kind, then when it was planned.
    std::uint32_t entity = 0;
    std::uint32_t generation = 0;

    EventKind kind() const { return static_cast<EventKind>(order >> 56); }
    friend bool operator==(const Event&, const Event&) = default;
};

/// What happened to a node, workload, pod or source, for counting how often and when.
enum class Happened : std::uint8_t {
    queue_event,   ///< An event of the queue; its kind is stored above the entity.
    load_settled,  ///< The load of a workload.
    use_counted,   ///< The use of a node.
    speed_changed,
    node_measured,  ///< By a source, whose number is stored above the entity.
    work_measured,
    pod_considered,  ///< By the scheduler.
};

/// Two with the same `thing` are the same happening at two times.
struct Happening {
    Ms at = 0;
    std::uint64_t thing = 0;
};

/// A heap with four children to a node: flatter than two, and the children share a cache line.
class EventQueue {
public:
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const Event& top() const { return heap_.front(); }

    void push(Ms at, EventKind kind, std::uint32_t entity, std::uint32_t generation = 0) {
        const std::uint64_t order = (static_cast<std::uint64_t>(kind) << 56) | planned_++;
        heap_.push_back({at, order, entity, generation});
        std::size_t i = heap_.size() - 1;
        const Event event = heap_[i];
        while (i > 0) {
            const std::size_t parent = (i - 1) / 4;
            if (!before(event, heap_[parent])) break;
            heap_[i] = heap_[parent];
            i = parent;
        }
        heap_[i] = event;
    }

    Event pop() {
        const Event first = heap_.front();
        const Event last = heap_.back();
        heap_.pop_back();
        if (!heap_.empty()) sink(last);
        return first;
    }

private:
    static bool before(const Event& a, const Event& b) {
        return a.at != b.at ? a.at < b.at : a.order < b.order;
    }

    void sink(const Event& event) {
        const std::size_t size = heap_.size();
        std::size_t i = 0;
        for (;;) {
            const std::size_t first = 4 * i + 1;
            if (first >= size) break;
            std::size_t least = first;
            const std::size_t end = first + 4 < size ? first + 4 : size;
            for (std::size_t child = first + 1; child < end; ++child) {
                if (before(heap_[child], heap_[least])) least = child;
            }
            if (!before(heap_[least], event)) break;
            heap_[i] = heap_[least];
            i = least;
        }
        heap_[i] = event;
    }

    std::vector<Event> heap_;
    std::uint64_t planned_ = 0;  ///< Fewer than 2^56 in any run.
};

}  // namespace parley::sim
