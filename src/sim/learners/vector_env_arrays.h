// Simulation, arrays of an environment: nodes, workloads and pods of a cluster as flat arrays, and
// the functions that step them. Included only by vector_env*.cc.
//
// The rules are those of the world (world_load, world_pods, world_replicas, scheduler), with the
// same order of summation. A test checks that both agree.

#pragma once

#include "sim/learners/vector_env.h"
#include "sim/load/lanes.h"
#include "sim/load/load.h"
#include "sim/world/world_state.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace parley::sim {

/// Rows that are accessed by index only: fixed in number once filled. Indexes are not checked,
/// since they come from here, too, and this is the hot path.
template <class T>
class Rows {
public:
    Rows() = default;
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    void fill(std::vector<T> rows) {
        rows_ = std::move(rows);
        data_ = rows_.data();
    }
    /// Copies these rows; allocates only if there are more than ever before.
    void copy(const std::vector<T>& rows) {
        rows_ = rows;
        data_ = rows_.data();
    }
    /// Makes `size` equal rows; allocates only if there are more than ever before.
    void assign(std::size_t size, const T& row) {
        rows_.assign(size, row);
        data_ = rows_.data();
    }
    Index size() const { return static_cast<Index>(rows_.size()); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    std::span<const T> all() const { return rows_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

private:
    std::vector<T> rows_;
    T* data_ = nullptr;
};

/// Members that are used together stand together, to share cache lines.
struct EnvNode {
    double cores = 0.0, slowness = 1.0, cpu_used = 0.0, io_used = 0.0, net_used = 0.0;
    double io_bytes_s = 0.0, net_bytes_s = 0.0, io_per_byte = 0.0, net_per_byte = 0.0;
    double phi = 1.0;  ///< 1 / slowness.
    double io_utilisation = 0.0;
    double net_idle = 1.0;  ///< Share of the network.
    double speed = 1.0, z = 0.0;
    bool contended = false;
    Index active = 0, bound = 0;  ///< Pods; the first `active` of its list serve.
    Index zone = 0;
    std::uint64_t entity = 0;
    std::uint64_t stamp = 0;  ///< The pod that the count belongs to.
    std::int32_t stamp_count = 0;
};

struct EnvWork {
    WorkloadModel model;  ///< Without objective: the violating share is not needed.
    PodNature nature;
    Flow flow;
    PodService service;                 ///< Mean of its pods.
    Ms ready_sum = 0, ready_first = 0;  ///< Of pods that serve.
    double slowness_mean = 1.0, age_mean_s = 0.0, age_max_s = 0.0, memory_pod = 0.0;
    double io_per_byte = 0.0, net_per_byte = 0.0;   ///< Share of its nodes' bandwidth, mean.
    double done_per_s = 0.0, latency_mean_s = 0.0;  ///< As last settled.
    double io = 0.0, net = 0.0;                     ///< Per millisecond.
    double io_total = 0.0, net_total = 0.0;         ///< So far.
    Index count = 0;                                ///< Pods.
    std::int32_t wanted = 0, serving = 0;
    bool rates_stale = true, pods_stale = true;
    bool listed = false;                     ///< It is in the list of changed workloads.
    Ms changed_at = kNever;                  ///< Its pods changed and it was not settled since.
    Ms resize_at = kNever;                   ///< When pods that wait for a new CPU limit get it.
    std::int32_t oom_kills = 0, served = 0;  ///< In this step; most pods that served.
    std::uint32_t ordinals = 0;
    std::int32_t priority = 0;
    std::int64_t cpu_limit_m = 0, memory_limit = 0;  ///< As last asked for.
    std::int64_t cpu_request_m = 0, template_cpu_m = 0, template_memory = 0;
    Ms grace = 0;
    std::uint64_t entity = 0;
    const Series* rate = nullptr;
    const Series* payload = nullptr;
    double objective_s = kUnlimited;
    double memory_worst = 1.0;      ///< Factor of the worst pod that is to be expected.
    std::array<double, 2> knots{};  ///< Logarithms of the noise on its rate.
};

struct EnvPod {
    Index work = kNone, node = kNone, in_work = kNone, in_node = kNone;
    Stage stage = Stage::free;
    bool resizing = false;  ///< The next limit becomes the limit when its workload is resized.
    std::uint32_t generation = 0, ordinal = 0;
    Ms ready_at = 0;
    std::int64_t cpu_limit_m = 0, memory_limit = 0;
    double share = kUnlimited;
    std::int64_t cpu_limit_next_m = 0;
    std::uint64_t serial = 0;
    std::int32_t restarts = 0, kills = 0;
};

/// Totals of a workload at the end of the last step.
struct EnvTotals {
    double offered = 0.0, done = 0.0, lost = 0.0, cpu = 0.0;
    double latency = 0.0, spread = 0.0, io = 0.0, net = 0.0;
};

/// What the last step showed.
struct EnvSeen {
    Rows<EnvTotals> totals;
    Rows<double> requests_per_s, latency_p95_s;  ///< As exported.
    Rows<EnvTruth> truth;
    Rows<double> states, rewards_measured, rewards_true;
    Rows<std::uint16_t> valid;
    Rows<std::uint8_t> legal, refused;
};

/// What four nodes have left, in whole numbers; missing nodes have nothing. The alignment is
/// explicit, because g++ without AVX would choose only half of it.
struct alignas(sizeof(Four)) EnvRoom {
    Four cpu_m{}, memory{}, pods{};
    Four cpu_whole_m = every<Four>(1.0), memory_part = every<Four>(1.0);  ///< A thousandth.
};

/// A cluster before anything is placed, independent of the seed: every reset starts from it.
struct EnvBlank {
    std::vector<EnvNode> nodes;
    std::vector<EnvRoom> rooms;
    std::vector<EnvWork> works;
    std::vector<EnvPod> pods;  ///< Waiting pods, then free slots.
    std::vector<Use> uses;
    std::vector<Index> work_pods;  ///< Laid out as in EnvArrays.
    std::vector<Waiting> waiting;  ///< In the order in which they are placed.
    std::vector<Index> free;
    Ms schedule_at = kNever;
    std::uint32_t schedule_generation = 0;
};

struct EnvArrays {
    std::shared_ptr<Scenario> scenario;
    EnvBlank blank;
    EnvOptions options;
    std::uint32_t feed = 0;  ///< The source that measures.

    std::uint64_t seed = 0, serials = 0;
    Ms now = 0, next_step = 0, next_noise = 0;
    std::int64_t step_number = 0, noise_number = 0, scrapes = 0, steps = 0;
    double noise_decay = 0.0, noise_fresh = 0.0;

    Rows<EnvNode> nodes;
    Rows<EnvRoom> rooms;
    Rows<double> scores;  ///< Scores of nodes for the pod that is being placed.
    Rows<EnvWork> works;
    Rows<Use> uses;  ///< By workload.
    Rows<EnvPod> pods;
    Index node_room = 0, work_room = 0, zones = 0;  ///< Places in the lists that follow.
    Rows<Index> node_pods, node_works;              ///< `node_room` per node.
    Rows<Index> work_pods;                          ///< `work_room` per workload.
    Rows<Index> serving;                            ///< `work_room` per workload: those that serve.
    Rows<std::int32_t> in_zone;                     ///< `zones` per workload.
    Rows<std::uint8_t> images;  ///< Per node and workload: whether the image is there.
    std::vector<Index> free;
    EnvSeen seen;

    EventQueue queue;
    /// How many events it has held so far, and so holds without allocating.
    std::size_t queue_room = 0;
    std::vector<Index> changed;      ///< Workloads that may have something to settle.
    std::vector<Index> settled;      ///< Workloads that are settled together ...
    std::vector<Settling> settling;  ///< ... and what goes into that.
    std::vector<Waiting> waiting;
    Ms schedule_at = kNever;
    std::uint32_t schedule_generation = 0;
    Index schedule_start = 0;
    std::uint64_t stamp_number = 0;
    std::vector<CpuWant> wants;
    std::vector<double> shares;
};

inline bool serves(const EnvArrays& e, Index p) { return e.pods[p].stage == Stage::serving; }

inline void list_changed(EnvArrays& e, Index w) {
    if (std::exchange(e.works[w].listed, true)) return;
    e.changed.push_back(w);
}

// --- vector_env_reset.cc -------------------------------------------------------------------------

/// Copies everything in a world at time 0, except placements.
void take_over(EnvArrays& e, const State& s);
/// Places everything as that world would with this seed, as long ready.
void start(EnvArrays& e, std::uint64_t seed);

// --- vector_env_choice.cc ------------------------------------------------------------------------

/// Where the scheduler puts the pod now; kNone: nowhere.
Index choose_node(EnvArrays& e, Index p);

// --- vector_env_pods.cc --------------------------------------------------------------------------

/// Puts a waiting pod where the scheduler would, serving at once; false: there is no place.
bool place_serving(EnvArrays& e, Index p);
/// Processes all events up to `until`, without new loads.
void run_events(EnvArrays& e, Ms until);
void set_wanted(EnvArrays& e, Index w, std::int32_t wanted);
void resize_cpu(EnvArrays& e, Index w, std::int64_t limit_m);
/// The least free memory on any node.
std::int64_t least_free_memory(const EnvArrays& e);
/// Whether every pod can be given `limit`, if each node has at least `free` left. True: surely;
/// false: perhaps.
bool memory_surely_fits(const EnvArrays& e, Index w, std::int64_t limit, std::int64_t free);
/// Whether the pods and nodes can hold it.
bool memory_fits(const EnvArrays& e, Index w, std::int64_t limit);
void resize_memory(EnvArrays& e, Index w, std::int64_t limit);
void kill_container(EnvArrays& e, Index p);

// --- vector_env_service.cc -----------------------------------------------------------------------

/// Recomputes what the pods of a workload can serve now.
void refresh_service(EnvArrays& e, Index w, Ms at);

// --- vector_env_load.cc --------------------------------------------------------------------------

void step_load(EnvArrays& e);
void step_noise(EnvArrays& e);
/// Call it before pods of a workload begin or stop serving: the time before is settled with those
/// that served then.
void change_pods(EnvArrays& e, Index w);
/// Call it before their order changes, which fixes the rounding of their sums.
void change_order(EnvArrays& e, Index w);
/// Settles everything that changed up to `until`. Workloads do not affect each other within a step,
/// so that several can be settled together.
void settle_changes(EnvArrays& e, Ms until);
double memory_of(const EnvArrays& e, Index p);

}  // namespace parley::sim
