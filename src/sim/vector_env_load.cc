#include "base/math.h"
#include "sim/cpu_share.h"
#include "sim/series.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr double kSystemCores = 0.06;  // As in the world: kubelet and kernel on every node.
constexpr std::int64_t kKnot = 40;     // As in series.cc: the noise is straight between knots.
constexpr double kOld = 30'000.0;      // Milliseconds per second of warming up: 1e-13 is left.
constexpr double kPressureFrom = 0.8;  // As in pod_life.cc.

void commit(EnvWork& work, Ms now) {
    Flow& f = work.flow;
    const auto span = static_cast<double>(now - f.since);
    if (span <= 0.0) return;
    f.offered_total += f.offered * span;
    f.done_total += f.done * span;
    f.lost_total += f.lost * span;
    f.cpu_total += f.cpu * span;
    f.latency_total += f.latency * span;
    f.spread_total += f.spread * span;
    f.queued = std::max(0.0, f.queued + f.queue * span);
    work.io_total += work.io * span;
    work.net_total += work.net * span;
    f.since = now;
}

PodPlace place_of(const EnvArrays& e, const EnvWork& work, const Use& use, const EnvPod& pod) {
    const EnvNode& node = e.nodes[pod.node];
    PodPlace place;
    place.cpu_limit_cores = static_cast<double>(pod.cpu_limit_m) / 1000.0;
    place.cpu_share_cores = node.contended ? pod.share : node.cores;
    const double others = std::max(0.0, node.cpu_used - use.scaled * node.slowness) / node.cores;
    const double crowding = others - 0.5;
    place.phi = 1.0 / node.slowness;
    if (crowding > 0.0) place.phi *= math::exp(-work.model.contention_sensitivity * crowding);
    place.payload = work.flow.payload;
    if (work.nature.warmup_peak > 1.0) {
        place.warmup = warmup_factor(work.nature, seconds_of(e.now - pod.ready_at));
    }
    place.memory_ratio = std::min(1.0, work.memory_pod / static_cast<double>(pod.memory_limit));
    if (work.model.io_bytes > 0.0) {
        place.io_utilisation = std::min(1.0, node.io_used * node.io_per_byte);
        place.io_share_bytes_per_s =
            node.io_bytes_s * std::max(0.05, 1.0 - place.io_utilisation) + use.io;
    }
    place.net_share_bytes_per_s = node.net_bytes_s;
    place.net_utilisation = std::min(1.0, node.net_used * node.net_per_byte);
    return place;
}

// What a pod can do changes within a step only with its own limit, unless neighbours, memory, disk
// or its youth slow it down: those go by what its workload does at the moment.
const PodService& service_of(EnvArrays& e, const EnvWork& work, const Use& use, EnvPod& pod) {
    const EnvNode& node = e.nodes[pod.node];
    const bool old = work.nature.warmup_peak <= 1.0 ||
                     static_cast<double>(e.now - pod.ready_at) > kOld * work.nature.warmup_s;
    const bool at_ease = node.cpu_used - use.scaled * node.slowness <= 0.5 * node.cores &&
                         work.memory_pod <= kPressureFrom * static_cast<double>(pod.memory_limit) &&
                         work.model.io_bytes == 0.0 && old;
    if (at_ease && pod.worked_out == e.surroundings) return pod.service;
    pod.service = pod_service(work.model, place_of(e, work, use, pod));
    pod.worked_out = at_ease ? e.surroundings : kNotWorkedOut;
    return pod.service;
}

void refresh_service(EnvArrays& e, Index w) {
    EnvWork& work = e.works[w];
    const Use use = e.uses[w];
    work.rates_stale = false;
    ServiceSum sum;
    double slowness = 0.0;
    double io = 0.0;
    double net = 0.0;
    Ms age = 0;
    Ms oldest = 0;
    const Index* pods = e.work_pods.data() + std::size_t{w} * e.work_room;
    for (Index i = 0; i < work.count; ++i) {
        EnvPod& pod = e.pods[pods[i]];
        if (pod.stage != Stage::serving) continue;
        sum.add(service_of(e, work, use, pod));
        const EnvNode& node = e.nodes[pod.node];
        slowness += node.slowness;
        io += node.io_per_byte;
        net += node.net_per_byte;
        const Ms aged = e.now - pod.ready_at;
        age += aged;
        oldest = std::max(oldest, aged);
    }
    work.service = sum.mean();
    const double per_pod = 1.0 / std::max(1, sum.pods());
    work.slowness_mean = sum.pods() > 0 ? slowness * per_pod : 1.0;
    work.age_mean_s = seconds_of(age) * per_pod;
    work.age_max_s = seconds_of(oldest);
    work.io_per_byte = io * per_pod;
    work.net_per_byte = net * per_pod;
}

void settle_service(EnvArrays& e, Index w) {
    EnvWork& work = e.works[w];
    Flow& f = work.flow;
    if (work.rates_stale) refresh_service(e, w);
    const double span_ms = static_cast<double>(e.next_step - e.now);
    Settled r =
        settle(work.model, work.service, {f.queued, f.lost_per_s},
               {.rate_per_s = f.rate_per_s, .interval_s = span_ms / 1000.0, .pods = work.serving});
    const double paid = std::min(f.debt, r.done);
    f.debt -= paid;
    r.done -= paid;
    r.lost += paid;
    const double per_ms = 1.0 / span_ms;
    f.offered = r.offered * per_ms;
    f.done = r.done * per_ms;
    f.lost = r.lost * per_ms;
    f.cpu = r.cpu_core_s * per_ms;
    f.latency = r.latency_p95_s * f.done;
    f.spread = r.latency_sd_log * f.done;
    f.queue = (r.next.queued - f.queued) * per_ms;
    f.lost_per_s = r.next.lost_per_s;
    work.io = r.io_bytes * per_ms;
    work.net = r.net_bytes * per_ms;
    const double per_pod_s = 1000.0 * per_ms / std::max(1, work.serving);
    Use& use = e.uses[w];
    use.scaled = r.cpu_core_s * per_pod_s / work.slowness_mean;
    use.io = r.io_bytes * per_pod_s;
    use.net = r.net_bytes * per_pod_s;
    work.memory_pod = memory_bytes(work.nature, r.in_flight_per_pod, 0.0, 0.0);
    use.memory = work.memory_pod + work.nature.memory_leak_bytes_per_s * work.age_mean_s;
    work.done_per_s = r.done * (1000.0 * per_ms);
    work.latency_mean_s = r.latency_mean_s;
    work.served = std::max(work.served, work.serving);
}

void resettle(EnvArrays& e, Index w) {
    e.works[w].touched = false;
    commit(e.works[w], e.now);
    if (e.now < e.next_step) settle_service(e, w);
}

void share_out(EnvArrays& e, Index n) {
    Rows<EnvNode>& nodes = e.nodes;
    double wanted = 0.0;
    e.wants.clear();
    const std::size_t first = std::size_t{n} * e.node_room;
    for (Index i = 0; i < nodes[n].active; ++i) {
        const Index w = e.node_works[first + i];
        const double want = e.uses[w].scaled * nodes[n].slowness;
        wanted += want;
        e.wants.push_back({want, static_cast<double>(e.works[w].cpu_request_m) / 1000.0});
    }
    const bool crowded = wanted > nodes[n].cores;
    if (!crowded && !nodes[n].contended) return;
    nodes[n].contended = crowded;
    e.shares.resize(e.wants.size());
    if (crowded) water_fill(nodes[n].cores, e.wants, e.shares);
    for (Index i = 0; i < nodes[n].active; ++i) {
        e.pods[e.node_pods[first + i]].share = crowded ? e.shares[i] : kUnlimited;
        e.works[e.node_works[first + i]].rates_stale = true;
    }
}

void use_node(EnvArrays& e, Index n) {
    Rows<EnvNode>& nodes = e.nodes;
    double scaled = 0.0;
    double io = 0.0;
    double net = 0.0;
    const Index* works = e.node_works.data() + std::size_t{n} * e.node_room;
    for (Index i = 0; i < nodes[n].active; ++i) {
        const Use& use = e.uses[works[i]];
        scaled += use.scaled;
        io += use.io;
        net += use.net;
    }
    nodes[n].cpu_used = std::min(nodes[n].cores, scaled * nodes[n].slowness + kSystemCores);
    nodes[n].io_used = std::min(nodes[n].io_bytes_s, io);
    nodes[n].net_used = std::min(nodes[n].net_bytes_s, net);
}

void check_memory(EnvArrays& e, Index w) {
    const Rows<EnvWork>& works = e.works;
    if (works[w].serving == 0) return;
    const double leak = works[w].nature.memory_leak_bytes_per_s * works[w].age_max_s;
    const double worst = (works[w].memory_pod + leak) * works[w].memory_worst;
    const std::int64_t least = std::min(works[w].memory_limit, works[w].template_memory);
    if (!out_of_memory(worst, static_cast<double>(least))) return;
    const Index* pods = e.work_pods.data() + std::size_t{w} * e.work_room;
    for (Index i = works[w].count; i-- > 0;) {
        const Index p = pods[i];
        if (!serves(e, p)) continue;
        if (out_of_memory(memory_of(e, p), static_cast<double>(e.pods[p].memory_limit))) {
            kill_container(e, p);
        }
    }
}

double rate_noise(EnvArrays& e, Index w) {
    const Series& series = *e.works[w].rate;
    if (series.noise <= 0.0) return 1.0;
    auto& [from, to] = e.works[w].knots;
    const std::int64_t along = e.step_number % kKnot;
    if (along == 0) {
        const auto knot = [&](std::int64_t step) {
            return math::log(
                series_noise(series, e.seed, Stream::arrival, e.works[w].entity, step));
        };
        from = knot(e.step_number);
        to = knot(e.step_number + kKnot);
    }
    return math::exp(from +
                     (to - from) * (static_cast<double>(along) / static_cast<double>(kKnot)));
}

}  // namespace

double memory_of(const EnvArrays& e, Index p) {
    if (!serves(e, p)) return 0.0;
    const Index w = e.pods[p].work;
    const PodNature& nature = e.works[w].nature;
    const auto index =
        (static_cast<std::uint64_t>(e.noise_number) << 24) | (e.pods[p].ordinal & 0xff'ffff);
    const double z = random::normal(draw(e.seed, Stream::noise, e.works[w].entity, index));
    const double leak = nature.memory_leak_bytes_per_s * seconds_of(e.now - e.pods[p].ready_at);
    return (std::max(e.works[w].memory_pod, nature.memory_base_bytes) + leak) *
           math::exp(nature.memory_sigma * z);
}

void settle_touched(EnvArrays& e) {
    for (const Index w : e.touched) resettle(e, w);
    e.touched.clear();
}

void step_load(EnvArrays& e) {
    Rows<EnvWork>& works = e.works;
    const Ms step = ms_of(e.scenario->step);
    e.next_step = e.now + step;
    const double step_s = seconds_of(step);
    const auto k = static_cast<std::uint64_t>(e.step_number);
    ++e.surroundings;
    for (Index w = 0; w < works.size(); ++w) {
        Flow& f = works[w].flow;
        const double rate = series_shape(*works[w].rate, e.now) * rate_noise(e, w);
        const auto count = random::count(draw(e.seed, Stream::arrival, works[w].entity, k),
                                         std::min(rate * step_s, 1e12), works[w].model.arrival_cv2);
        f.rate_per_s = static_cast<double>(count) / step_s;
        const Series& sizes = *works[w].payload;
        const double payload = std::max(
            0.01, series_shape(sizes, e.now) *
                      series_noise(sizes, e.seed, Stream::payload, works[w].entity, e.step_number));
        if (payload != f.payload) works[w].rates_stale = true;
        f.payload = payload;
        resettle(e, w);
    }
    e.touched.clear();
    for (Index n = 0; n < e.nodes.size(); ++n) use_node(e, n);
    ++e.step_number;
    ++e.surroundings;
}

void step_noise(EnvArrays& e) {
    Rows<EnvNode>& nodes = e.nodes;
    const auto k = static_cast<std::uint64_t>(e.noise_number);
    for (Index n = 0; n < nodes.size(); ++n) {
        nodes[n].z =
            e.noise_decay * nodes[n].z +
            e.noise_fresh * random::normal(draw(e.seed, Stream::noise, nodes[n].entity, k));
        share_out(e, n);
        nodes[n].slowness = 1.0 / node_phi(nodes[n].speed, 0.0, 0.0, nodes[n].z);
    }
    for (Index w = 0; w < e.works.size(); ++w) touch(e, w);
    for (Index w = 0; w < e.works.size(); ++w) check_memory(e, w);
    ++e.noise_number;
    ++e.surroundings;
    e.next_noise = e.now + ms_of(e.scenario->noise_step);
}

}  // namespace parley::sim
