#include "base/math.h"
#include "sim/cpu_share.h"
#include "sim/series.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr double kSystemCores = 0.06;  // As in the world: kubelet and kernel on every node.
constexpr std::int64_t kKnot = 40;      // As in series.cc: the noise is straight between knots.
constexpr double kOld = 30'000.0;       // Milliseconds per second of warming up: 1e-13 is left.
constexpr double kPressureFrom = 0.8;   // As in pod_life.cc.

void commit(EnvArrays& e, Index w) {
    Flow& f = e.works.flow[w];
    const auto span = static_cast<double>(e.now - f.since);
    if (span <= 0.0) return;
    f.offered_total += f.offered * span;
    f.done_total += f.done * span;
    f.lost_total += f.lost * span;
    f.cpu_total += f.cpu * span;
    f.latency_total += f.latency * span;
    f.spread_total += f.spread * span;
    f.queued = std::max(0.0, f.queued + f.queue * span);
    e.works.io_total[w] += e.works.io[w] * span;
    e.works.net_total[w] += e.works.net[w] * span;
    f.since = e.now;
}

PodPlace place_of(const EnvArrays& e, Index w, Index p) {
    const EnvNodes& nodes = e.nodes;
    const WorkloadModel& model = e.works.model[w];
    const Index n = e.pods.node[p];
    PodPlace place;
    place.cpu_limit_cores = static_cast<double>(e.pods.cpu_limit_m[p]) / 1000.0;
    place.cpu_share_cores = nodes.contended[n] != 0 ? e.pods.share[p] : nodes.cores[n];
    const double own = e.works.use[w].scaled * nodes.slowness[n];
    const double others = std::max(0.0, nodes.cpu_used[n] - own) / nodes.cores[n];
    const double crowding = others - 0.5;
    place.phi = 1.0 / nodes.slowness[n];
    if (crowding > 0.0) place.phi *= math::exp(-model.contention_sensitivity * crowding);
    place.payload = e.works.flow[w].payload;
    if (e.works.nature[w].warmup_peak > 1.0) {
        place.warmup = warmup_factor(e.works.nature[w], seconds_of(e.now - e.pods.ready_at[p]));
    }
    place.memory_ratio =
        std::min(1.0, e.works.memory_pod[w] / static_cast<double>(e.pods.memory_limit[p]));
    if (model.io_bytes > 0.0) {
        place.io_utilisation = std::min(1.0, nodes.io_used[n] / nodes.io_bytes_s[n]);
        place.io_share_bytes_per_s =
            nodes.io_bytes_s[n] * std::max(0.05, 1.0 - place.io_utilisation) + e.works.use[w].io;
    }
    place.net_share_bytes_per_s = nodes.net_bytes_s[n];
    place.net_utilisation = std::min(1.0, nodes.net_used[n] / nodes.net_bytes_s[n]);
    return place;
}

// What a pod can do changes within a step only with its own limit, unless neighbours, memory, disk
// or its youth slow it down: those go by what its workload does at the moment.
const PodService& service_of(EnvArrays& e, Index w, Index p) {
    const EnvNodes& nodes = e.nodes;
    const PodNature& nature = e.works.nature[w];
    const Index n = e.pods.node[p];
    const double own = e.works.use[w].scaled * nodes.slowness[n];
    const double pressure = kPressureFrom * static_cast<double>(e.pods.memory_limit[p]);
    const bool old = nature.warmup_peak <= 1.0 ||
                     static_cast<double>(e.now - e.pods.ready_at[p]) > kOld * nature.warmup_s;
    const bool at_ease = nodes.cpu_used[n] - own <= 0.5 * nodes.cores[n] &&
                         e.works.memory_pod[w] <= pressure && e.works.model[w].io_bytes == 0.0 &&
                         old;
    if (at_ease && e.pods.worked_out[p] == e.surroundings) return e.pods.service[p];
    e.pods.service[p] = pod_service(e.works.model[w], place_of(e, w, p));
    e.pods.worked_out[p] = at_ease ? e.surroundings : kNotWorkedOut;
    return e.pods.service[p];
}

void refresh_service(EnvArrays& e, Index w) {
    EnvWorks& works = e.works;
    works.rates_stale[w] = 0;
    ServiceSum sum;
    double slowness = 0.0;
    double io = 0.0;
    double net = 0.0;
    Ms age = 0;
    Ms oldest = 0;
    const Index* pods = works.pods.data() + std::size_t{w} * works.room;
    for (Index i = 0; i < works.count[w]; ++i) {
        const Index p = pods[i];
        if (!serves(e, p)) continue;
        const Index n = e.pods.node[p];
        sum.add(service_of(e, w, p));
        slowness += e.nodes.slowness[n];
        io += e.nodes.io_per_byte[n];
        net += e.nodes.net_per_byte[n];
        const Ms aged = e.now - e.pods.ready_at[p];
        age += aged;
        oldest = std::max(oldest, aged);
    }
    works.service[w] = sum.mean();
    const double per_pod = 1.0 / std::max(1, sum.pods());
    works.slowness_mean[w] = sum.pods() > 0 ? slowness * per_pod : 1.0;
    works.age_mean_s[w] = seconds_of(age) * per_pod;
    works.age_max_s[w] = seconds_of(oldest);
    works.io_per_byte[w] = io * per_pod;
    works.net_per_byte[w] = net * per_pod;
}

void settle_service(EnvArrays& e, Index w) {
    EnvWorks& works = e.works;
    Flow& f = works.flow[w];
    if (works.rates_stale[w] != 0) refresh_service(e, w);
    const double span_ms = static_cast<double>(e.next_step - e.now);
    Settled r = settle(works.model[w], works.service[w], {f.queued, f.lost_per_s},
                       {.rate_per_s = f.rate_per_s,
                        .interval_s = span_ms / 1000.0,
                        .pods = works.serving[w]});
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
    works.io[w] = r.io_bytes * per_ms;
    works.net[w] = r.net_bytes * per_ms;
    const double pods = std::max(1, works.serving[w]);
    Use& use = works.use[w];
    const double per_pod_s = 1000.0 * per_ms / pods;
    use.scaled = r.cpu_core_s * per_pod_s / works.slowness_mean[w];
    use.io = r.io_bytes * per_pod_s;
    use.net = r.net_bytes * per_pod_s;
    const PodNature& nature = works.nature[w];
    works.memory_pod[w] = memory_bytes(nature, r.in_flight_per_pod, 0.0, 0.0);
    use.memory = works.memory_pod[w] + nature.memory_leak_bytes_per_s * works.age_mean_s[w];
    works.done_per_s[w] = r.done * (1000.0 * per_ms);
    works.latency_mean_s[w] = r.latency_mean_s;
    works.served[w] = std::max(works.served[w], works.serving[w]);
}

void resettle(EnvArrays& e, Index w) {
    e.works.touched[w] = 0;
    commit(e, w);
    if (e.now < e.next_step) settle_service(e, w);
}

void share_out(EnvArrays& e, Index n) {
    EnvNodes& nodes = e.nodes;
    double wanted = 0.0;
    e.wants.clear();
    const std::size_t first = std::size_t{n} * nodes.room;
    for (Index i = 0; i < nodes.active[n]; ++i) {
        const Index w = nodes.works[first + i];
        const double want = e.works.use[w].scaled * nodes.slowness[n];
        wanted += want;
        e.wants.push_back({want, static_cast<double>(e.works.cpu_request_m[w]) / 1000.0});
    }
    const bool crowded = wanted > nodes.cores[n];
    if (!crowded && nodes.contended[n] == 0) return;
    nodes.contended[n] = crowded ? 1 : 0;
    e.shares.resize(e.wants.size());
    if (crowded) water_fill(nodes.cores[n], e.wants, e.shares);
    for (Index i = 0; i < nodes.active[n]; ++i) {
        e.pods.share[nodes.pods[first + i]] = crowded ? e.shares[i] : kUnlimited;
        e.works.rates_stale[nodes.works[first + i]] = 1;
    }
}

void use_node(EnvArrays& e, Index n) {
    EnvNodes& nodes = e.nodes;
    double scaled = 0.0;
    double io = 0.0;
    double net = 0.0;
    const Index* works = nodes.works.data() + std::size_t{n} * nodes.room;
    for (Index i = 0; i < nodes.active[n]; ++i) {
        const Use& use = e.works.use[works[i]];
        scaled += use.scaled;
        io += use.io;
        net += use.net;
    }
    nodes.cpu_used[n] = std::min(nodes.cores[n], scaled * nodes.slowness[n] + kSystemCores);
    nodes.io_used[n] = std::min(nodes.io_bytes_s[n], io);
    nodes.net_used[n] = std::min(nodes.net_bytes_s[n], net);
}

void check_memory(EnvArrays& e, Index w) {
    const EnvWorks& works = e.works;
    if (works.serving[w] == 0) return;
    const double leak = works.nature[w].memory_leak_bytes_per_s * works.age_max_s[w];
    const double worst = (works.memory_pod[w] + leak) * works.memory_worst[w];
    const std::int64_t least = std::min(works.memory_limit[w], works.template_memory[w]);
    if (!out_of_memory(worst, static_cast<double>(least))) return;
    const Index* pods = works.pods.data() + std::size_t{w} * works.room;
    for (Index i = works.count[w]; i-- > 0;) {
        const Index p = pods[i];
        if (!serves(e, p)) continue;
        if (out_of_memory(memory_of(e, p), static_cast<double>(e.pods.memory_limit[p]))) {
            kill_container(e, p);
        }
    }
}

double rate_noise(EnvArrays& e, Index w) {
    const Series& series = *e.works.rate[w];
    if (series.noise <= 0.0) return 1.0;
    auto& [from, to] = e.works.knots[w];
    const std::int64_t along = e.step_number % kKnot;
    if (along == 0) {
        const auto knot = [&](std::int64_t step) {
            return math::log(
                series_noise(series, e.seed, Stream::arrival, e.works.entity[w], step));
        };
        from = knot(e.step_number);
        to = knot(e.step_number + kKnot);
    }
    return math::exp(from + (to - from) * (static_cast<double>(along) / static_cast<double>(kKnot)));
}

}  // namespace

double memory_of(const EnvArrays& e, Index p) {
    if (!serves(e, p)) return 0.0;
    const Index w = e.pods.work[p];
    const PodNature& nature = e.works.nature[w];
    const auto index =
        (static_cast<std::uint64_t>(e.noise_number) << 24) | (e.pods.ordinal[p] & 0xff'ffff);
    const double z = random::normal(draw(e.seed, Stream::noise, e.works.entity[w], index));
    const double leak = nature.memory_leak_bytes_per_s * seconds_of(e.now - e.pods.ready_at[p]);
    return (std::max(e.works.memory_pod[w], nature.memory_base_bytes) + leak) *
           math::exp(nature.memory_sigma * z);
}

void settle_touched(EnvArrays& e) {
    for (const Index w : e.touched) resettle(e, w);
    e.touched.clear();
}

void step_load(EnvArrays& e) {
    EnvWorks& works = e.works;
    const Ms step = ms_of(e.scenario->step);
    e.next_step = e.now + step;
    const double step_s = seconds_of(step);
    const auto k = static_cast<std::uint64_t>(e.step_number);
    ++e.surroundings;
    for (Index w = 0; w < works.size; ++w) {
        Flow& f = works.flow[w];
        const double rate = series_shape(*works.rate[w], e.now) * rate_noise(e, w);
        const auto count = random::count(draw(e.seed, Stream::arrival, works.entity[w], k),
                                         std::min(rate * step_s, 1e12), works.model[w].arrival_cv2);
        f.rate_per_s = static_cast<double>(count) / step_s;
        const Series& sizes = *works.payload[w];
        const double payload =
            std::max(0.01, series_shape(sizes, e.now) * series_noise(sizes, e.seed, Stream::payload,
                                                                     works.entity[w],
                                                                     e.step_number));
        if (payload != f.payload) works.rates_stale[w] = 1;
        f.payload = payload;
        resettle(e, w);
    }
    e.touched.clear();
    for (Index n = 0; n < e.nodes.size; ++n) use_node(e, n);
    ++e.step_number;
    ++e.surroundings;
}

void step_noise(EnvArrays& e) {
    EnvNodes& nodes = e.nodes;
    const auto k = static_cast<std::uint64_t>(e.noise_number);
    for (Index n = 0; n < nodes.size; ++n) {
        nodes.z[n] = e.noise_decay * nodes.z[n] +
                     e.noise_fresh * random::normal(draw(e.seed, Stream::noise, nodes.entity[n], k));
        share_out(e, n);
        nodes.slowness[n] = 1.0 / node_phi(nodes.speed[n], 0.0, 0.0, nodes.z[n]);
    }
    for (Index w = 0; w < e.works.size; ++w) touch(e, w);
    for (Index w = 0; w < e.works.size; ++w) check_memory(e, w);
    ++e.noise_number;
    ++e.surroundings;
    e.next_noise = e.now + ms_of(e.scenario->noise_step);
}

}  // namespace parley::sim
