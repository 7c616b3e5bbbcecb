#include "sim/load_formulas.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace parley::sim {
namespace {

using formulas::Place;
using formulas::Pod;

constexpr double kOld = 30.0;          // Time constants of warming up: 1e-13 is left.
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
    work.ready_last = std::numeric_limits<Ms>::min() / 2;  // Times are taken from it.
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
        work.ready_last = std::max(work.ready_last, pod.ready_at);
    }
    const double per_pod = 1.0 / std::max(Index{1}, count);
    work.slowness_mean = count > 0 ? slowness * per_pod : 1.0;
    work.io_per_byte = io * per_pod;
    work.net_per_byte = net * per_pod;
    work.pods_stale = false;
}

// Nothing slows the pods down that goes by what their workload does at the moment: neighbours,
// memory, disk or youth.
bool at_ease(const EnvWork& work, const Use& use, Ms at) {
    const double least = static_cast<double>(std::min(work.memory_limit, work.template_memory));
    return use.scaled >= work.uncrowded_from && work.memory_pod <= kPressureFrom * least &&
           work.model.io_bytes == 0.0 &&
           (work.nature.warmup_peak <= 1.0 ||
            seconds_of(at - work.ready_last) > kOld * work.nature.warmup_s);
}

double pressure_of(const EnvWork& work, const EnvPod& pod) {
    return memory_pressure_factor(
        work.model.memory_pressure_cost,
        std::min(1.0, work.memory_pod / static_cast<double>(pod.memory_limit)));
}

// Where two pods of a workload run; the limits are the caller's.
[[gnu::always_inline]] inline Place<Two> place_of(const EnvArrays& e, const EnvWork& work,
                                                  const Use& use, const EnvPod& a, const EnvPod& b,
                                                  Ms at) {
    const EnvNode& m = e.nodes[a.node];
    const EnvNode& n = e.nodes[b.node];
    Place<Two> place;
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

Two limits_of(std::int64_t a_m, std::int64_t b_m) {
    return Two{static_cast<double>(a_m), static_cast<double>(b_m)} / 1000.0;
}

// Works out what two pods can do; with itself, one.
[[gnu::always_inline]] inline void work_out(const EnvArrays& e, const EnvWork& work, const Use& use,
                                            EnvPod& a, EnvPod& b, Ms at) {
    Place<Two> place = place_of(e, work, use, a, b, at);
    place.cpu_limit_cores = limits_of(a.cpu_limit_m, b.cpu_limit_m);
    const Pod<Two> pod = formulas::serve(work.model, work.flow.payload, place);
    const Two rate = pod.rate_per_s;
    const Two service = rate * pod.service_s;
    const Two demand = rate * pod.demand_core_s;
    const Two transfer = rate * pod.transfer_s;
    const Two io = rate * (work.model.io_bytes * work.flow.payload);
    const Two net = rate * (work.model.net_bytes * work.flow.payload);
    const auto give = [&](EnvPod& to, int i) {
        to.parts = {Two{rate[i], pod.open_rate_per_s[i]}, Two{pod.servers[i], pod.quota[i]},
                    Two{service[i], demand[i]}, Two{transfer[i], io[i]}, Two{net[i], 0.0}};
    };
    give(a, 0);
    give(b, 1);
}

// The mean of the pods that serve, added up in their order, as in ServiceSum.
void set_mean(EnvArrays& e, Index w, Ms at) {
    EnvWork& work = e.works[w];
    const Index* serving = e.serving.data() + std::size_t{w} * e.work_room;
    EnvParts sum{};
    for (Index i = 0; std::cmp_less(i, work.serving); ++i) {
        const EnvParts& parts = e.pods[serving[i]].parts;
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += parts[k];
    }
    const double per_pod = 1.0 / std::max(1, work.serving);
    work.age_mean_s =
        work.serving > 0 ? seconds_of(work.serving * at - work.ready_sum) * per_pod : 0.0;
    work.age_max_s = work.serving > 0 ? seconds_of(at - work.ready_first) : 0.0;
    if (!(sum[0][0] > 0.0)) {
        work.service = {};
        return;
    }
    const double per_rate = 1.0 / sum[0][0];
    work.service = {.rate_per_s = sum[0][0] * per_pod,
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
    for (Index i = 0; i < count; i += 2) {
        // The last of an odd number goes with itself.
        EnvPod& a = e.pods[serving[i]];
        work_out(e, work, use, a, e.pods[serving[std::min(i + 1, count - 1)]], at);
    }
    double from = 0.0;
    for (Index i = 0; i < count; ++i) {
        from = std::max(from, e.nodes[e.pods[serving[i]].node].uncrowded_from);
    }
    work.uncrowded_from = from;
    work.summed_at = at_ease(work, use, at) ? e.surroundings : kNotSummed;
    work.rates_stale = false;
    set_mean(e, w, at);
}

void resize_pod(EnvArrays& e, Index w, EnvPod& pod, Ms at) {
    EnvWork& work = e.works[w];
    pod.cpu_limit_m = pod.cpu_limit_next_m;
    const Use& use = e.uses[w];
    if (work.rates_stale || work.pods_stale || work.summed_at != e.surroundings ||
        !at_ease(work, use, at)) {
        work.rates_stale = true;
        return;
    }
    if (pod.stage == Stage::serving) work_out(e, work, use, pod, pod, at);
    set_mean(e, w, at);
}

}  // namespace parley::sim
