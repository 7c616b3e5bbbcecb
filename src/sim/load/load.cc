#include "sim/load/load.h"

#include "base/math.h"
#include "sim/load/load_formulas.h"
#include "sim/load/pod_life.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

constexpr double kExportSigmaMax = 0.5;

double transfer_s(double bytes, double share_bytes_per_s, double utilisation) {
    if (bytes <= 0.0) return 0.0;
    return bytes / share_bytes_per_s / (1.0 - std::min(kTransferLoadMax, utilisation));
}

// How many requests of this size a disk or network can carry.
double borne_per_s(double bytes, double share_bytes_per_s) {
    return bytes > 0.0 ? share_bytes_per_s / bytes : kUnlimited;
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

bool serves(const Settling& one) { return one.offer.pods * one.pod->rate_per_s > 0.0; }

formulas::Given<double> given(const Settling& one) {
    formulas::Given<double> g;
    formulas::take_model(g, &one.model);
    formulas::take_pod(g, &one.pod);
    g.queued = one.state.queued;
    g.lost_per_s = one.state.lost_per_s;
    g.new_per_s = one.offer.rate_per_s;
    g.interval_s = one.offer.interval_s;
    g.pods = one.offer.pods;
    g.dying = one.offer.dying;
    g.queues = formulas::queues_of(*one.model, one.offer.pods);
    return g;
}

[[gnu::always_inline]] inline formulas::Given<Four> given(const std::array<Settling*, 4>& rows) {
    const WorkloadModel* const models[] = {rows[0]->model, rows[1]->model, rows[2]->model,
                                           rows[3]->model};
    const PodService* const pods[] = {rows[0]->pod, rows[1]->pod, rows[2]->pod, rows[3]->pod};
    const auto each = [&](auto&& of) __attribute__((always_inline)) {
        return lanes_of<Four>([&](int i) { return of(*rows[std::size_t(i)]); });
    };
    formulas::Given<Four> g;
    formulas::take_model(g, models);
    formulas::take_pod(g, pods);
    g.queued = each([](const Settling& one) { return one.state.queued; });
    g.lost_per_s = each([](const Settling& one) { return one.state.lost_per_s; });
    g.new_per_s = each([](const Settling& one) { return one.offer.rate_per_s; });
    g.interval_s = each([](const Settling& one) { return one.offer.interval_s; });
    g.pods = each([](const Settling& one) { return double(one.offer.pods); });
    g.dying = each([](const Settling& one) { return double(one.offer.dying); });
    g.queues =
        each([](const Settling& one) { return formulas::queues_of(*one.model, one.offer.pods); });
    return g;
}

double lane(double x, int) { return x; }
[[gnu::always_inline]] inline double lane(Four x, int i) { return x[i]; }

template <class D>
[[gnu::always_inline]] inline void give(const formulas::Result<D>& r, int i, Settled& s) {
    s = {.offered = lane(r.offered, i),
         .done = lane(r.done, i),
         .timed_out = lane(r.timed_out, i),
         .overflowed = lane(r.overflowed, i),
         .killed = lane(r.killed, i),
         .lost = lane(r.lost, i),
         .next = {lane(r.queued, i), lane(r.lost_per_s, i)},
         .utilisation = lane(r.utilisation, i),
         .latency_mean_s = lane(r.latency_mean_s, i),
         .latency_p95_s = lane(r.latency_p95_s, i),
         .latency_p99_s = lane(r.latency_p99_s, i),
         .latency_sd_log = lane(r.latency_sd_log, i),
         .violating_share = lane(r.violating_share, i),
         .cpu_core_s = lane(r.cpu_core_s, i),
         .io_bytes = lane(r.io_bytes, i),
         .net_bytes = lane(r.net_bytes, i),
         .in_flight_per_pod = lane(r.in_flight_per_pod, i)};
}

void settle_one(Settling& one) {
    if (!serves(one)) {
        const double rate = one.offer.rate_per_s + one.model->retry_ratio * one.state.lost_per_s;
        const double interval_s = one.offer.interval_s;
        one.settled = unserved(*one.model, one.state, rate * interval_s, interval_s);
        return;
    }
    give(formulas::settle(given(one)), 0, one.settled);
}

void settle_four(const std::array<Settling*, 4>& rows) {
    run_wide([&]() __attribute__((always_inline)) {
        const auto settled = formulas::settle(given(rows));
        for (int i = 0; i < 4; ++i) give(settled, i, rows[std::size_t(i)]->settled);
    });
}

// Similar workloads are grouped: throttling costs as much for one lane as for four.
class Group {
public:
    void add(Settling& one) {
        rows_[count_++] = &one;
        if (count_ == rows_.size()) settle();
    }
    void settle() {
        const std::size_t count = std::exchange(count_, 0);
        if (count == 1) return settle_one(*rows_[0]);
        // If there are too few, the last one fills the other lanes, with the same result.
        for (std::size_t i = count; i < rows_.size() && count > 0; ++i) rows_[i] = rows_[count - 1];
        if (count > 0) settle_four(rows_);
    }

private:
    std::array<Settling*, 4> rows_{};
    std::size_t count_ = 0;
};

}  // namespace

PodService pod_service(const WorkloadModel& model, const PodPlace& place) {
    const double io_bytes = model.io_bytes * place.payload;
    const double net_bytes = model.net_bytes * place.payload;
    const auto pod = formulas::serve<double>(
        model, place.payload,
        {place.cpu_limit_cores, place.cpu_share_cores, place.phi, place.warmup,
         memory_pressure_factor(model.memory_pressure_cost, place.memory_ratio),
         std::min(borne_per_s(io_bytes, place.io_share_bytes_per_s),
                  borne_per_s(net_bytes, place.net_share_bytes_per_s)),
         transfer_s(io_bytes, place.io_share_bytes_per_s, place.io_utilisation) +
             transfer_s(net_bytes, place.net_share_bytes_per_s, place.net_utilisation)});
    if (!(pod.rate_per_s > 0.0)) return {};
    return {.rate_per_s = pod.rate_per_s,
            .open_rate_per_s = pod.open_rate_per_s,
            .servers = pod.servers,
            .service_s = pod.service_s,
            .demand_core_s = pod.demand_core_s,
            .quota = pod.quota,
            .transfer_s = pod.transfer_s,
            .io_bytes = io_bytes,
            .net_bytes = net_bytes};
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

Settled settle(const WorkloadModel& model, const PodService& pod, const LoadState& state,
               const Offer& offer) {
    Settling one{.model = &model, .pod = &pod, .state = state, .offer = offer};
    settle_one(one);
    return one.settled;
}

void settle(std::span<Settling> all) {
    Group open;
    Group throttled;
    for (Settling& one : all) {
        if (serves(one)) {
            (one.pod->quota < 1.0 ? throttled : open).add(one);
        } else {
            settle_one(one);
        }
    }
    open.settle();
    throttled.settle();
}

double exported(double mean, double sigma, double z) { return mean * math::exp(sigma * z); }

double percentile_sigma(double sd_log, double requests) {
    if (!(requests > 0.0)) return kExportSigmaMax;
    return std::min(kExportSigmaMax, 2.1 * sd_log / std::sqrt(requests));
}

}  // namespace parley::sim
