// Simulation, state of a world: plain data that the parts of the world share. Not included outside
// sim/.
//
// Places are indices, never pointers, so that a copy of the state is a fork; the scenario is shared
// and never changes.

#pragma once

#include "base/random.h"
#include "base/table.h"
#include "cluster/changes.h"
#include "model/request.h"
#include "sim/load/cpu_share.h"
#include "sim/load/load.h"
#include "sim/load/pod_life.h"
#include "sim/scenario/scenario.h"
#include "sim/world/admission.h"
#include "sim/world/event_queue.h"
#include "sim/world/metrics_pipeline.h"
#include "sim/world/truth.h"

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace parley::sim {

using Index = std::uint32_t;  ///< Of a node, workload or pod.
inline constexpr Index kNone = 0xffff'ffff;
inline constexpr Ms kNever = std::numeric_limits<Ms>::max();
inline constexpr std::int64_t kMib = 1'048'576;
inline constexpr double kSystemCores = 0.06;  ///< Kubelet and kernel on every node.
/// Pods of a workload are checked for memory one by one only if a pod this many sigmas above the
/// mean would be killed.
inline constexpr double kMemoryCheckSigmas = 4.0;

inline Ms ms_of(Duration d) { return d.us / 1000; }
inline TimePoint time_of(Ms at) { return {at * 1000}; }
inline double seconds_of(Ms span) { return static_cast<double>(span) / 1000.0; }

/// After what time the pods of a workload that are given another CPU limit at `now` have it. One
/// draw for all of them: see docs/decisions/0030.
inline Ms resize_ms(std::uint64_t seed, std::uint64_t entity, Ms now) {
    const std::uint64_t index = (std::uint64_t{1} << 54) | static_cast<std::uint64_t>(now);
    const double u = random::uniform01(draw(seed, Stream::jitter, entity, index));
    return static_cast<Ms>(resize_s(u) * 1000.0);
}

// --- Nodes. --------------------------------------------------------------------------------------

enum class LeaseMode : std::uint8_t { regular, late, silent };

/// A node that degrades: signs grow until it fails or heals.
struct Episode {
    bool active = false;
    bool fails = false;
    Ms begin = 0;
    Ms lead = 1;  ///< Severity reaches 1 after this.
    Ms end = 0;   ///< When it fails or heals.
    double gamma = 1.0;
    double pressure_from = 1.0;  ///< Severity at which a pressure condition appears.
    Ms repair = 0;               ///< After the failure; 0: it is removed.
    FaultCause cause = FaultCause::degrading;
};

/// Signs that are no reason to worry.
struct Nuisance {
    bool lag = false;
    bool pressure = false;
    double io = 0.0;
    Ms end = 0;
};

/// The kinds of planned events of a node that can be cancelled.
enum class NodeClock : std::uint8_t {
    fault,
    episode,
    gray,
    nuisance,
    flap,
    symptom,
    lease,
    unready,
    evict,
    back,
    count
};

struct NodeState {
    model::NodeId id;
    model::Uid uid;
    std::uint64_t entity = 0;
    Name zone, rack, pool;
    Index zone_index = 0, rack_index = 0, group = 0;
    bool exists = true;
    bool worker = true;
    double cores = 0.0;
    std::int64_t cpu_m = 0, memory = 0;
    std::int32_t pods_max = 0;
    double io_bytes_s = 0.0, net_bytes_s = 0.0;

    // As the API shows it.
    model::Readiness ready = model::Readiness::yes;
    Ms ready_since = 0;
    bool memory_pressure = false, disk_pressure = false;
    model::Taint taint = model::Taint::none;
    model::Power power = model::Power::on;
    std::int64_t clock_ppm = 1'000'000;
    std::optional<model::Mark> mark;
    std::uint64_t version = 1;

    // Bound pods: the first `active` of them run. `works` says whose they are, for quick sums.
    std::int64_t cpu_requested_m = 0, memory_requested = 0;
    std::vector<Index> pods, works;
    Index active = 0;
    Index batch = 0;  ///< Pods of Jobs among them.

    // Lease.
    LeaseMode lease = LeaseMode::regular;
    Ms lease_phase = 0;  ///< Regular renewals happen at this offset.
    Ms lease_at = 0;     ///< Of the last renewal, unless regular.
    Ms lease_told = std::numeric_limits<Ms>::min();

    // Health.
    bool down = false;     ///< Failed: nothing on it runs.
    bool returns = true;   ///< If down: whether it comes back.
    bool cut_off = false;  ///< Flapping: its pods run, but nobody can reach them.
    Episode episode;
    Nuisance nuisance;
    double gray = 1.0;  ///< Speed while a slow spell lasts.
    Ms flaps_until = 0;
    double sudden_left = 0.0, episode_left = 0.0;  ///< Hazard left until the threshold.
    Ms rack_fails_at = kNever;                     ///< The next shock of its rack.
    Ms script_fails_at = kNever;                   ///< The next time that the script takes it down.
    std::uint32_t epoch = 0;                       ///< Thresholds drawn so far.
    std::array<std::uint32_t, static_cast<std::size_t>(NodeClock::count)> clocks{};

    // Use, constant since `accounted`.
    double z = 0.0;          ///< Slow noise on its speed.
    double slowness = 1.0;   ///< 1 / speed without neighbours.
    bool contended = false;  ///< Its pods want more than its cores.
    double cpu_used = 0.0, memory_used = 0.0, io_used = 0.0, net_used = 0.0;
    double power_w = 0.0;
    Ms accounted = 0;
    double cpu_total = 0.0, io_total = 0.0, net_total = 0.0;  ///< Times milliseconds.
    double energy_mj = 0.0;
    std::int64_t on_ms = 0;

    bool dirty = false;

    std::uint32_t& clock(NodeClock c) { return clocks[static_cast<std::size_t>(c)]; }
    std::uint32_t clock(NodeClock c) const { return clocks[static_cast<std::size_t>(c)]; }
    bool runs() const { return !down && power == model::Power::on; }
    double utilisation() const { return cpu_used / cores; }
};

// --- Pods. ---------------------------------------------------------------------------------------

enum class Stage : std::uint8_t {
    free,         ///< The slot is empty.
    gated,        ///< Held by our admission.
    waiting,      ///< Not placed.
    starting,     ///< Placed, not yet ready.
    serving,      ///< Ready; a pod of a Job: running.
    crashed,      ///< Its container waits to be started again.
    terminating,  ///< Asked to stop.
    succeeded,    ///< Done, and soon gone.
};

struct PodState {
    model::Uid uid;
    std::uint64_t serial = 0;  ///< Order of creation in the world.
    Index work = kNone, node = kNone, in_work = 0, in_node = 0;
    Index run = kNone;  ///< Of a Job.
    Stage stage = Stage::free;
    bool reachable = true;  ///< False: its node is down or cut off, and it serves nobody.
    bool shown_ready = false;
    bool told = false, dirty = false;
    bool counted = false;  ///< Among its workload's pods that wait for a shortage or our gate.
    std::uint32_t generation = 0;
    std::uint32_t resize = 0;  ///< Generation of resizes.
    std::uint32_t ordinal = 0;
    std::array<char, 12> tail{};
    Ms created = 0, ready_at = 0;
    Ms started = kNever;        ///< When its node took it up; never: not yet.
    Ms ready_changed = kNever;  ///< When `shown_ready` last became what it is.
    Ms ended = kNever;          ///< When its container last ended.
    model::Ending ending = model::Ending::none;
    std::uint8_t exit_code = 0;
    std::int32_t restarts = 0, kills = 0, deletion_cost = 0, priority = 0;
    model::CauseSet causes;
    std::int64_t cpu_request_m = 0, cpu_limit_m = 0, cpu_limit_next_m = 0;
    std::int64_t memory_request = 0, memory_limit = 0;
    double share = kUnlimited;                ///< Cores that a crowded node leaves it.
    double work_left = 0.0, work_rate = 0.0;  ///< Core-seconds, cores; of a Job.
    Ms work_at = 0;
    std::uint64_t version = 1;
    model::DecisionId mark;  ///< Of our mark; nobody asks this cluster for the rest of it.
};

// --- Workloads. ----------------------------------------------------------------------------------

/// Rates per millisecond that hold since `since`, and what they have added up to before.
struct Flow {
    Ms since = 0;
    double offered = 0.0, done = 0.0, lost = 0.0, violating = 0.0, cpu = 0.0, queue = 0.0;
    double latency = 0.0;  ///< Seconds of the 95th percentile times requests done.
    double spread = 0.0;   ///< Of the latency, in logarithms, times requests done.
    double offered_total = 0.0, done_total = 0.0, lost_total = 0.0, violating_total = 0.0;
    double cpu_total = 0.0, latency_total = 0.0, spread_total = 0.0;
    double queued = 0.0;      ///< At `since`.
    double lost_per_s = 0.0;  ///< Feeds retries.
    double debt = 0.0;        ///< In flight on pods that died, not yet taken from what is done.
    double rate_per_s = 0.0;  ///< Offered in this step.
    double payload = 1.0;
};

struct WorkState {
    model::WorkloadId id;
    model::Uid uid;
    std::uint64_t entity = 0;
    Name stem;  ///< Of its pods' names.
    bool exists = true;
    bool batch = false, service = false, every_node = false, protect = false, evictable = true;
    bool recreate = false, rwo_volume = false, quorum = false, deliberate = false;
    model::ScaleOwner scale_owner = model::ScaleOwner::nobody;
    model::ScaleOwner size_owner = model::ScaleOwner::nobody;
    std::int32_t priority = 0, wanted = 0;
    std::int64_t cpu_request_m = 0, cpu_limit_m = 0, memory_request = 0, memory_limit = 0;
    std::int32_t budget_min = -1, budget_max = -1, zone_skew_max = 0;
    std::string selector_key, selector_value;
    WorkloadModel model;
    PodNature nature;
    const Series* rate = nullptr;     ///< Points into the scenario.
    const Series* payload = nullptr;  ///< Points into the scenario.
    const JobSpec* job = nullptr;     ///< Points into the scenario.
    double idle_cores = 0.0;
    Ms grace = 0;
    Ms startup_fixed = -1;  ///< -1: computed from what starting takes.
    double startup_p95_s = 0.0;

    std::vector<Index> pods;
    std::vector<std::int32_t> in_zone;  ///< Bound pods by zone.
    std::int32_t serving = 0;           ///< Pods that serve.
    std::int32_t dead = 0;       ///< Pods that do not serve although clients still believe so.
    std::uint32_t ordinals = 0;  ///< Pods ever made.
    bool touched = false, rates_stale = true, reconciling = false;
    PodService service_mean;
    double slowness_mean = 1.0, use_p90 = 1.0, use_max = 1.0;  ///< Over its pods' nodes.
    double age_mean_s = 0.0, age_max_s = 0.0;
    Flow flow;
    double memory_pod = 0.0;  ///< Of one pod, without leaks.
    Ms crashes_until = 0;
    Ms rolled_out = 0;  ///< When a release began that keeps restarting; 0: none did.
    std::uint32_t crash_epoch = 0;
    std::uint32_t job_runs = 0;  ///< Arrivals so far.

    // Integer sums, exact at `accounted`.
    Ms accounted = 0;
    std::int32_t short_pods = 0;
    std::int64_t reserved_m = 0, reserved_bytes = 0;  ///< Of bound pods.
    std::int64_t reserved_m_ms = 0, reserved_mib_ms = 0, pending_ms = 0, service_ms = 0;
    std::int64_t disruptions = 0, rejections = 0, completions = 0;

    std::optional<model::Mark> mark;
    std::uint64_t version = 1;
    bool told = false, dirty = false;
    std::shared_ptr<const model::PodShape> shape;  ///< Of pods as it makes them, once one was told.
};

/// What one running pod of a workload takes of its node.
struct Use {
    double scaled = 0.0;  ///< Cores on a node of normal speed; slower nodes need more.
    double fixed = 0.0;   ///< Cores whatever the node's speed.
    double memory = 0.0, io = 0.0, net = 0.0;
};

/// One arrival of a Job.
struct JobRun {
    Index work = kNone;
    std::uint32_t number = 0;
    std::int32_t pods_left = 0;
    bool held = false;
    Ms arrived = 0;
};

struct Waiting {
    Index pod = kNone;
    std::uint32_t generation = 0;
};

struct NamedMark {
    Name space;
    model::Mark mark;
};

// --- The world. ----------------------------------------------------------------------------------

struct State {
    std::shared_ptr<const Scenario> scenario;
    std::uint64_t seed = 0;
    Ms now = 0;
    EventQueue queue;
    std::uint64_t events = 0;
    std::vector<Happening>* happenings = nullptr;  ///< Where they are written; null in a fork.

    std::vector<NodeState> nodes;
    std::vector<WorkState> works;
    std::vector<Use> uses;  ///< By workload.
    std::vector<PodState> pods;
    std::vector<Index> free_pods;
    std::vector<JobRun> runs;
    std::vector<Index> free_runs;
    std::vector<Index> held_runs;       ///< Oldest first.
    std::vector<std::uint64_t> images;  ///< A bit per node and workload.
    std::size_t image_words = 0;        ///< Per node.
    std::vector<Name> zones, racks;

    std::uint64_t serials = 0, versions = 1;
    std::int64_t step_number = 0, noise_number = 0;
    Ms next_step = 0;
    std::vector<Index> touched;  ///< Workloads to settle again before time advances.

    // Scheduler.
    std::vector<Waiting> waiting;
    Ms schedule_at = kNever;
    std::uint32_t schedule_generation = 0;
    Index schedule_start = 0;
    std::vector<std::uint64_t> stamp;       ///< By node: of which pod the count is.
    std::vector<std::int32_t> stamp_count;  ///< Pods of the same workload on the node.
    std::uint64_t stamp_number = 0;
    std::int64_t cluster_cpu_m = 0, cluster_memory = 0;  ///< Allocatable of workers.

    // Standing orders.
    AdmissionOrder order;
    std::int64_t cap_cpu_ppm = 1'000'000, cap_memory_ppm = 1'000'000;
    Ms cap_until = 0;
    std::vector<Name> cap_spaces;  ///< The namespaces that the cap applies to; empty: all.
    std::int64_t batch_cpu_m = 0, batch_memory = 0;  ///< Requested by bound pods of Jobs.
    std::optional<model::Mark> cluster_mark;
    std::vector<NamedMark> space_marks;
    std::uint64_t cluster_version = 1;

    // Exerciser.
    Index exercise_work = kNone;
    std::int64_t exercise_number = 0;
    std::optional<model::Stimulus> stimulus;

    std::vector<SourceFeed> feeds;
    Truth truth;

    // What is not reported yet. Before the first report everything is new, so nothing is listed.
    bool reporting = true, begun = false;
    std::vector<Index> dirty_nodes, dirty_works, dirty_pods;
    std::vector<model::Uid> gone_pods, gone_works, gone_nodes;
    std::vector<cluster::PodRestarted> restarts;
    std::vector<std::uint32_t> place_ids;                 ///< By workload; 0: it may be anywhere.
    std::vector<std::vector<std::uint64_t>> places_told;  ///< By id, less one.
    std::vector<double> scratch;  ///< Reused, so that no event allocates; likewise those below.
    std::vector<Index> spare;
    std::vector<CpuWant> wants;
    std::vector<double> shares;

    bool listing() const { return reporting && begun; }
};

/// Counts what happened, and writes it down if asked to.
inline void happened(State& s, Happened what, Index entity, std::uint64_t number = 0) {
    ++s.events;
    if (s.happenings == nullptr) [[likely]]
        return;
    const std::uint64_t thing = (static_cast<std::uint64_t>(what) << 56) | (number << 32) | entity;
    s.happenings->push_back({s.now, thing});
}

inline void node_changed(State& s, Index n) {
    if (!s.listing() || s.nodes[n].dirty) return;
    s.nodes[n].dirty = true;
    s.dirty_nodes.push_back(n);
}
inline void work_changed(State& s, Index w) {
    if (!s.listing() || s.works[w].dirty) return;
    s.works[w].dirty = true;
    s.dirty_works.push_back(w);
}
inline void pod_changed(State& s, Index p) {
    PodState& pod = s.pods[p];
    if (!s.listing() || pod.dirty) return;
    pod.dirty = true;
    s.dirty_pods.push_back(p);
}

/// Marks a workload to be settled again before time advances.
inline void touch(State& s, Index w) {
    WorkState& work = s.works[w];
    work.rates_stale = true;
    if (work.touched) return;
    work.touched = true;
    s.touched.push_back(w);
}

/// Plans an event that is cancelled when the same clock is wound again.
inline void wind(State& s, Index n, NodeClock clock, EventKind kind, Ms at) {
    s.queue.push(at, kind, n, ++s.nodes[n].clock(clock));
}
inline void unwind(State& s, Index n, NodeClock clock) { ++s.nodes[n].clock(clock); }

}  // namespace parley::sim
