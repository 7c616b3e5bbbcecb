#include "sim/load.h"

#include "base/math.h"
#include "sim/load_table.h"
#include "sim/pod_life.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace parley::sim {
namespace {

constexpr double kZ95 = 1.6448536269514722;
constexpr double kZ99 = 2.3263478740408408;
constexpr double kTransferLoadMax = 0.95;  // A disk is never modelled as wholly taken by others.

constexpr double kFar = 20.0;  // In 99th percentiles.
constexpr double kExportSigmaMax = 0.5;

double transfer_s(double bytes, double share_bytes_per_s, double utilisation) {
    if (bytes <= 0.0) return 0.0;
    return bytes / share_bytes_per_s / (1.0 - std::min(kTransferLoadMax, utilisation));
}

double bounded_by(double rate, double bytes, double share_bytes_per_s) {
    return bytes > 0.0 ? std::min(rate, share_bytes_per_s / bytes) : rate;
}

// A place on one axis of the table: the lower node and how far it is to the next.
struct Between {
    std::size_t lower;
    double toward_next;
};

template <std::size_t N>
Between locate(const double (&nodes)[N], double x) {
    if (x <= nodes[0]) return {0, 0.0};
    std::size_t i = 0;
    while (i + 2 < N && x >= nodes[i + 1]) ++i;
    return {i, std::min(1.0, (x - nodes[i]) / (nodes[i + 1] - nodes[i]))};
}

struct Excess {  // In service times.
    double mean;
    double p95;
    double p99;
};

// Linear between the nodes of log(service), log(quota), -log(1 - load) and spread. Interpolation
// keeps the order of the nodes along each axis, so the excess falls with the quota and rises with
// the load; moving the limit or the number of pods moves both the same way.
Excess throttling(double service_s, double quota, double load, double spread) {
    const double crowding = -math::log(1.0 - load);
    const double log_quota = math::log(quota);
    const Between service =
        locate(table::kServiceAxis, math::log(std::max(service_s, 1e-9) / kCfsPeriod_s));
    const Between share = locate(table::kQuotaAxis, log_quota);
    const Between busy = locate(table::kLoadAxis, crowding);
    const Between wide = locate(table::kSpread, spread);
    double mean = 0.0;
    double p95 = 0.0;
    double p99 = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
        const double by_service = i == 0 ? 1.0 - service.toward_next : service.toward_next;
        for (std::size_t j = 0; j < 2; ++j) {
            // The axis ends in a node at 1, where there is no excess and nothing is stored.
            if (share.lower + j == table::kQuotas) continue;
            const double by_share = j == 0 ? 1.0 - share.toward_next : share.toward_next;
            for (std::size_t k = 0; k < 2; ++k) {
                const double by_load = k == 0 ? 1.0 - busy.toward_next : busy.toward_next;
                const table::Entry* entry =
                    table::kThrottle +
                    (((service.lower + i) * table::kQuotas + share.lower + j) * table::kLoads +
                     busy.lower + k) *
                        table::kSpreads +
                    wide.lower;
                const double weight = by_service * by_share * by_load;
                const double w0 = weight * (1.0 - wide.toward_next);
                const double w1 = weight * wide.toward_next;
                mean += w0 * entry[0].mean + w1 * entry[1].mean;
                p95 += w0 * entry[0].p95 + w1 * entry[1].p95;
                p99 += w0 * entry[0].p99 + w1 * entry[1].p99;
            }
        }
    }
    // Beyond the table, all go as 1/quota and 1/(1 - load), as in a slower server.
    const double beyond = std::max(0.0, table::kQuotaAxis[0] - log_quota) +
                          std::max(0.0, crowding - table::kLoadAxis[table::kLoads - 1]);
    return {math::exp(mean * table::kStep + beyond) - 1.0,
            math::exp(p95 * table::kStep + beyond) - 1.0,
            math::exp(p99 * table::kStep + beyond) - 1.0};
}

// The queue that builds up while more is offered than the pods can serve.
struct Backlog {
    double mean = 0.0;  // Over the interval.
    double end = 0.0;
    double overflowed = 0.0;
    double served = 0.0;
};

Backlog fill(double queued, double rate_per_s, double capacity_per_s, double interval_s,
             double queue_max) {
    Backlog b;
    const double start = std::min(queued, queue_max);
    const double growth_per_s = rate_per_s - capacity_per_s;
    const double end = start + growth_per_s * interval_s;
    b.overflowed = queued - start;
    if (end < 0.0) {
        b.mean = start * start / (-2.0 * growth_per_s * interval_s);
        b.served = start + rate_per_s * interval_s;
        return b;
    }
    b.served = capacity_per_s * interval_s;
    if (end > queue_max) {
        const double full_after_s = (queue_max - start) / growth_per_s;
        b.mean = queue_max - (queue_max - start) * 0.5 * (full_after_s / interval_s);
        b.end = queue_max;
        b.overflowed += end - queue_max;
    } else {
        b.mean = start + growth_per_s * interval_s * 0.5;
        b.end = end;
    }
    return b;
}

// Sakasegawa's approximation of the probability of waiting, exact for one server. The exponent is
// small, so that this costs less than a power exact to the last bit and loses nothing.
double waiting_share(double load, double servers) {
    if (servers == 1.0 || load <= 0.0) return load;
    return math::exp((std::sqrt(2.0 * (servers + 1.0)) - 1.0) * math::log(load));
}

// Sojourns under a quota have two humps, which no lognormal follows. Up to the 95th percentile they
// are taken for the lognormal that has it and the mean, above it for the one that has it and the
// 99th: the tail is right, and what is below is not thinned out by it.
double body_sd_log(double mean_s, double p95_s) {
    const double ratio = math::log(p95_s / mean_s);
    return kZ95 - std::sqrt(std::max(0.0, kZ95 * kZ95 - 2.0 * std::max(0.0, ratio)));
}
double tail_sd_log(double p95_s, double p99_s) { return math::log(p99_s / p95_s) / (kZ99 - kZ95); }

// P(latency > limit). Far beyond the 99th percentile it is under 1e-5 and counts as none: that is
// where most time-outs are, and it saves the dearest function.
double share_above(double limit_s, const Settled& s, bool throttled) {
    if (limit_s > kFar * s.latency_p99_s) return 0.0;
    const bool in_tail = throttled && limit_s > s.latency_p95_s;
    const double sd_log =
        in_tail ? tail_sd_log(s.latency_p95_s, s.latency_p99_s) : s.latency_sd_log;
    const double known_s = throttled ? s.latency_p95_s : s.latency_mean_s;
    if (sd_log < 1e-6) return known_s > limit_s ? 1.0 : 0.0;
    const double z = math::log(limit_s / known_s) / sd_log + (throttled ? kZ95 : 0.5 * sd_log);
    return math::normal_cdf(-z);
}

Settled unserved(const WorkloadModel& model, const LoadState& state, double offered,
                 double interval_s) {
    Settled s;
    s.offered = offered;
    s.overflowed = s.lost = offered + state.queued;
    s.next.lost_per_s = interval_s > 0.0 ? s.lost / interval_s : state.lost_per_s;
    if (s.lost > 0.0) {
        s.latency_mean_s = s.latency_p95_s = s.latency_p99_s = model.timeout_s;
        s.violating_share = 1.0;
    }
    return s;
}

}  // namespace

PodService pod_service(const WorkloadModel& model, const PodPlace& place) {
    PodService pod;
    // One request runs on one core. Sharing it with neighbours slows it evenly; a limit below that
    // stops it for the rest of each period.
    const double speed =
        std::min({1.0, model.parallelism_cores, std::max(0.0, place.cpu_share_cores)});
    const double open = std::min(model.parallelism_cores, place.cpu_share_cores);
    const double cores = std::min(open, place.cpu_limit_cores);
    pod.demand_core_s = model.demand_core_s * place.payload * place.warmup *
                        memory_pressure_factor(model.memory_pressure_cost, place.memory_ratio) /
                        place.phi;
    pod.io_bytes = model.io_bytes * place.payload;
    pod.net_bytes = model.net_bytes * place.payload;
    const auto rate = [&](double c) {
        const double by_cpu = c / pod.demand_core_s;
        return bounded_by(bounded_by(by_cpu, pod.io_bytes, place.io_share_bytes_per_s),
                          pod.net_bytes, place.net_share_bytes_per_s);
    };
    pod.rate_per_s = rate(cores);
    if (!(pod.rate_per_s > 0.0)) return {};
    pod.quota = std::min(1.0, cores / speed);
    pod.open_rate_per_s = pod.quota < 1.0 ? rate(speed) : pod.rate_per_s;
    pod.servers = std::max(1.0, cores);
    pod.service_s = pod.demand_core_s / speed;
    pod.transfer_s = transfer_s(pod.io_bytes, place.io_share_bytes_per_s, place.io_utilisation) +
                     transfer_s(pod.net_bytes, place.net_share_bytes_per_s, place.net_utilisation);
    return pod;
}

PodService ServiceSum::mean() const {
    if (!(sum_.rate_per_s > 0.0)) return {};
    const double per_pod = 1.0 / pods_;
    const double per_rate = 1.0 / sum_.rate_per_s;
    return {.rate_per_s = sum_.rate_per_s * per_pod,
            .open_rate_per_s = sum_.open_rate_per_s * per_pod,
            .servers = sum_.servers * per_pod,
            .service_s = sum_.service_s * per_rate,
            .demand_core_s = sum_.demand_core_s * per_rate,
            .quota = sum_.quota * per_pod,
            .transfer_s = sum_.transfer_s * per_rate,
            .io_bytes = sum_.io_bytes * per_rate,
            .net_bytes = sum_.net_bytes * per_rate};
}

Response response(const WorkloadModel& model, const PodService& pod, double rate_per_s, int pods) {
    const double rate_per_pod = rate_per_s / pods;
    const double load = std::min(kLoadMax, rate_per_pod / pod.open_rate_per_s);
    // A pooled queue is one pod with all servers.
    const double queues = model.balance == Balance::pooled ? pods : 1.0;
    const double servers = pod.servers * queues;
    const double waits = waiting_share(load, servers);
    const double if_waiting_s = (model.arrival_cv2 + model.demand_cv2) * 0.5 /
                                (pod.open_rate_per_s * queues * (1.0 - load));
    Response out;
    out.mean_s = model.fixed_latency_s + pod.transfer_s + pod.service_s + waits * if_waiting_s;
    out.variance_s2 = pod.service_s * pod.service_s * model.demand_cv2 +
                      if_waiting_s * if_waiting_s * waits * (2.0 - waits);
    if (pod.quota < 1.0) {
        const double quota_load = std::min(kLoadMax, rate_per_pod * pod.service_s / pod.quota);
        // The table knows Poisson arrivals; other arrivals count as more or less varied service.
        const double spread = model.demand_cv2 + model.arrival_cv2 - 1.0;
        const Excess excess = throttling(pod.service_s, pod.quota, quota_load, spread);
        out.throttled_mean_s = pod.service_s * excess.mean;
        out.mean_s += out.throttled_mean_s;
        out.throttled_p95_s = pod.service_s * excess.p95;
        out.throttled_p99_s = pod.service_s * excess.p99;
    }
    return out;
}

Settled settle(const WorkloadModel& model, const PodService& pod, const LoadState& state,
               const Offer& offer) {
    const double rate_per_s = offer.rate_per_s + model.retry_ratio * state.lost_per_s;
    const double interval_s = offer.interval_s;
    const double capacity_per_s = offer.pods * pod.rate_per_s;
    const double offered = rate_per_s * interval_s;
    if (!(capacity_per_s > 0.0)) return unserved(model, state, offered, interval_s);

    const Response steady = response(model, pod, rate_per_s, offer.pods);
    const Backlog backlog =
        fill(state.queued, rate_per_s, capacity_per_s, interval_s, model.queue_max);
    const double mean_s = steady.mean_s + backlog.mean / capacity_per_s;
    const double open_s = mean_s - steady.throttled_mean_s;
    const double variance_log = math::log(1.0 + steady.variance_s2 / (open_s * open_s));
    const double sd_log = std::sqrt(variance_log);
    const bool throttled = pod.quota < 1.0;

    Settled s;
    s.offered = offered;
    s.latency_mean_s = mean_s;
    s.latency_sd_log = sd_log;
    s.latency_p95_s =
        open_s * math::exp(kZ95 * sd_log - 0.5 * variance_log) + steady.throttled_p95_s;
    s.latency_p99_s =
        open_s * math::exp(kZ99 * sd_log - 0.5 * variance_log) + steady.throttled_p99_s;
    if (throttled) {
        s.latency_p99_s = std::max(s.latency_p99_s, s.latency_p95_s);
        s.latency_sd_log = std::max(sd_log, body_sd_log(mean_s, s.latency_p95_s));
    }

    const double served = backlog.served;
    const double too_late = share_above(model.timeout_s, s, throttled);
    const double too_slow = std::max(too_late, share_above(model.objective_s, s, throttled));
    const double served_per_s = interval_s > 0.0 ? served / interval_s : 0.0;
    s.utilisation = std::min(1.0, served_per_s / capacity_per_s);
    s.in_flight_per_pod = served_per_s * mean_s / offer.pods;
    s.overflowed = backlog.overflowed;
    s.timed_out = served * too_late;
    s.killed = std::min(served - s.timed_out, offer.dying * s.in_flight_per_pod);
    s.done = served - s.timed_out - s.killed;
    s.lost = s.overflowed + s.timed_out + s.killed;
    s.next.queued = backlog.end;
    s.next.lost_per_s = interval_s > 0.0 ? s.lost / interval_s : state.lost_per_s;
    const double ended = s.done + s.lost;
    if (ended > 0.0) {
        const double lost_otherwise = s.overflowed + s.killed;
        s.violating_share = (lost_otherwise + (served - s.killed) * too_slow) / ended;
    }
    s.cpu_core_s = served * pod.demand_core_s;
    s.io_bytes = served * pod.io_bytes;
    s.net_bytes = served * pod.net_bytes;
    return s;
}

double latency_quantile_s(const Settled& settled, double p) {
    const double z = math::normal_quantile(p) - kZ95;
    const double p95_s = settled.latency_p95_s;
    return p95_s * math::exp(z * (z > 0.0 ? tail_sd_log(p95_s, settled.latency_p99_s)
                                          : settled.latency_sd_log));
}

double counted_latency_s(const WorkloadModel& model, const Settled& settled) {
    const double ended = settled.done + settled.lost;
    if (!(ended > 0.0)) return 0.0;
    const double in_time = std::min(settled.latency_mean_s, model.timeout_s);
    return (settled.done * in_time + settled.lost * model.timeout_s) / ended;
}

double exported(double mean, double sigma, double z) { return mean * math::exp(sigma * z); }

double percentile_sigma(double sd_log, double requests) {
    if (!(requests > 0.0)) return kExportSigmaMax;
    return std::min(kExportSigmaMax, 2.1 * sd_log / std::sqrt(requests));
}

}  // namespace parley::sim
