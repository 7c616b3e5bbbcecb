#include "sim/learners/vector_env_arrays.h"
#include "sim/load/load_formulas.h"

#include <algorithm>
#include <array>

namespace parley::sim {
namespace {

using formulas::Place;
using formulas::Pod;

// The serving pods, and what stays the same until other pods serve or their nodes change.
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

using Pods = std::array<const EnvPod*, 4>;

// Where four pods of a workload run.
[[gnu::always_inline]] inline Place<Four> place_of(const EnvArrays& e, const EnvWork& work,
                                                   const Use& use, const Pods& pods, Ms at) {
    const auto of_pod = [&](auto&& of) __attribute__((always_inline)) {
        return lanes_of<Four>([&](int i) { return of(*pods[std::size_t(i)]); });
    };
    const auto of_node = [&](double EnvNode::* name) __attribute__((always_inline)) {
        return lanes_of<Four>([&](int i) { return e.nodes[pods[std::size_t(i)]->node].*name; });
    };
    Place<Four> place;
    place.cpu_limit_cores =
        of_pod([](const EnvPod& pod) { return static_cast<double>(pod.cpu_limit_m); }) / 1000.0;
    place.cpu_share_cores = of_pod([&](const EnvPod& pod) {
        const EnvNode& node = e.nodes[pod.node];
        return node.contended ? pod.share : node.cores;
    });
    const Four cores = of_node(&EnvNode::cores);
    const Four others = of_node(&EnvNode::cpu_used) - use.scaled * of_node(&EnvNode::slowness);
    place.phi = of_node(&EnvNode::phi);
    if (any(others > 0.5 * cores)) {
        const Four crowding = most(Four{}, others / cores - 0.5);
        place.phi *= exp_of(-work.model.contention_sensitivity * crowding);
    }
    place.warmup = place.pressure = every<Four>(1.0);
    if (work.nature.warmup_peak > 1.0) {
        const Four age_s = of_pod([&](const EnvPod& pod) { return seconds_of(at - pod.ready_at); });
        // Beyond that nothing is left, and exp() would take its slow path.
        const Four fades = most(-age_s / work.nature.warmup_s, every<Four>(-700.0));
        place.warmup = 1.0 + (work.nature.warmup_peak - 1.0) * exp_of(fades);
    }
    const Four limits =
        of_pod([](const EnvPod& pod) { return static_cast<double>(pod.memory_limit); });
    if (any(work.memory_pod > kPressureFrom * limits)) {
        place.pressure = of_pod([&](const EnvPod& pod) { return pressure_of(work, pod); });
    }
    place.traffic_per_s = every<Four>(kUnlimited);
    place.transfer_s = Four{};
    if (work.model.io_bytes > 0.0) {
        const double bytes = work.model.io_bytes * work.flow.payload;
        const Four taken = of_node(&EnvNode::io_utilisation);
        const Four share =
            of_node(&EnvNode::io_bytes_s) * most(every<Four>(0.05), 1.0 - taken) + use.io;
        place.traffic_per_s = share / bytes;
        place.transfer_s = bytes / share / (1.0 - least(every<Four>(kTransferLoadMax), taken));
    }
    if (work.model.net_bytes > 0.0) {
        const double bytes = work.model.net_bytes * work.flow.payload;
        const Four share = of_node(&EnvNode::net_bytes_s);
        place.traffic_per_s = least(place.traffic_per_s, share / bytes);
        place.transfer_s += bytes / share / of_node(&EnvNode::net_idle);
    }
    return place;
}

/// What pods add up to, as in ServiceSum, two sums to a register.
struct Sums {
    Two rates{};    ///< Rate and open rate.
    Two cores{};    ///< Servers and quota.
    Two times{};    ///< Service and demand, times the rate, as all that follows.
    Two traffic{};  ///< Transfer and disk traffic.
    double net = 0.0;
};

// Adds the first `count` of four pods in their order, which fixes the rounding.
[[gnu::always_inline]] inline void add(Sums& sum, const EnvWork& work, const Place<Four>& place,
                                       int count) {
    const Pod<Four> pod = formulas::serve(work.model, work.flow.payload, place);
    const Four rate = pod.rate_per_s;
    const Four service = rate * pod.service_s;
    const Four demand = rate * pod.demand_core_s;
    const Four transfer = rate * pod.transfer_s;
    const Four io = rate * (work.model.io_bytes * work.flow.payload);
    const Four net = rate * (work.model.net_bytes * work.flow.payload);
    for (int i = 0; i < 4; ++i) {
        if (i == count) break;
        sum.rates += Two{rate[i], pod.open_rate_per_s[i]};
        sum.cores += Two{pod.servers[i], pod.quota[i]};
        sum.times += Two{service[i], demand[i]};
        sum.traffic += Two{transfer[i], io[i]};
        sum.net += net[i];
    }
}

PodService mean_of(const Sums& sum, double per_pod) {
    if (!(sum.rates[0] > 0.0)) return {};
    const double per_rate = 1.0 / sum.rates[0];
    return {.rate_per_s = sum.rates[0] * per_pod,
            .open_rate_per_s = sum.rates[1] * per_pod,
            .servers = sum.cores[0] * per_pod,
            .service_s = sum.times[0] * per_rate,
            .demand_core_s = sum.times[1] * per_rate,
            .quota = sum.cores[1] * per_pod,
            .transfer_s = sum.traffic[0] * per_rate,
            .io_bytes = sum.traffic[1] * per_rate,
            .net_bytes = sum.net * per_rate};
}

}  // namespace

void refresh_service(EnvArrays& e, Index w, Ms at) {
    EnvWork& work = e.works[w];
    if (work.pods_stale) survey(e, w);
    const Use use = e.uses[w];
    const Index* serving = e.serving.data() + std::size_t{w} * e.work_room;
    const auto count = static_cast<Index>(work.serving);
    Sums sum{};
    run_wide([&]() __attribute__((always_inline)) {
        for (Index i = 0; i < count; i += 4) {
            const Index here = std::min(count - i, Index{4});
            Pods pods;
            // If there are too few, the last one fills in and is not counted.
            for (Index k = 0; k < 4; ++k) pods[k] = &e.pods[serving[i + std::min(k, here - 1)]];
            add(sum, work, place_of(e, work, use, pods, at), static_cast<int>(here));
        }
    });
    const double per_pod = 1.0 / std::max(1, work.serving);
    work.age_mean_s =
        work.serving > 0 ? seconds_of(work.serving * at - work.ready_sum) * per_pod : 0.0;
    work.age_max_s = work.serving > 0 ? seconds_of(at - work.ready_first) : 0.0;
    work.service = mean_of(sum, per_pod);
    work.rates_stale = false;
}

}  // namespace parley::sim
