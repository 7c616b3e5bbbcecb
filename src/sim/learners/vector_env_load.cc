#include "base/math.h"
#include "sim/learners/vector_env_arrays.h"
#include "sim/load/cpu_share.h"
#include "sim/load/lane_draws.h"
#include "sim/world/series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

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

// Adds a workload to those that are settled together.
void begin_settling(EnvArrays& e, Index w, Ms at) {
    EnvWork& work = e.works[w];
    commit(work, at);
    if (work.rates_stale) refresh_service(e, w, at);
    const Flow& f = work.flow;
    Settling& one = e.settling[e.settled.size()];
    e.settled.push_back(w);
    one.model = &work.model;
    one.pod = &work.service;
    one.state = {f.queued, f.lost_per_s};
    one.offer = {.rate_per_s = f.rate_per_s,
                 .interval_s = static_cast<double>(e.next_step - at) / 1000.0,
                 .pods = work.serving};
}

void end_settling(EnvArrays& e, Index w, const Settled& r) {
    EnvWork& work = e.works[w];
    Flow& f = work.flow;
    const double paid = std::min(f.debt, r.done);
    const double done = r.done - paid;
    f.debt -= paid;
    const double per_ms = 1.0 / static_cast<double>(e.next_step - f.since);
    f.offered = r.offered * per_ms;
    f.done = done * per_ms;
    f.lost = (r.lost + paid) * per_ms;
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
    work.memory_pod =
        work.nature.memory_base_bytes + work.nature.memory_per_request_bytes * r.in_flight_per_pod;
    use.memory = work.memory_pod + work.nature.memory_leak_bytes_per_s * work.age_mean_s;
    work.done_per_s = done * (1000.0 * per_ms);
    work.latency_mean_s = r.latency_mean_s;
    work.served = std::max(work.served, work.serving);
}

void settle_together(EnvArrays& e) {
    settle(std::span(e.settling).first(e.settled.size()));
    for (std::size_t i = 0; i < e.settled.size(); ++i) {
        end_settling(e, e.settled[i], e.settling[i].settled);
    }
    e.settled.clear();
}

Ms next_change(const EnvArrays& e, Index w) {
    const EnvWork& work = e.works[w];
    return std::min(work.changed_at, work.resize_at);
}

// Applies the changes of this moment; false if all of them are void by now.
bool change(EnvArrays& e, Index w, Ms at) {
    EnvWork& work = e.works[w];
    bool changed = work.changed_at == at;
    if (changed) work.changed_at = kNever;
    if (work.resize_at != at) return changed;
    work.resize_at = kNever;
    const Index* pods = e.work_pods.data() + std::size_t{w} * e.work_room;
    for (Index i = 0; i < work.count; ++i) {
        EnvPod& pod = e.pods[pods[i]];
        if (!std::exchange(pod.resizing, false)) continue;
        pod.cpu_limit_m = pod.cpu_limit_next_m;
        work.rates_stale = changed = true;
    }
    return changed;
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
    nodes[n].io_utilisation = std::min(1.0, nodes[n].io_used * nodes[n].io_per_byte);
    nodes[n].net_idle = 1.0 - std::min(kTransferLoadMax, nodes[n].net_used * nodes[n].net_per_byte);
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

// What is offered in this step to four workloads from `first` on; if there are fewer, the last is
// computed again.
void set_rates(EnvArrays& e, Index first) {
    const double step_s = seconds_of(ms_of(e.scenario->step));
    const auto at = [&](int i) {
        return std::min(first + static_cast<Index>(i), e.works.size() - 1);
    };
    std::array<double, 4> means{};
    for (int i = 0; i < 4; ++i) {
        const double rate = series_shape(*e.works[at(i)].rate, e.now) * rate_noise(e, at(i));
        means[std::size_t(i)] = std::min(rate * step_s, 1e12);
    }
    run_wide([&]() __attribute__((always_inline)) {
        FourWords entities{};
        for (int i = 0; i < 4; ++i) entities[i] = e.works[at(i)].entity;
        const FourWords bits = draw_lanes(e.seed, Stream::arrival, entities,
                                          FourWords{} + static_cast<std::uint64_t>(e.step_number));
        const Four dispersion =
            lanes_of<Four>([&](int i) { return e.works[at(i)].model.arrival_cv2; });
        const Four counts = count_lanes(bits, std::bit_cast<Four>(means), dispersion) / step_s;
        for (int i = 0; i < 4; ++i) e.works[at(i)].flow.rate_per_s = counts[i];
    });
}

// The noise on the speed of up to four nodes from `first` on.
void draw_noise(EnvArrays& e, Index first) {
    const int count = static_cast<int>(std::min(e.nodes.size() - first, Index{4}));
    EnvNode* nodes = e.nodes.data() + first;
    run_wide([&]() __attribute__((always_inline)) {
        FourWords entities{};
        for (int i = 0; i < count; ++i) entities[i] = nodes[i].entity;
        const FourWords bits = draw_lanes(e.seed, Stream::noise, entities,
                                          FourWords{} + static_cast<std::uint64_t>(e.noise_number));
        const Four fresh = e.noise_fresh * normal_lanes<Four>(bits);
        for (int i = 0; i < count; ++i) nodes[i].z = e.noise_decay * nodes[i].z + fresh[i];
    });
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

void change_order(EnvArrays& e, Index w) {
    for (Ms at = next_change(e, w); at < e.now; at = next_change(e, w)) {
        if (!change(e, w, at)) continue;
        begin_settling(e, w, at);
        settle_together(e);
    }
    e.works[w].pods_stale = true;
}

void change_pods(EnvArrays& e, Index w) {
    change_order(e, w);
    e.works[w].changed_at = e.now;
    e.works[w].rates_stale = true;
    list_changed(e, w);
}

void settle_changes(EnvArrays& e, Ms until) {
    for (bool more = true; more;) {
        more = false;
        std::size_t left = 0;
        for (const Index w : e.changed) {
            Ms at = next_change(e, w);
            if (at <= until && change(e, w, at)) begin_settling(e, w, at);
            at = next_change(e, w);
            more = more || at <= until;
            e.works[w].listed = at != kNever;
            if (at != kNever) e.changed[left++] = w;
        }
        e.changed.resize(left);
        settle_together(e);
    }
}

void step_load(EnvArrays& e) {
    Rows<EnvWork>& works = e.works;
    const Ms step = ms_of(e.scenario->step);
    e.next_step = e.now + step;
    for (Index w = 0; w < works.size(); ++w) {
        if (w % 4 == 0) set_rates(e, w);
        Flow& f = works[w].flow;
        const Series& sizes = *works[w].payload;
        const double payload = std::max(
            0.01, series_shape(sizes, e.now) *
                      series_noise(sizes, e.seed, Stream::payload, works[w].entity, e.step_number));
        if (payload != f.payload) works[w].rates_stale = true;
        f.payload = payload;
        works[w].changed_at = kNever;
        begin_settling(e, w, e.now);
    }
    settle_together(e);
    for (Index n = 0; n < e.nodes.size(); ++n) use_node(e, n);
    ++e.step_number;
}

void step_noise(EnvArrays& e) {
    Rows<EnvNode>& nodes = e.nodes;
    for (Index n = 0; n < nodes.size(); n += 4) draw_noise(e, n);
    for (Index n = 0; n < nodes.size(); ++n) {
        share_out(e, n);
        nodes[n].slowness = 1.0 / node_phi(nodes[n].speed, 0.0, 0.0, nodes[n].z);
        nodes[n].phi = 1.0 / nodes[n].slowness;
    }
    for (Index w = 0; w < e.works.size(); ++w) {
        e.works[w].rates_stale = e.works[w].pods_stale = true;
    }
    for (Index w = 0; w < e.works.size(); ++w) check_memory(e, w);
    ++e.noise_number;
    e.next_noise = e.now + ms_of(e.scenario->noise_step);
}

}  // namespace parley::sim
