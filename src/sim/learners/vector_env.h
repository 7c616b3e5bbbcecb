// Simulation, environment for learners: an action per workload in; state, rewards and legal actions
// out, for a whole cluster at once.
//
// The same cluster as the event-driven world, kept in arrays and stepped by the same functions: the
// same scenario, seed and actions give the same figures. What the world does for people (names,
// uids, changes, energy) is left out.

#pragma once

#include "base/result.h"
#include "sim/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace parley::sim {

struct EnvArrays;

/// Each action changes one dimension by one step.
enum class EnvAction : std::uint8_t {
    none,
    add_replica,
    drop_replica,
    more_cpu,
    less_cpu,
    more_memory,
    less_memory,
};
inline constexpr std::size_t kEnvActions = 7;

/// Indexes into a state. All values are in [0, 1], except `load_change` in [-1, 1].
enum class EnvInput : std::uint8_t {
    cpu_limit,      ///< As a share of its upper bound.
    memory_limit,   ///< As a share of its upper bound.
    replicas,       ///< Wanted, as a share of the upper bound.
    cpu_use,        ///< Measured mean of its pods, over the limit.
    memory_use,     ///< Measured mean of its pods, over the limit.
    io_use,         ///< Disk traffic of a pod, as a share of the node's bandwidth.
    net_use,        ///< Network traffic of a pod, as a share of the node's bandwidth.
    sp_latency,     ///< min(1, objective / latency), lost requests counted at the time-out.
    sp_throughput,  ///< Done of offered.
    load_change,
};
inline constexpr std::size_t kEnvInputs = 10;

struct EnvOptions {
    double alpha = 0.5;                ///< Weight of the objective against use, 0 to 1.
    std::int32_t episode_steps = 100;  ///< An episode is cut off after this many steps.
    std::int32_t replicas_min = 1;
    std::int32_t replicas_max = 20;
    std::int64_t cpu_min_m = 128;  ///< Of the limit; never below the request.
    std::int64_t cpu_max_m = 2'048;
    std::int64_t cpu_step_m = 128;
    std::int64_t memory_min_mib = 256;
    std::int64_t memory_max_mib = 3'072;
    std::int64_t memory_step_mib = 128;
    /// New pods get the scenario's limits, as in a cluster where only running pods are resized.
    bool new_pods_as_template = false;
};

/// The size of a workload at the start of an episode.
struct EnvStart {
    std::int32_t replicas = 1;
    std::int64_t cpu_limit_m = 1'024;
    std::int64_t memory_limit_mib = 2'048;
};

/// What really happened to a workload in the last step, for judging and for tests.
struct EnvTruth {
    double offered = 0.0, done = 0.0, lost = 0.0, cpu_core_s = 0.0;  ///< In the step.
    double queued = 0.0;                                             ///< At its end.
    double latency_p95_s = 0.0;                                      ///< Of requests done.
    double memory_bytes = 0.0;                                       ///< Of a pod.
    std::int32_t serving = 0;                                        ///< Pods, at its end.
    std::int32_t oom_kills = 0;
};

/// Steps are 15 s of the cluster. Nothing is allocated after reset(). One thread at a time.
class VectorEnv {
public:
    /// A cluster of workers and Deployments that serve requests, each with a CPU limit and a memory
    /// limit that equals its request; nothing else happens to it (no Jobs, faults, exerciser). The
    /// last source of the scenario that is on is the one that measures.
    [[nodiscard]] static Result<VectorEnv> make(Scenario scenario, EnvOptions options = {});
    VectorEnv(VectorEnv&&) noexcept;
    VectorEnv& operator=(VectorEnv&&) noexcept;
    ~VectorEnv();

    /// Everything is placed and ready at the scenario's sizes, or at `starts`, one per workload.
    void reset(std::uint64_t seed, std::span<const EnvStart> starts = {});
    /// One action per workload. An illegal one is not carried out and gives -1.
    void step(std::span<const EnvAction> actions);

    std::size_t workloads() const;
    /// kEnvInputs per workload, in the order of EnvInput.
    std::span<const double> states() const;
    /// One bit per input: it was measured. If one is missing, hold, and do not learn from this
    /// step.
    std::span<const std::uint16_t> valid() const;
    std::span<const double> rewards_measured() const;
    std::span<const double> rewards_true() const;
    /// A bit per action.
    std::span<const std::uint8_t> legal() const;
    /// The episode is cut off here; it never ends by itself. It can be continued.
    bool truncated() const;

    EnvTruth truth(std::size_t workload) const;
    /// Requests per second and 95th percentile as the source exported them; below 0: missing. For
    /// comparing with the world: states hold only shares, which end at 1.
    std::array<double, 2> exported_figures(std::size_t workload) const;

private:
    explicit VectorEnv(std::unique_ptr<EnvArrays> arrays);
    std::unique_ptr<EnvArrays> arrays_;
};

/// For benches and tests: various workloads at about half of what their pods may use.
Scenario learner_cluster(std::int32_t nodes, std::int32_t workloads, std::int32_t replicas);

}  // namespace parley::sim
