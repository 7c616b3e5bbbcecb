// Model: what Kubernetes and the metric sources show in one round. Immutable once built.

#pragma once

#include "base/table.h"
#include "model/cost.h"
#include "model/ids.h"
#include "model/pod.h"
#include "model/reading.h"
#include "model/request.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::model {

enum class Readiness : std::uint8_t { yes, no, unknown };
BOOST_DESCRIBE_ENUM(Readiness, yes, no, unknown)
enum class NodeRole : std::uint8_t { worker, control_plane };
BOOST_DESCRIBE_ENUM(NodeRole, worker, control_plane)
enum class Power : std::uint8_t { on, sleep, off, booting };
BOOST_DESCRIBE_ENUM(Power, on, sleep, off, booting)

struct NodeRow {
    NodeId id;
    Uid uid;
    Name zone;
    Name rack;
    Name pool;
    NodeRole role = NodeRole::worker;
    Readiness ready = Readiness::unknown;
    TimePoint ready_since;  ///< Since when `ready` has its present value.
    bool memory_pressure = false;
    bool disk_pressure = false;
    bool pid_pressure = false;
    Reading<TimePoint> lease = Reading<TimePoint>::never();  ///< When we saw it renewed.
    bool cordoned = false;
    bool maintenance = false;    ///< Under deliberate drain by a person or an autoscaler.
    bool quarantined = false;    ///< Our NoSchedule taint.
    bool avoided = false;        ///< Our PreferNoSchedule taint.
    bool foreign_taint = false;  ///< A NoSchedule taint of someone else.
    Power power = Power::on;
    bool can_power = false;  ///< A named provider can switch it.
    bool can_clock = false;  ///< A named provider can set its clock.
    std::int64_t clock_ppm = 1'000'000;
    std::int64_t cpu_allocatable_m = 0;
    std::int64_t memory_allocatable = 0;
    std::int32_t pods_allocatable = 110;
    std::int64_t cpu_requested_m = 0;   ///< The scheduler's sum, as `kubectl describe node`.
    std::int64_t memory_requested = 0;  ///< As above, for memory.
    std::int32_t pods = 0;
    std::int32_t pods_unhealthy = 0;  ///< Failed, Pending, Unknown or unready, bound to it.
    std::int32_t pods_restarted = 0;  ///< With at least one restart, ever.
    Reading<std::int64_t> cpu_used_m = Reading<std::int64_t>::never();
    Reading<std::int64_t> memory_used = Reading<std::int64_t>::never();
    Reading<std::int64_t> disk_used_ppm = Reading<std::int64_t>::never();
    Reading<std::int64_t> net_used_ppm = Reading<std::int64_t>::never();
    Reading<std::int64_t> power_mw = Reading<std::int64_t>::never();
    Reading<NodeCounters> counters = Reading<NodeCounters>::never();
    std::optional<Mark> mark;
    std::uint64_t version = 0;  ///< resourceVersion, for preconditions.
    /// What a second source says about the same. Never used in place of the first.
    Reading<std::int64_t> cpu_second_m = Reading<std::int64_t>::never();
    /// From the second source.
    Reading<std::int64_t> memory_second = Reading<std::int64_t>::never();
    bool left_alone = false;  ///< It opted out, or is paused: nothing of ours changes it.
};
BOOST_DESCRIBE_STRUCT(NodeRow, (),
                      (id, uid, zone, rack, pool, role, ready, ready_since, memory_pressure,
                       disk_pressure, pid_pressure, lease, cordoned, maintenance, quarantined,
                       avoided, foreign_taint, power, can_power, can_clock, clock_ppm,
                       cpu_allocatable_m, memory_allocatable, pods_allocatable, cpu_requested_m,
                       memory_requested, pods, pods_unhealthy, pods_restarted, cpu_used_m,
                       memory_used, disk_used_ppm, net_used_ppm, power_mw, counters, mark, version,
                       cpu_second_m, memory_second, left_alone))

/// Taken out of service on purpose, by a person, an autoscaler or us: neither at risk nor idle.
inline bool set_aside(const NodeRow& node) {
    return node.cordoned || node.maintenance || node.power != Power::on;
}

/// Usage of a workload's pods, as decisions see it.
struct Usage {
    std::int64_t sum = 0;
    std::int64_t p50 = 0;
    std::int64_t p90 = 0;
    std::int64_t max = 0;
    std::int32_t count = 0;
    std::int32_t missing = 0;

    friend bool operator==(const Usage&, const Usage&) = default;
};
BOOST_DESCRIBE_STRUCT(Usage, (), (sum, p50, p90, max, count, missing))

/// Who sets a workload's replicas, or its sizes.
enum class ScaleOwner : std::uint8_t {
    nobody,
    hpa,
    other,
    vpa,
    parley,  ///< We: a MultidimPodAutoscaler names the workload and leaves it to us.
};
BOOST_DESCRIBE_ENUM(ScaleOwner, nobody, hpa, other, vpa, parley)

struct WorkloadRow {
    WorkloadId id;
    Uid uid;
    std::int32_t priority = 0;
    std::int32_t wanted = 0;
    std::int32_t ready = 0;
    std::int32_t pending = 0;         ///< Not running yet.
    std::int64_t completions = 0;     ///< Pods of a Job that succeeded, as its status says.
    std::int64_t cpu_request_m = 0;   ///< Per pod, as its template says.
    std::int64_t cpu_limit_m = 0;     ///< 0: none.
    std::int64_t memory_request = 0;  ///< Per pod, as its template says; 0: none.
    std::int64_t memory_limit = 0;    ///< Per pod; 0: none.
    bool recreate = false;            ///< Strategy Recreate.
    bool rwo_volume = false;          ///< Holds a volume that only one node may mount.
    bool quorum = false;              ///< Loses its quorum when members go.
    bool protect = false;             ///< kube-system, control plane, Parley itself.
    bool batch = false;               ///< A Job: may wait, has no readers.
    bool deliberate = false;          ///< Its selector matches no node on purpose.
    ScaleOwner scale_owner = ScaleOwner::nobody;  ///< Of its replicas.
    bool has_budget = false;
    std::int32_t disruptions_allowed = 0;  ///< By its budget, now.
    Reading<Duration> startup_p95 = Reading<Duration>::never();
    Reading<Usage> cpu_used_m = Reading<Usage>::never();
    Reading<Usage> memory_used = Reading<Usage>::never();
    Reading<std::int64_t> requests_milli = Reading<std::int64_t>::never();  ///< Per second.
    Reading<Duration> latency_p95 = Reading<Duration>::never();
    Reading<WorkCounters> counters = Reading<WorkCounters>::never();
    std::optional<Mark> mark;
    std::uint64_t version = 0;
    TimePoint rolled_out;  ///< When what its pods are made from last changed; zero: not known.
    ScaleOwner size_owner = ScaleOwner::nobody;  ///< Of its pods' requests and limits.
    std::int64_t cpu_reserved_m = 0;   ///< Requested by those of its pods that are on a node.
    std::int64_t memory_reserved = 0;  ///< As above, for memory.
    std::int32_t held = 0;             ///< Pods that a Job does not start since we hold it back.
    /// Requests per second that fail.
    Reading<std::int64_t> failing_milli = Reading<std::int64_t>::never();
};
BOOST_DESCRIBE_STRUCT(WorkloadRow, (),
                      (id, uid, priority, wanted, ready, pending, completions, cpu_request_m,
                       cpu_limit_m, memory_request, memory_limit, recreate, rwo_volume, quorum,
                       protect, batch, deliberate, scale_owner, has_budget, disruptions_allowed,
                       startup_p95, cpu_used_m, memory_used, requests_milli, latency_p95, counters,
                       mark, version, rolled_out, size_owner, cpu_reserved_m, memory_reserved, held,
                       failing_milli))

/// Pods that wait for the same reasons, kept incrementally.
struct PendingGroup {
    Slot workload = kNoSlot;
    CauseSet causes;
    std::int32_t count = 0;
    TimePoint oldest;
    std::string says;  ///< The scheduler's or kubelet's own words about one of them; may be empty.

    friend bool operator==(const PendingGroup&, const PendingGroup&) = default;
};
BOOST_DESCRIBE_STRUCT(PendingGroup, (), (workload, causes, count, oldest, says))

enum class SourceCondition : std::uint8_t { ok, late, failed, off };
BOOST_DESCRIBE_ENUM(SourceCondition, ok, late, failed, off)

struct SourceState {
    Source source = Source::api;
    SourceCondition condition = SourceCondition::off;
    TimePoint since;           ///< When the condition began.
    TimePoint last_success;    ///< When it last delivered; undefined if it never did.
    Duration limit;            ///< Older than this is late.
    std::int32_t covered = 0;  ///< Nodes with a usable sample.
    std::int32_t expected = 0;
    std::string reason;  ///< Why it is not ok.

    friend bool operator==(const SourceState&, const SourceState&) = default;
};
BOOST_DESCRIBE_STRUCT(SourceState, (),
                      (source, condition, since, last_success, limit, covered, expected, reason))

/// A container restart seen since the last round. Windows over these are folded in `decide`.
struct Restart {
    Slot node = kNoSlot;
    Uid pod;
    TimePoint at;
    std::int32_t count = 1;
    Slot workload = kNoSlot;  ///< Whose pod it is.

    friend bool operator==(const Restart&, const Restart&) = default;
};
BOOST_DESCRIBE_STRUCT(Restart, (), (node, pod, at, count, workload))

/// A pod that was evicted, preempted, or lost with its node, since the last round: as the API
/// server says of it (condition DisruptionTarget). What a rollout or its owner takes away is none.
struct Disruption {
    Uid pod;
    Slot node = kNoSlot;
    Slot workload = kNoSlot;  ///< Whose pod it is.

    friend bool operator==(const Disruption&, const Disruption&) = default;
};
BOOST_DESCRIBE_STRUCT(Disruption, (), (pod, node, workload))

enum class Quantity : std::uint8_t { none, cpu_requested, memory_requested, queue };
BOOST_DESCRIBE_ENUM(Quantity, none, cpu_requested, memory_requested, queue)

/// What the exerciser did to the cluster, and what it meant by it. Never an action of ours.
struct Stimulus {
    Name phase;
    std::string intent;  ///< The label that the phase means to bring about.
    std::string text;    ///< What was done, for people.
    TimePoint since;
    Quantity moves = Quantity::none;  ///< What the phase means to move.
    std::int64_t before = 0;          ///< The value of that quantity before the phase.

    friend bool operator==(const Stimulus&, const Stimulus&) = default;
};
BOOST_DESCRIBE_STRUCT(Stimulus, (), (phase, intent, text, since, moves, before))

/// Where pods may be, whatever room there is: nodes that pass every filter of the scheduler but
/// resources, as far as they are known to us.
struct Places {
    std::vector<std::uint64_t> nodes;  ///< A bit for each slot of `Snapshot::nodes`.

    bool has(Slot node) const {
        return node / 64 < nodes.size() && ((nodes[node / 64] >> (node % 64)) & 1U) != 0;
    }
    friend bool operator==(const Places&, const Places&) = default;
};
BOOST_DESCRIBE_STRUCT(Places, (), (nodes))

struct Snapshot {
    std::uint64_t round = 0;  ///< Its version.
    TimePoint taken;
    Table<NodeRow> nodes;
    Table<WorkloadRow> workloads;
    Table<PodRow> pods;
    std::vector<PendingGroup> pending;  ///< By workload slot, then causes.
    std::vector<Restart> restarts;      ///< Since the last round, in order of time.
    std::vector<SourceState> sources;
    Reading<std::int64_t> queue = Reading<std::int64_t>::never();       ///< Pending pods, watched.
    Reading<std::int64_t> violations = Reading<std::int64_t>::never();  ///< Unfinished and failed,
                                                                        ///< pending or unready.
    Reading<std::int64_t> completed = Reading<std::int64_t>::never();   ///< Ever.
    Reading<std::int64_t> energy_price_ppm = Reading<std::int64_t>::never();
    std::optional<Stimulus> stimulus;
    std::vector<Places> places;  ///< Of pods that may not be everywhere; pods that may be in the
                                 ///< same places share one.
    Table<PodShape> shapes;  ///< Containers as pods ask for them; pods that ask alike share one.
    Table<ContainerRow> containers;       ///< Besides the first of each pod, which lies in its row.
    std::vector<Disruption> disruptions;  ///< Since the last round, in the order they were told.
};
BOOST_DESCRIBE_STRUCT(Snapshot, (),
                      (round, taken, nodes, workloads, pods, pending, restarts, sources, queue,
                       violations, completed, energy_price_ppm, stimulus, places, shapes,
                       containers, disruptions))

}  // namespace parley::model
