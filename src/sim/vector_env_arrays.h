// Simulation, arrays of an environment: nodes, workloads and pods of a cluster as arrays, with the
// functions that move them. Nobody but vector_env*.cc includes it.
//
// The rules are those of the world (world_load, world_pods, world_replicas, scheduler), in the same
// order of summation. A test holds the two together.

#pragma once

#include "sim/load.h"
#include "sim/vector_env.h"
#include "sim/world_state.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace parley::sim {

struct EnvNodes {
    Index size = 0;
    Index room = 0;  ///< Places in the lists of pods, per node.
    std::vector<double> cores, io_bytes_s, net_bytes_s, speed;
    std::vector<double> io_per_byte, net_per_byte;  ///< Share of the bandwidth.
    std::vector<std::int64_t> cpu_m, memory;
    std::vector<std::int32_t> pods_max;
    std::vector<std::uint64_t> entity;
    std::vector<Index> zone;
    std::vector<double> z, slowness, cpu_used, io_used, net_used;
    std::vector<std::uint8_t> contended;
    std::vector<std::int64_t> cpu_requested_m, memory_requested;
    std::vector<Index> bound, active;   ///< Pods; the first `active` of a node's list serve.
    std::vector<Index> pods, works;     ///< `room` per node.
    std::vector<std::uint8_t> images;   ///< Per node and workload: there.
    std::vector<std::uint64_t> stamp;   ///< Whose the count is.
    std::vector<std::int32_t> stamp_count;
};

struct EnvWorks {
    Index size = 0;
    Index room = 0;  ///< Places in the lists of pods, per workload.
    Index zones = 0;
    std::vector<WorkloadModel> model;  ///< Without objective: nobody asks for the violating share.
    std::vector<double> objective_s;
    std::vector<PodNature> nature;
    std::vector<const Series*> rate, payload;
    std::vector<std::uint64_t> entity;
    std::vector<std::int32_t> priority;
    std::vector<Ms> grace;
    std::vector<std::int64_t> cpu_request_m, template_cpu_m, template_memory;
    std::vector<double> memory_worst;  ///< Factor of the worst pod that is looked for.
    std::vector<std::array<double, 2>> knots;  ///< Logarithms of the noise on its rate.

    std::vector<std::int32_t> wanted, serving;
    std::vector<std::int64_t> cpu_limit_m, memory_limit;  ///< As last asked for.
    std::vector<std::uint32_t> ordinals;
    std::vector<std::uint8_t> touched, rates_stale;
    std::vector<PodService> service;
    std::vector<double> slowness_mean, age_mean_s, age_max_s, memory_pod;
    std::vector<double> io_per_byte, net_per_byte;  ///< Share of its nodes' bandwidth, mean.
    std::vector<Use> use;
    std::vector<Flow> flow;
    std::vector<double> done_per_s, latency_mean_s;  ///< As last settled.
    std::vector<double> io, net, io_total, net_total;  ///< Per millisecond, and so far.
    std::vector<Index> count, pods;                    ///< `room` per workload.
    std::vector<std::int32_t> in_zone;                 ///< `zones` per workload.
    std::vector<std::int32_t> oom_kills, served;       ///< In this step; most pods that served.
};

struct EnvPods {
    std::vector<std::uint64_t> serial;
    std::vector<Index> work, node, in_work, in_node;
    std::vector<Stage> stage;
    std::vector<std::uint32_t> generation, resize, ordinal;
    std::vector<Ms> ready_at;
    std::vector<std::int32_t> restarts, kills;
    std::vector<std::int64_t> cpu_limit_m, cpu_limit_next_m, memory_limit;
    std::vector<double> share;
    std::vector<PodService> service;     ///< As last worked out,
    std::vector<std::int64_t> worked_out;  ///< while nodes were as now and nothing squeezed it.
    std::vector<Index> free;
};
inline constexpr std::int64_t kNotWorkedOut = -1;

/// Totals at the end of the step before, and what the last step showed.
struct EnvSeen {
    std::vector<double> offered, done, lost, cpu, latency, spread, io, net;
    std::vector<double> requests_per_s, latency_p95_s;  ///< As exported.
    std::vector<EnvTruth> truth;
    std::vector<double> states, rewards_measured, rewards_true;
    std::vector<std::uint16_t> valid;
    std::vector<std::uint8_t> legal, refused;
};

struct EnvArrays {
    std::shared_ptr<Scenario> scenario;
    EnvOptions options;
    std::uint32_t feed = 0;  ///< The source that measures.

    std::uint64_t seed = 0, serials = 0;
    Ms now = 0, next_step = 0, next_noise = 0;
    std::int64_t step_number = 0, noise_number = 0, scrapes = 0, steps = 0;
    std::int64_t surroundings = 0;  ///< Counts changes of nodes and payloads.
    double noise_decay = 0.0, noise_fresh = 0.0;

    EnvNodes nodes;
    EnvWorks works;
    EnvPods pods;
    EnvSeen seen;

    EventQueue queue;
    std::vector<Index> touched;
    std::vector<Waiting> waiting;
    Ms schedule_at = kNever;
    std::uint32_t schedule_generation = 0;
    Index schedule_start = 0;
    std::uint64_t stamp_number = 0;
    std::vector<CpuWant> wants;
    std::vector<double> shares;
};

inline bool serves(const EnvArrays& e, Index p) { return e.pods.stage[p] == Stage::serving; }

inline void touch(EnvArrays& e, Index w) {
    e.works.rates_stale[w] = 1;
    if (e.works.touched[w] != 0) return;
    e.works.touched[w] = 1;
    e.touched.push_back(w);
}

// --- vector_env_reset.cc -------------------------------------------------------------------------

/// Takes over a world at time 0, before anything has happened.
void take_over(EnvArrays& e, const State& s);

// --- vector_env_pods.cc --------------------------------------------------------------------------

/// Everything up to `until`, without new loads.
void run_events(EnvArrays& e, Ms until);
void set_wanted(EnvArrays& e, Index w, std::int32_t wanted);
void resize_cpu(EnvArrays& e, Index w, std::int64_t limit_m);
/// Whether every pod and node can hold it.
bool memory_fits(const EnvArrays& e, Index w, std::int64_t limit);
void resize_memory(EnvArrays& e, Index w, std::int64_t limit);
void kill_container(EnvArrays& e, Index p);

// --- vector_env_load.cc --------------------------------------------------------------------------

void step_load(EnvArrays& e);
void step_noise(EnvArrays& e);
void settle_touched(EnvArrays& e);
double memory_of(const EnvArrays& e, Index p);

}  // namespace parley::sim
