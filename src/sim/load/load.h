// Simulation, load: a workload, its pods and what is offered to them in; what came of an interval
// out.
//
// Closed formulas, no event per request. All is pure, allocates nothing and is finite for every
// input in its stated range. The event-driven world and the array environment call these functions.

#pragma once

#include <cstdint>
#include <limits>
#include <span>

namespace parley::sim {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();
inline constexpr double kCfsPeriod_s = 0.1;  ///< Linux' default cpu.max period.
inline constexpr double kLoadMax = 0.98;     ///< The steady-state formulas hold up to here.
/// Others are never taken to use a disk completely.
inline constexpr double kTransferLoadMax = 0.95;

/// Where requests wait: each pod has a queue of its own, or all share one.
enum class Balance : std::uint8_t { random, pooled };

/// What a request costs and what its workload promises. All amounts are >= 0.
struct WorkloadModel {
    double demand_core_s = 0.02;          ///< Mean CPU time of a request, > 0.
    double demand_cv2 = 1.0;              ///< Squared coefficient of variation of that time.
    double arrival_cv2 = 1.0;             ///< Dispersion of arrivals; 1 is Poisson.
    double parallelism_cores = 1.0;       ///< Cores that a pod can use at once, > 0.
    double fixed_latency_s = 0.0;         ///< Waiting for others that costs no CPU.
    double io_bytes = 0.0;                ///< Disk traffic of a request.
    double net_bytes = 0.0;               ///< Network traffic of a request.
    double contention_sensitivity = 0.0;  ///< How much busy neighbours slow it down.
    double memory_pressure_cost = 0.0;    ///< Share by which demand grows at the memory limit.
    double timeout_s = 30.0;              ///< A client gives up after this, > 0.
    double queue_max = 1000.0;            ///< Requests that may wait, over all pods.
    double retry_ratio = 0.0;             ///< Share of lost requests that come again, < 1.
    double objective_s = kUnlimited;      ///< A slower request violates the objective.
    Balance balance = Balance::random;
    bool operator==(const WorkloadModel&) const = default;
};

/// Where one pod runs.
struct PodPlace {
    double cpu_limit_cores = kUnlimited;
    double cpu_share_cores = kUnlimited;  ///< From `water_fill`.
    double phi = 1.0;                     ///< From `node_phi`, > 0.
    double payload = 1.0;                 ///< x: size of requests now; scales CPU and traffic.
    double warmup = 1.0;                  ///< From `warmup_factor`; scales CPU only.
    double memory_ratio = 0.0;            ///< Memory used over its limit.
    double io_share_bytes_per_s = kUnlimited;
    double net_share_bytes_per_s = kUnlimited;
    double io_utilisation = 0.0;  ///< Of the node's disk, 0 to 1.
    double net_utilisation = 0.0;
};

/// What one pod can serve; for several pods, their mean.
struct PodService {
    double rate_per_s = 0.0;       ///< mu: requests at full use; 0: it serves nothing.
    double open_rate_per_s = 0.0;  ///< The same without throttling by the CPU limit.
    double servers = 1.0;          ///< m: requests in service at once, >= 1.
    double service_s = 0.0;        ///< Time of a request that never waits and is never throttled.
    double demand_core_s = 0.0;    ///< CPU time of a request here.
    double quota = 1.0;            ///< Share of a CFS period in which it may run; 1: not throttled.
    double transfer_s = 0.0;       ///< Disk and network time.
    double io_bytes = 0.0;         ///< Of a request.
    double net_bytes = 0.0;
    bool operator==(const PodService&) const = default;
};

PodService pod_service(const WorkloadModel& model, const PodPlace& place);

/// Adds up the services of a workload's pods. A workload is settled as n equal pods with the mean
/// rate of its pods: what a request costs is weighted by the rate of the pod that serves it, so
/// that the CPU used never exceeds what the pods have. The order of adding fixes the rounding.
class ServiceSum {
public:
    void add(const PodService& pod) {
        ++pods_;
        sum_.rate_per_s += pod.rate_per_s;
        sum_.open_rate_per_s += pod.open_rate_per_s;
        sum_.servers += pod.servers;
        sum_.quota += pod.quota;
        sum_.service_s += pod.rate_per_s * pod.service_s;
        sum_.demand_core_s += pod.rate_per_s * pod.demand_core_s;
        sum_.transfer_s += pod.rate_per_s * pod.transfer_s;
        sum_.io_bytes += pod.rate_per_s * pod.io_bytes;
        sum_.net_bytes += pod.rate_per_s * pod.net_bytes;
    }
    int pods() const { return pods_; }
    /// All zero without pods.
    PodService mean() const;

private:
    int pods_ = 0;
    PodService sum_{.servers = 0.0, .quota = 0.0};
};

/// What one interval hands to the next.
struct LoadState {
    double queued = 0.0;      ///< Requests waiting.
    double lost_per_s = 0.0;  ///< Feeds retries.
    bool operator==(const LoadState&) const = default;
};

/// What is offered in an interval, during which nothing else changes.
struct Offer {
    double rate_per_s = 0.0;  ///< New requests, without retries.
    double interval_s = 0.0;
    int pods = 0;   ///< Ready pods.
    int dying = 0;  ///< Ready pods that are killed at the end of the interval.
};

/// offered + queued before = done + lost + queued after, to rounding.
struct Settled {
    double offered = 0.0;     ///< Including retries.
    double done = 0.0;        ///< Answered in time.
    double timed_out = 0.0;   ///< Served, but the client had left.
    double overflowed = 0.0;  ///< Found the queue full, or no pod.
    double killed = 0.0;      ///< In flight on a dying pod.
    double lost = 0.0;        ///< The sum of the three above.
    LoadState next;
    double utilisation = 0.0;     ///< Of the bottleneck, 0 to 1.
    double latency_mean_s = 0.0;  ///< Of served requests; the time-out if there are none.
    double latency_p95_s = 0.0;
    double latency_p99_s = 0.0;
    double latency_sd_log = 0.0;   ///< Of the lognormal up to the 95th percentile.
    double violating_share = 0.0;  ///< Slower than the objective or lost, of those that ended.
    double cpu_core_s = 0.0;       ///< CPU used, including requests that timed out.
    double io_bytes = 0.0;
    double net_bytes = 0.0;
    double in_flight_per_pod = 0.0;  ///< Waiting or in service: what holds memory.
    bool operator==(const Settled&) const = default;
};

/// Without a serving pod, everything offered and queued is lost.
Settled settle(const WorkloadModel& model, const PodService& pod, const LoadState& state,
               const Offer& offer);

/// One of several workloads that are settled together.
struct Settling {
    const WorkloadModel* model = nullptr;
    const PodService* pod = nullptr;
    LoadState state;
    Offer offer;
    Settled settled;  ///< What comes out.
};
/// Gives the same bits as settling one after the other, in less time.
void settle(std::span<Settling> all);

/// What a source exports for a true mean over its window: multiplied by a lognormal factor, `z`
/// normal.
double exported(double mean, double sigma, double z);
/// The sigma with which a 95th percentile of `requests` samples is exported, at most 0.5.
double percentile_sigma(double sd_log, double requests);

}  // namespace parley::sim
