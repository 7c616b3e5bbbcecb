#include "sim/load_formulas.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <array>

namespace parley::sim {
namespace {

using formulas::Place;
using formulas::Pod;

constexpr double kPressureFrom = 0.8;  // As in pod_life.cc.

// The pods that serve, and what about them is the same until others do or their nodes change.
void survey(EnvArrays& e, Index w) {
    EnvWork& work = e.works[w];
    const Index* pods = e.work_pods.data() + std::size_t{w} * e.work_room;
    Index* serving = e.serving.data() + std::size_t{w} * e.work_room;
    Index count = 0;
    double slowness = 0.0;
    double io = 0.0;
    double net = 0.0;
    work.ready_sum = 0;
    work.ready_first = kNever;
    for (Index i = 0; i < work.count; ++i) {
        const EnvPod& pod = e.pods[pods[i]];
        if (pod.stage != Stage::serving) continue;
        serving[count++] = pods[i];
        const EnvNode& node = e.nodes[pod.node];
        slowness += node.slowness;
        io += node.io_per_byte;
        net += node.net_per_byte;
        work.ready_sum += pod.ready_at;
        work.ready_first = std::min(work.ready_first, pod.ready_at);
    }
    const double per_pod = 1.0 / std::max(Index{1}, count);
    work.slowness_mean = count > 0 ? slowness * per_pod : 1.0;
    work.io_per_byte = io * per_pod;
    work.net_per_byte = net * per_pod;
    work.pods_stale = false;
}

double pressure_of(const EnvWork& work, const EnvPod& pod) {
    return memory_pressure_factor(
        work.model.memory_pressure_cost,
        std::min(1.0, work.memory_pod / static_cast<double>(pod.memory_limit)));
}

Two limits_of(const EnvPod& a, const EnvPod& b) {
    return Two{static_cast<double>(a.cpu_limit_m), static_cast<double>(b.cpu_limit_m)} / 1000.0;
}

// Where two pods of a workload run.
[[gnu::always_inline]] inline Place<Two> place_of(const EnvArrays& e, const EnvWork& work,
                                                  const Use& use, const EnvPod& a, const EnvPod& b,
                                                  Ms at) {
    const EnvNode& m = e.nodes[a.node];
    const EnvNode& n = e.nodes[b.node];
    Place<Two> place;
    place.cpu_limit_cores = limits_of(a, b);
    place.cpu_share_cores = Two{m.contended ? a.share : m.cores, n.contended ? b.share : n.cores};
    const Two slowness{m.slowness, n.slowness};
    const Two cores{m.cores, n.cores};
    const Two others = Two{m.cpu_used, n.cpu_used} - use.scaled * slowness;
    place.phi = Two{m.phi, n.phi};
    if (any(others > 0.5 * cores)) {
        const Two crowding = most(Two{0.0, 0.0}, others / cores - 0.5);
        place.phi *= exp_of(-work.model.contention_sensitivity * crowding);
    }
    place.warmup = place.pressure = Two{1.0, 1.0};
    if (work.nature.warmup_peak > 1.0) {
        const Two age_s{seconds_of(at - a.ready_at), seconds_of(at - b.ready_at)};
        // Far out nothing is left, and the rare way of exp() is the slow one.
        const Two fades = most(-age_s / work.nature.warmup_s, Two{-700.0, -700.0});
        place.warmup = 1.0 + (work.nature.warmup_peak - 1.0) * exp_of(fades);
    }
    const double limit = static_cast<double>(std::min(a.memory_limit, b.memory_limit));
    if (work.memory_pod > kPressureFrom * limit) {
        place.pressure = Two{pressure_of(work, a), pressure_of(work, b)};
    }
    place.traffic_per_s = Two{kUnlimited, kUnlimited};
    place.transfer_s = Two{0.0, 0.0};
    if (work.model.io_bytes > 0.0) {
        const double bytes = work.model.io_bytes * work.flow.payload;
        const Two taken{m.io_utilisation, n.io_utilisation};
        const Two share =
            Two{m.io_bytes_s, n.io_bytes_s} * most(Two{0.05, 0.05}, 1.0 - taken) + use.io;
        place.traffic_per_s = share / bytes;
        place.transfer_s = bytes / share / (1.0 - least(every<Two>(kTransferLoadMax), taken));
    }
    if (work.model.net_bytes > 0.0) {
        const double bytes = work.model.net_bytes * work.flow.payload;
        const Two share{m.net_bytes_s, n.net_bytes_s};
        place.traffic_per_s = least(place.traffic_per_s, share / bytes);
        place.transfer_s += bytes / share / Two{m.net_idle, n.net_idle};
    }
    return place;
}

/// What pods add up to, as in ServiceSum: rate and open rate; servers and quota; then, times the
/// rate, service and demand; transfer and disk traffic; net traffic.
using Sums = std::array<Two, 5>;

// Adds two pods in their order, or the first alone.
[[gnu::always_inline]] inline void add(Sums& sum, const EnvWork& work, const Place<Two>& place,
                                       bool both) {
    const Pod<Two> pod = formulas::serve(work.model, work.flow.payload, place);
    const Two rate = pod.rate_per_s;
    const Two service = rate * pod.service_s;
    const Two demand = rate * pod.demand_core_s;
    const Two transfer = rate * pod.transfer_s;
    const Two io = rate * (work.model.io_bytes * work.flow.payload);
    const Two net = rate * (work.model.net_bytes * work.flow.payload);
    const auto add_one = [&](int i) {
        sum[0] += Two{rate[i], pod.open_rate_per_s[i]};
        sum[1] += Two{pod.servers[i], pod.quota[i]};
        sum[2] += Two{service[i], demand[i]};
        sum[3] += Two{transfer[i], io[i]};
        sum[4] += Two{net[i], 0.0};
    };
    add_one(0);
    if (both) add_one(1);
}

PodService mean_of(const Sums& sum, double per_pod) {
    if (!(sum[0][0] > 0.0)) return {};
    const double per_rate = 1.0 / sum[0][0];
    return {.rate_per_s = sum[0][0] * per_pod,
            .open_rate_per_s = sum[0][1] * per_pod,
            .servers = sum[1][0] * per_pod,
            .service_s = sum[2][0] * per_rate,
            .demand_core_s = sum[2][1] * per_rate,
            .quota = sum[1][1] * per_pod,
            .transfer_s = sum[3][0] * per_rate,
            .io_bytes = sum[3][1] * per_rate,
            .net_bytes = sum[4][0] * per_rate};
}

}  // namespace

void refresh_service(EnvArrays& e, Index w, Ms at) {
    EnvWork& work = e.works[w];
    if (work.pods_stale) survey(e, w);
    const Use use = e.uses[w];
    const Index* serving = e.serving.data() + std::size_t{w} * e.work_room;
    const auto count = static_cast<Index>(work.serving);
    Sums sum{};
    for (Index i = 0; i < count; i += 2) {
        // The last of an odd number goes with itself.
        const bool both = i + 1 < count;
        const EnvPod& a = e.pods[serving[i]];
        const EnvPod& b = both ? e.pods[serving[i + 1]] : a;
        add(sum, work, place_of(e, work, use, a, b, at), both);
    }
    const double per_pod = 1.0 / std::max(1, work.serving);
    work.age_mean_s =
        work.serving > 0 ? seconds_of(work.serving * at - work.ready_sum) * per_pod : 0.0;
    work.age_max_s = work.serving > 0 ? seconds_of(at - work.ready_first) : 0.0;
    work.service = mean_of(sum, per_pod);
    work.rates_stale = false;
}

}  // namespace parley::sim
