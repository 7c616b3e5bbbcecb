// Simulation, load, the formulas: what is offered to a workload in, what comes of it out; one
// workload per lane. Internal to load.cc.

#pragma once

#include "base/math.h"
#include "sim/load/lane_normal.h"
#include "sim/load/load.h"
#include "sim/load/load_table.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace parley::sim::formulas {

inline constexpr double kZ95 = 1.6448536269514722;
inline constexpr double kZ99 = 2.3263478740408408;
inline constexpr double kFar = 20.0;  // In 99th percentiles.

// Where a pod runs; one pod of each workload per lane. Names as in PodPlace.
template <class D>
struct Place {
    D cpu_limit_cores, cpu_share_cores, phi, warmup;
    D pressure;       // From `memory_pressure_factor`.
    D traffic_per_s;  // Requests that disk and network can bear.
    D transfer_s;
};

// Like PodService, without the traffic, which is the same for all pods.
template <class D>
struct Pod {
    D rate_per_s, open_rate_per_s, servers, service_s, demand_core_s, quota, transfer_s;
};

template <class D>
[[gnu::always_inline]] inline Pod<D> serve(const WorkloadModel& model, double payload,
                                           const Place<D>& place) {
    const D one = every<D>(1.0);
    const D zero = every<D>(0.0);
    const D parallel = every<D>(model.parallelism_cores);
    // One request runs on one core. Sharing the core with neighbours slows it evenly; a lower limit
    // stops it for the rest of each period.
    const D speed = least(least(one, parallel), most(zero, place.cpu_share_cores));
    const D cores = least(least(parallel, place.cpu_share_cores), place.cpu_limit_cores);
    const D demand_core_s =
        model.demand_core_s * payload * place.warmup * place.pressure / place.phi;
    const D rate_per_s = least(cores / demand_core_s, place.traffic_per_s);
    const D quota = least(one, cores / speed);
    const auto throttled = quota < 1.0;
    D open_rate_per_s = rate_per_s;
    if (any(throttled)) {
        const D open = least(speed / demand_core_s, place.traffic_per_s);
        open_rate_per_s = choose(throttled, open, rate_per_s);
    }
    const Pod<D> pod{rate_per_s,    open_rate_per_s, most(one, cores), demand_core_s / speed,
                     demand_core_s, quota,           place.transfer_s};
    const auto serves = rate_per_s > 0.0;
    if (all(serves)) return pod;
    return {choose(serves, pod.rate_per_s, zero),    choose(serves, pod.open_rate_per_s, zero),
            choose(serves, pod.servers, one),        choose(serves, pod.service_s, zero),
            choose(serves, pod.demand_core_s, zero), choose(serves, pod.quota, one),
            choose(serves, pod.transfer_s, zero)};
}

// A position on one axis of the table: the lower node and the distance to the next.
struct Between {
    std::size_t lower;
    double toward_next;
};

// Counts the nodes that were passed, two at a time and without branches, which could not be
// predicted.
template <std::size_t N>
Between locate(const double (&nodes)[N], double x) {
    if (x <= nodes[0]) return {0, 0.0};
    auto passed = Two{x, x} < Two{x, x};
    for (std::size_t k = 1; k + 2 < N; k += 2) passed += Two{x, x} >= Two{nodes[k], nodes[k + 1]};
    auto i = static_cast<std::size_t>(-(passed[0] + passed[1]));
    if (N % 2 == 1) i += x >= nodes[N - 2] ? 1 : 0;
    return {i, std::min(1.0, (x - nodes[i]) / (nodes[i + 1] - nodes[i]))};
}

// The same for each lane.
template <Lanes D, std::size_t N>
[[gnu::always_inline]] inline void locate(const double (&nodes)[N], D x,
                                          Between (&out)[kLanes<D>]) {
    auto passed = x < x;
    for (std::size_t k = 1; k + 1 < N; ++k) passed += x >= nodes[k];
    D from{};
    D to{};
    for (int i = 0; i < kLanes<D>; ++i) {
        out[i].lower = static_cast<std::size_t>(-passed[i]);
        from[i] = nodes[out[i].lower];
        to[i] = nodes[out[i].lower + 1];
    }
    const D toward = choose(x <= nodes[0], D{}, least(every<D>(1.0), (x - from) / (to - from)));
    for (int i = 0; i < kLanes<D>; ++i) out[i].toward_next = toward[i];
}

template <class D>
struct Excess {  // In service times.
    D mean;
    D p95;
    D p99;
};

// The figures of one table node; the fourth belongs to the next node and is not used.
[[gnu::always_inline]] inline Four figures_at(const table::Entry* entry) {
    using Words = std::uint16_t __attribute__((vector_size(8)));
    static_assert(sizeof(table::Entry) == 6 && sizeof(Words) == 8);
    Words words;
    std::memcpy(&words, entry, sizeof words);
    return __builtin_convertvector(words, Four);
}

// Linear interpolation between the nodes of log(service), log(quota), -log(1 - load) and spread; of
// logarithms.
[[gnu::always_inline]] inline Four interpolate(Between service, Between share, Between busy,
                                               Between wide) {
    // The axis of quotas ends with 1, where there is no excess and nothing is stored.
    const bool last = share.lower + 1 == table::kQuotas;
    const double beyond_share = last ? 0.0 : share.toward_next;
    const std::size_t next_share = last ? 0 : table::kLoads * table::kSpreads;
    constexpr std::size_t kNextService = table::kQuotas * table::kLoads * table::kSpreads;
    const table::Entry* corner = table::kThrottle + service.lower * kNextService +
                                 (share.lower * table::kLoads + busy.lower) * table::kSpreads +
                                 wide.lower;
    Four sum{};
    const auto add = [&](const table::Entry* entry, double weight) __attribute__((always_inline)) {
        sum += weight * (1.0 - wide.toward_next) * figures_at(entry) +
               weight * wide.toward_next * figures_at(entry + 1);
    };
    const auto add_edge = [&](const table::Entry* entry, double weight)
                              __attribute__((always_inline)) {
                                  add(entry, weight * (1.0 - busy.toward_next));
                                  add(entry + table::kSpreads, weight * busy.toward_next);
                              };
    const double here = 1.0 - service.toward_next;
    add_edge(corner, here * (1.0 - share.toward_next));
    add_edge(corner + next_share, here * beyond_share);
    corner += kNextService;
    add_edge(corner, service.toward_next * (1.0 - share.toward_next));
    add_edge(corner + next_share, service.toward_next * beyond_share);
    return sum;
}
inline Excess<double> interpolate(double log_service, double log_quota, double crowding,
                                  double spread) {
    const Four at =
        interpolate(locate(table::kServiceAxis, log_service), locate(table::kQuotaAxis, log_quota),
                    locate(table::kLoadAxis, crowding), locate(table::kSpread, spread));
    return {at[0], at[1], at[2]};
}
template <Lanes D>
[[gnu::always_inline]] inline Excess<D> interpolate(D log_service, D log_quota, D crowding,
                                                    D spread) {
    Between service[kLanes<D>], share[kLanes<D>], busy[kLanes<D>], wide[kLanes<D>];
    locate(table::kServiceAxis, log_service, service);
    locate(table::kQuotaAxis, log_quota, share);
    locate(table::kLoadAxis, crowding, busy);
    locate(table::kSpread, spread, wide);
    Excess<D> out{};
    for (int i = 0; i < kLanes<D>; ++i) {
        const Four at = interpolate(service[i], share[i], busy[i], wide[i]);
        out.mean[i] = at[0];
        out.p95[i] = at[1];
        out.p99[i] = at[2];
    }
    return out;
}

// Interpolation keeps the order of the nodes along each axis, so the excess falls with the quota
// and rises with the load; changing the limit or the number of pods moves both the same way.
template <class D>
[[gnu::always_inline]] inline Excess<D> throttling(D service_s, D quota, D load, D spread) {
    const D crowding = -log_of(1.0 - load);
    const D log_quota = log_of(quota);
    const D log_service = log_of(most(service_s, every<D>(1e-9)) / kCfsPeriod_s);
    const Excess<D> at = interpolate(log_service, log_quota, crowding, spread);
    // Beyond the table everything scales with 1/quota and 1/(1 - load), as in a slower server.
    const D beyond = most(every<D>(0.0), table::kQuotaAxis[0] - log_quota) +
                     most(every<D>(0.0), crowding - table::kLoadAxis[table::kLoads - 1]);
    return {exp_of(at.mean * table::kStep + beyond) - 1.0,
            exp_of(at.p95 * table::kStep + beyond) - 1.0,
            exp_of(at.p99 * table::kStep + beyond) - 1.0};
}

// Input of settle(), one workload per lane; names as in load.h.
template <class D>
struct Given {
    D demand_cv2, arrival_cv2, fixed_latency_s, timeout_s, objective_s, queue_max, retry_ratio;
    D rate_per_s, open_rate_per_s, servers, service_s, demand_core_s, quota, transfer_s;
    D io_bytes, net_bytes;
    D queued, lost_per_s;
    D new_per_s, interval_s, pods, dying;
    D queues;  // Number of queues: a pooled queue counts as one pod with all servers.
};

template <class D, class Row>
[[gnu::always_inline]] inline D field(const Row* const* rows, double Row::* name) {
    if constexpr (Lanes<D>) {
        return lanes_of<D>([&](int i) { return rows[i]->*name; });
    } else {
        return rows[0]->*name;
    }
}

template <class D>
[[gnu::always_inline]] inline void take_model(Given<D>& g, const WorkloadModel* const* models) {
    using M = WorkloadModel;
    g.demand_cv2 = field<D>(models, &M::demand_cv2);
    g.arrival_cv2 = field<D>(models, &M::arrival_cv2);
    g.fixed_latency_s = field<D>(models, &M::fixed_latency_s);
    g.timeout_s = field<D>(models, &M::timeout_s);
    g.objective_s = field<D>(models, &M::objective_s);
    g.queue_max = field<D>(models, &M::queue_max);
    g.retry_ratio = field<D>(models, &M::retry_ratio);
}

template <class D>
[[gnu::always_inline]] inline void take_pod(Given<D>& g, const PodService* const* pods) {
    using P = PodService;
    g.rate_per_s = field<D>(pods, &P::rate_per_s);
    g.open_rate_per_s = field<D>(pods, &P::open_rate_per_s);
    g.servers = field<D>(pods, &P::servers);
    g.service_s = field<D>(pods, &P::service_s);
    g.demand_core_s = field<D>(pods, &P::demand_core_s);
    g.quota = field<D>(pods, &P::quota);
    g.transfer_s = field<D>(pods, &P::transfer_s);
    g.io_bytes = field<D>(pods, &P::io_bytes);
    g.net_bytes = field<D>(pods, &P::net_bytes);
}

inline double queues_of(const WorkloadModel& model, int pods) {
    return model.balance == Balance::pooled ? pods : 1.0;
}

// The queue that builds up while more is offered than the pods can serve.
template <class D>
struct Backlog {
    D mean;  // Over the interval.
    D end;
    D overflowed;
    D served;
};

template <class D>
[[gnu::always_inline]] inline Backlog<D> fill(const Given<D>& g, D rate_per_s, D capacity_per_s) {
    const D start = least(g.queued, g.queue_max);
    const D growth_per_s = rate_per_s - capacity_per_s;
    const D end = start + growth_per_s * g.interval_s;
    const D turned_away = g.queued - start;
    const auto empties = end < 0.0;
    const D mean_emptying = start * start / (-2.0 * growth_per_s * g.interval_s);
    const D all_of_it = start + rate_per_s * g.interval_s;
    if (all(empties)) return {mean_emptying, every<D>(0.0), turned_away, all_of_it};
    const auto fills = end > g.queue_max;
    const D full_after_s = (g.queue_max - start) / growth_per_s;
    const D mean_full = g.queue_max - (g.queue_max - start) * 0.5 * (full_after_s / g.interval_s);
    const D mean_between = start + growth_per_s * g.interval_s * 0.5;
    return {choose(empties, mean_emptying, choose(fills, mean_full, mean_between)),
            choose(empties, every<D>(0.0), least(end, g.queue_max)),
            choose(fills, turned_away + (end - g.queue_max), turned_away),
            choose(empties, all_of_it, capacity_per_s * g.interval_s)};
}

// Sakasegawa's approximation of the probability of waiting, exact for one server. The exponent is
// small, so that this costs less than a power exact to the last bit and loses nothing.
template <class D>
[[gnu::always_inline]] inline D waiting_share(D load, D servers) {
    const auto plain = (servers == 1.0) | (load <= 0.0);
    if (all(plain)) return load;
    return choose(
        plain, load,
        exp_of((root(2.0 * (servers + 1.0)) - 1.0) * log_of(choose(plain, every<D>(1.0), load))));
}

// Sojourn time of a request while nothing is queued up: lognormal, and what throttling by the CPU
// limit adds to its mean and percentiles.
template <class D>
struct Steady {
    D mean_s;                                              // Including what throttling adds.
    D variance_s2;                                         // Without throttling.
    D throttled_mean_s, throttled_p95_s, throttled_p99_s;  // Added by it; zero without a limit.
};

// `g.rate_per_s` > 0. Utilisation above kLoadMax counts as kLoadMax.
template <class D>
[[gnu::always_inline]] inline Steady<D> steady(const Given<D>& g, D rate_per_s) {
    const D rate_per_pod = rate_per_s / g.pods;
    const D load = least(every<D>(kLoadMax), rate_per_pod / g.open_rate_per_s);
    const D waits = waiting_share(load, g.servers * g.queues);
    const D if_waiting_s =
        (g.arrival_cv2 + g.demand_cv2) * 0.5 / (g.open_rate_per_s * g.queues * (1.0 - load));
    const D zero = every<D>(0.0);
    Steady<D> out{zero, zero, zero, zero, zero};
    out.mean_s = g.fixed_latency_s + g.transfer_s + g.service_s + waits * if_waiting_s;
    out.variance_s2 = g.service_s * g.service_s * g.demand_cv2 +
                      if_waiting_s * if_waiting_s * waits * (2.0 - waits);
    const auto throttled = g.quota < 1.0;
    if (!any(throttled)) return out;
    const D quota_load = least(every<D>(kLoadMax), rate_per_pod * g.service_s / g.quota);
    // The table assumes Poisson arrivals; other arrivals count as more or less varied service.
    const D spread = g.demand_cv2 + g.arrival_cv2 - 1.0;
    const Excess<D> excess = throttling(g.service_s, g.quota, quota_load, spread);
    out.throttled_mean_s = choose(throttled, g.service_s * excess.mean, zero);
    out.mean_s += out.throttled_mean_s;
    out.throttled_p95_s = choose(throttled, g.service_s * excess.p95, zero);
    out.throttled_p99_s = choose(throttled, g.service_s * excess.p99, zero);
    return out;
}

// Under a quota the distribution of sojourn times has two humps, which no lognormal fits. Up to the
// 95th percentile the lognormal with that percentile and the mean is used, above it the one with
// the 95th and 99th: the tail is right without distorting the rest.
template <class D>
[[gnu::always_inline]] inline D body_sd_log(D mean_s, D p95_s) {
    const D zero = every<D>(0.0);
    const D ratio = log_of(p95_s / mean_s);
    return kZ95 - root(most(zero, kZ95 * kZ95 - 2.0 * most(zero, ratio)));
}
inline double tail_sd_log(double p95_s, double p99_s) {
    return math::log(p99_s / p95_s) / (kZ99 - kZ95);
}

// The latency of served requests; below a quota of 1 it has two humps.
template <class D>
struct Spread {
    D mean_s, p95_s, p99_s, sd_log, quota;
};

inline double share_above(double limit_s, const Spread<double>& s) {
    if (limit_s > kFar * s.p99_s) return 0.0;
    const bool throttled = s.quota < 1.0;
    const bool in_tail = throttled && limit_s > s.p95_s;
    const double sd_log = in_tail ? tail_sd_log(s.p95_s, s.p99_s) : s.sd_log;
    const double known_s = throttled ? s.p95_s : s.mean_s;
    if (sd_log < 1e-6) return known_s > limit_s ? 1.0 : 0.0;
    const double z = math::log(limit_s / known_s) / sd_log + (throttled ? kZ95 : 0.5 * sd_log);
    return math::normal_cdf(-z);
}
template <Lanes D>
[[gnu::always_inline]] inline D share_above(D limit_s, const Spread<D>& s) {
    const auto far = limit_s > kFar * s.p99_s;
    if (all(far)) return D{};
    const auto throttled = s.quota < 1.0;
    const auto in_tail = throttled & (limit_s > s.p95_s);
    D sd_log = s.sd_log;
    if (any(in_tail)) {
        sd_log = choose(in_tail, log_of(s.p99_s / s.p95_s) / (kZ99 - kZ95), sd_log);
    }
    const D known_s = choose(throttled, s.p95_s, s.mean_s);
    const auto sharp = sd_log < 1e-6;
    // Special lanes must not force the others onto the slow path.
    sd_log = choose(sharp, every<D>(1.0), sd_log);
    const D ratio = choose(far, every<D>(1.0), limit_s / known_s);
    const D z = log_of(ratio) / sd_log + choose(throttled, every<D>(kZ95), 0.5 * sd_log);
    const D share = choose(sharp, choose(known_s > limit_s, every<D>(1.0), D{}), normal_cdf(-z));
    return choose(far, D{}, share);
}

// The result of settle(), one workload per lane; names as in Settled.
template <class D>
struct Result {
    D offered, done, timed_out, overflowed, killed, lost, queued, lost_per_s, utilisation;
    D latency_mean_s, latency_p95_s, latency_p99_s, latency_sd_log, violating_share;
    D cpu_core_s, io_bytes, net_bytes, in_flight_per_pod;
};

template <class D>
[[gnu::always_inline]] inline Spread<D> latency(const Given<D>& g, const Steady<D>& steady,
                                                D mean_s) {
    const D open_s = mean_s - steady.throttled_mean_s;
    const D variance_log = log_of(1.0 + steady.variance_s2 / (open_s * open_s));
    const D sd_log = root(variance_log);
    const auto throttled = g.quota < 1.0;
    const D p95_s = open_s * exp_of(kZ95 * sd_log - 0.5 * variance_log) + steady.throttled_p95_s;
    const D p99_s = open_s * exp_of(kZ99 * sd_log - 0.5 * variance_log) + steady.throttled_p99_s;
    Spread<D> out{mean_s, p95_s, p99_s, sd_log, g.quota};
    if (any(throttled)) {
        out.p99_s = choose(throttled, most(p99_s, p95_s), p99_s);
        out.sd_log = choose(throttled, most(sd_log, body_sd_log(mean_s, p95_s)), sd_log);
    }
    return out;
}

// For workloads with serving pods.
template <class D>
[[gnu::always_inline]] inline Result<D> settle(const Given<D>& g) {
    const D rate_per_s = g.new_per_s + g.retry_ratio * g.lost_per_s;
    const D capacity_per_s = g.pods * g.rate_per_s;
    const Steady<D> calm = steady(g, rate_per_s);
    const Backlog<D> backlog = fill(g, rate_per_s, capacity_per_s);
    const Spread<D> spread = latency(g, calm, calm.mean_s + backlog.mean / capacity_per_s);

    const D zero = every<D>(0.0);
    const D served = backlog.served;
    const D too_late = share_above(g.timeout_s, spread);
    const D too_slow = most(too_late, share_above(g.objective_s, spread));
    const auto lasts = g.interval_s > 0.0;
    const D served_per_s = choose(lasts, served / g.interval_s, zero);
    Result<D> r;
    r.offered = rate_per_s * g.interval_s;
    r.latency_mean_s = spread.mean_s;
    r.latency_p95_s = spread.p95_s;
    r.latency_p99_s = spread.p99_s;
    r.latency_sd_log = spread.sd_log;
    r.utilisation = least(every<D>(1.0), served_per_s / capacity_per_s);
    r.in_flight_per_pod = served_per_s * spread.mean_s / g.pods;
    r.overflowed = backlog.overflowed;
    r.timed_out = served * too_late;
    r.killed = least(served - r.timed_out, g.dying * r.in_flight_per_pod);
    r.done = served - r.timed_out - r.killed;
    r.lost = r.overflowed + r.timed_out + r.killed;
    r.queued = backlog.end;
    r.lost_per_s = choose(lasts, r.lost / g.interval_s, g.lost_per_s);
    const D ended = r.done + r.lost;
    r.violating_share = choose(
        ended > 0.0, (r.overflowed + r.killed + (served - r.killed) * too_slow) / ended, zero);
    r.cpu_core_s = served * g.demand_core_s;
    r.io_bytes = served * g.io_bytes;
    r.net_bytes = served * g.net_bytes;
    return r;
}

}  // namespace parley::sim::formulas
