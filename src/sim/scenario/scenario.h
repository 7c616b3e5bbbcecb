// Simulation, scenario: everything that makes up a simulated cluster, as a plain value.
//
// A scenario file has these names as its keys. Times are seconds, CPU is in millicores, memory in
// MiB. Every field has a default, so a file says only what matters.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "base/time.h"
#include "exercise/phases.h"
#include "model/ids.h"
#include "model/reading.h"
#include "model/snapshot.h"
#include "sim/scenario/fault_rules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parley::sim {

enum class SeriesKind : std::uint8_t { constant, daily, points };
BOOST_DESCRIBE_ENUM(SeriesKind, constant, daily, points)

struct SeriesPoint {
    Duration at;         ///< Since the start of the run.
    double value = 0.0;  ///< From then on, until the next point.
    friend bool operator==(const SeriesPoint&, const SeriesPoint&) = default;
};
BOOST_DESCRIBE_STRUCT(SeriesPoint, (), (at, value))

/// A quantity over time: (shape x scale) x noise.
struct Series {
    SeriesKind kind = SeriesKind::constant;  ///< How the shape is given.
    double base = 0.0;                       ///< Its value; of `daily`, its mean over a day.
    double amplitude = 0.5;   ///< Of `daily`: peak above the mean, as a share of it, 0 to 1.
    double peak_hour = 14.0;  ///< Of `daily`: the hour of its peak, counted from the start.
    double noise = 0.0;       ///< Spread of a slow random factor, in logarithms; 0.1 is about 10 %.
    double scale = 1.0;       ///< Multiplies everything.
    Duration offset;          ///< How far into the series the run begins.
    Duration repeat;          ///< Of `points`: starts over after this; 0 holds the last value.
    bool ramp = false;        ///< Of `points`: straight lines between points instead of steps.
    std::vector<SeriesPoint> points;  ///< Of `points`: in order of time.
    std::string file;                 ///< A CSV file of `seconds,value` lines that become `points`.
    friend bool operator==(const Series&, const Series&) = default;
};
BOOST_DESCRIBE_STRUCT(Series, (),
                      (kind, base, amplitude, peak_hour, noise, scale, offset, repeat, ramp, points,
                       file))

/// Equal nodes, named `<name>-01`, `<name>-02` and so on.
struct NodeGroup {
    std::string name = "node";  ///< First part of their names.
    std::int32_t count = 12;    ///< How many there are.
    std::int32_t zones = 3;     ///< Zones that they are dealt out to in turn: zone-a, zone-b, ...
    std::int32_t racks = 2;     ///< Racks in each zone; nodes of a rack can fail together.
    std::string pool = "general";                    ///< A name that selectors can ask for.
    model::NodeRole role = model::NodeRole::worker;  ///< Control plane nodes take no workloads.
    std::int64_t cpu_m = 8'000;                      ///< Allocatable CPU.
    std::int64_t memory_mib = 32'768;                ///< Allocatable memory.
    std::int32_t pods_max = 110;                     ///< How many pods fit.
    double speed = 1.0;                              ///< Of its cores, relative to the usual.
    double disk_mb_s = 500.0;                        ///< Disk bandwidth.
    double net_mb_s = 1'250.0;                       ///< Network bandwidth.
    Duration boot = seconds(120);                    ///< From switching on to Ready.
    double power_scale = 1.0;                        ///< Multiplies 80 + 120 cpu + 60 memory watts.
    double hazard_scale = 1.0;                       ///< Multiplies the rates of `faults`.
    bool can_power = false;                          ///< Something can switch it off and on.
    bool can_clock = false;                          ///< Something can set its clock.
    friend bool operator==(const NodeGroup&, const NodeGroup&) = default;
};
BOOST_DESCRIBE_STRUCT(NodeGroup, (),
                      (name, count, zones, racks, pool, role, cpu_m, memory_mib, pods_max, speed,
                       disk_mb_s, net_mb_s, boot, power_scale, hazard_scale, can_power, can_clock))

/// The name of the `i`th node of a group, from 0.
std::string node_name(const NodeGroup& group, std::int32_t i);

enum class Balancing : std::uint8_t { random, pooled };
BOOST_DESCRIBE_ENUM(Balancing, random, pooled)

/// What requests to a workload cost, and how many come.
struct Service {
    Series rate;                        ///< Requests per second offered to the whole workload.
    Series payload = {.base = 1.0};     ///< Size of requests; multiplies CPU and traffic.
    double demand_ms = 20.0;            ///< Mean CPU time of a request.
    double demand_cv2 = 1.0;            ///< Squared coefficient of variation of that time.
    double arrival_cv2 = 1.0;           ///< Dispersion of arrivals; 1 is Poisson.
    double parallelism = 1.0;           ///< Cores that a pod can use at once.
    double fixed_latency_ms = 2.0;      ///< Waiting for others that costs no CPU.
    double disk_kb = 0.0;               ///< Disk traffic of a request.
    double net_kb = 10.0;               ///< Network traffic of a request.
    double sensitivity = 0.3;           ///< How much busy neighbours slow it down.
    double memory_pressure_cost = 0.5;  ///< Share by which CPU demand grows at the memory limit.
    Duration timeout = seconds(5);      ///< A client gives up after this.
    double queue_max = 1'000.0;         ///< Requests that may wait; more are lost.
    double retry_ratio = 0.0;           ///< Share of lost requests that come again, below 1.
    Duration objective = milliseconds(500);  ///< A slower request violates the objective.
    Balancing balance = Balancing::random;   ///< A queue per pod, or one for all.
    friend bool operator==(const Service&, const Service&) = default;
};
BOOST_DESCRIBE_STRUCT(Service, (),
                      (rate, payload, demand_ms, demand_cv2, arrival_cv2, parallelism,
                       fixed_latency_ms, disk_kb, net_kb, sensitivity, memory_pressure_cost,
                       timeout, queue_max, retry_ratio, objective, balance))

/// What starting, holding and stopping a pod takes.
struct PodSpec {
    std::int64_t cpu_request_m = 250;       ///< CPU that the scheduler sets aside.
    std::int64_t cpu_limit_m = 0;           ///< CPU it may use; 0: no limit.
    std::int64_t memory_request_mib = 256;  ///< Memory that the scheduler sets aside.
    std::int64_t memory_limit_mib = 0;      ///< Over this it is killed; 0: no limit.
    double startup_core_s = 4.0;            ///< CPU work before it can be ready.
    double image_mb = 200.0;                ///< Pulled on a node's first pod of the workload.
    Duration probe = seconds(2);            ///< Period of its readiness probe.
    Duration grace = seconds(10);           ///< Time it may take to stop.
    double warmup_peak = 1.0;               ///< CPU of a fresh pod over that of an old one.
    Duration warmup = seconds(60);          ///< Time constant of warming up.
    double memory_mib = 128.0;              ///< Memory that an idle pod holds.
    double memory_request_mb = 0.5;         ///< Memory of a request in flight.
    double leak_mib_hour = 0.0;             ///< Growth of memory with age.
    double memory_noise = 0.02;             ///< Spread of memory between pods, in logarithms.
    friend bool operator==(const PodSpec&, const PodSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(PodSpec, (),
                      (cpu_request_m, cpu_limit_m, memory_request_mib, memory_limit_mib,
                       startup_core_s, image_mb, probe, grace, warmup_peak, warmup, memory_mib,
                       memory_request_mb, leak_mib_hour, memory_noise))

/// A Deployment, StatefulSet, DaemonSet or bare pod.
struct WorkloadSpec {
    std::string space = "default";                               ///< Its namespace.
    model::WorkloadKind kind = model::WorkloadKind::deployment;  ///< Jobs stand under `jobs`.
    std::string name = "web";
    std::int32_t replicas = 2;  ///< Pods wanted; a DaemonSet has one on every node.
    std::int32_t priority = 0;  ///< Higher is placed first.
    PodSpec pod;
    std::optional<Service> service;  ///< Nothing: it only reserves, and burns `idle_cpu_m`.
    std::int64_t idle_cpu_m = 10;    ///< CPU that a pod without a service burns.
    std::string selector;  ///< `pool=x`, `zone=x`, `rack=x`; anything else matches no node.
    std::int32_t zone_skew_max = 0;  ///< Pods in a zone above the emptiest one; 0: any number.
    std::int32_t budget_min_available = -1;    ///< Disruption budget: pods that stay; -1: none.
    std::int32_t budget_max_unavailable = -1;  ///< Disruption budget: pods that may be gone.
    bool recreate = false;                     ///< Strategy Recreate.
    bool rwo_volume = false;                   ///< Holds a volume that only one node may mount.
    bool quorum = false;                       ///< Loses its quorum when members go.
    bool protect = false;                      ///< Never touched: kube-system and the like.
    bool evictable = true;                     ///< False: its pods may not be moved.
    model::ScaleOwner scale_owner = model::ScaleOwner::nobody;  ///< Who sets its replicas.
    model::ScaleOwner size_owner = model::ScaleOwner::nobody;   ///< Who sets what its pods ask for.
    friend bool operator==(const WorkloadSpec&, const WorkloadSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(WorkloadSpec, (),
                      (space, kind, name, replicas, priority, pod, service, idle_cpu_m, selector,
                       zone_skew_max, budget_min_available, budget_max_unavailable, recreate,
                       rwo_volume, quorum, protect, evictable, scale_owner, size_owner))

/// Jobs that arrive at one moment.
struct JobBurst {
    Duration at;            ///< When.
    std::int32_t jobs = 1;  ///< How many.
    std::string phase;      ///< If named, the burst is reported as a stimulus of this name.
    std::string intent;     ///< What the stimulus means to bring about: `AgentC:admission:queue`.
    friend bool operator==(const JobBurst&, const JobBurst&) = default;
};
BOOST_DESCRIBE_STRUCT(JobBurst, (), (at, jobs, phase, intent))

/// Jobs of one kind that arrive over time, run and go. Shown as one workload.
struct JobSpec {
    std::string space = "batch";  ///< Its namespace.
    std::string name = "report";
    std::int32_t priority = 0;     ///< Higher is placed first.
    Series per_hour;               ///< Jobs that arrive per hour.
    std::vector<JobBurst> bursts;  ///< More, at fixed moments.
    std::int32_t parallel = 2;     ///< Pods of a Job.
    double work_core_s = 120.0;    ///< CPU work of a pod, median.
    double work_spread = 0.5;      ///< Its spread, in logarithms.
    PodSpec pod = {.cpu_request_m = 1'000, .cpu_limit_m = 1'000, .memory_request_mib = 512};
    std::string selector;  ///< As for a workload.
    friend bool operator==(const JobSpec&, const JobSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(JobSpec, (),
                      (space, name, priority, per_hour, bursts, parallel, work_core_s, work_spread,
                       pod, selector))

enum class SourceTrouble : std::uint8_t { outage, late, loss, lie, off };
BOOST_DESCRIBE_ENUM(SourceTrouble, outage, late, loss, lie, off)

/// A source misbehaves for a while.
struct SourceFault {
    SourceTrouble kind = SourceTrouble::outage;  ///< No answer; answers late; a node without
                                                 ///< samples; impossible values; values that
                                                 ///< could be, and are off by `factor`.
    Duration from;                               ///< When it begins.
    Duration lasts = hours(24);                  ///< For how long.
    std::string node;               ///< Of `loss`, `lie`, `off`: the node concerned; empty: all.
    double share = 1.0;             ///< Of `loss`, `lie`, `off`: share of samples concerned.
    Duration late_by = minutes(5);  ///< Of `late`: how much later samples come.
    double factor = 2.718;          ///< Of `off`: how many times the truth CPU and memory read.
    friend bool operator==(const SourceFault&, const SourceFault&) = default;
};
BOOST_DESCRIBE_STRUCT(SourceFault, (), (kind, from, lasts, node, share, late_by, factor))

/// How figures get from the cluster to Parley.
struct SourceSpec {
    model::Source source =
        model::Source::metrics;       ///< `metrics` or `prometheus`; the API is always there.
    bool on = true;                   ///< False: nobody asks it.
    Duration period = seconds(15);    ///< Between samples; each is the mean over this time.
    Duration lag = seconds(1);        ///< From the end of that time to delivery.
    double noise = 0.02;              ///< Error of a sample, in logarithms.
    double loss = 0.0;                ///< Share of samples that never come.
    std::vector<SourceFault> faults;  ///< When it misbehaves.
    friend bool operator==(const SourceSpec&, const SourceSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(SourceSpec, (), (source, on, period, lag, noise, loss, faults))

/// A stimulus that goes through fixed phases, to see how each is answered.
struct ExerciseSpec {
    std::string space = "parley-exercise";          ///< The only namespace it touches.
    exercise::Form form = exercise::Form::profile;  ///< Why pods of the admission phases wait.
    bool randomize = false;        ///< Draw phases and sizes instead of going in order.
    std::uint64_t seed = 31;       ///< Of those draws.
    Duration phase = seconds(18);  ///< How long a phase lasts: six rounds of 3 s.
    friend bool operator==(const ExerciseSpec&, const ExerciseSpec&) = default;
};
BOOST_DESCRIBE_STRUCT(ExerciseSpec, (), (space, form, randomize, seed, phase))

struct Scenario {
    std::string name = "unnamed";
    std::string description;              ///< One line for people, with its size.
    std::vector<NodeGroup> nodes;         ///< At least one group.
    std::vector<WorkloadSpec> workloads;  ///< What is there from the start.
    std::vector<JobSpec> jobs;            ///< What comes and goes.
    FaultRules faults;                    ///< Faults as a random process; off by default.
    std::vector<ScriptedFault> script;    ///< Faults at fixed moments, for demonstrations.
    std::vector<SourceSpec> sources = {
        SourceSpec{}, SourceSpec{.source = model::Source::prometheus}};  ///< Metrics.
    std::optional<ExerciseSpec> exercise;                                ///< Nothing: no exerciser.
    std::optional<Series> energy_price;                                  ///< Nothing: unknown.
    Duration step = seconds(15);        ///< Between changes of load.
    Duration noise_step = seconds(60);  ///< Between changes of how fast nodes are.
    friend bool operator==(const Scenario&, const Scenario&) = default;
};
BOOST_DESCRIBE_STRUCT(Scenario, (),
                      (name, description, nodes, workloads, jobs, faults, script, sources, exercise,
                       energy_price, step, noise_step))

/// What keeps a world from being built.
struct Flaw {
    std::string path;      ///< Of the field, by the keys of a file: `nodes[0].count`.
    std::string sentence;  ///< What it must be, without the path: `must be from 1 to 20000`.

    std::string text() const { return path + " " + sentence; }
    friend bool operator==(const Flaw&, const Flaw&) = default;
};

/// Whether a world can be built from it; if not, the first thing that is wrong.
[[nodiscard]] tl::expected<void, Flaw> validate(const Scenario& scenario);

/// For benches: equal nodes with room for all, and a service per workload.
Scenario sized(std::int32_t nodes, std::int32_t workloads, std::int32_t pods_per_workload);

}  // namespace parley::sim
