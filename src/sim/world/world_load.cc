#include "sim/world/world_load.h"

#include "base/math.h"
#include "sim/load/cpu_share.h"
#include "sim/world/series.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_pods.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr double kSystemMemory = 400.0 * 1'048'576;
constexpr double kSleepWatts = 8.0;

void commit(Flow& f, Ms at) {
    const auto span = static_cast<double>(at - f.since);
    if (span <= 0.0) return;
    f.offered_total += f.offered * span;
    f.done_total += f.done * span;
    f.lost_total += f.lost * span;
    f.violating_total += f.violating * span;
    f.cpu_total += f.cpu * span;
    f.latency_total += f.latency * span;
    f.spread_total += f.spread * span;
    f.queued = std::max(0.0, f.queued + f.queue * span);
    f.since = at;
}

PodPlace place_of(const State& s, const WorkState& work, const PodState& pod) {
    const NodeState& node = s.nodes[pod.node];
    PodPlace place;
    if (pod.cpu_limit_m > 0) {
        place.cpu_limit_cores = static_cast<double>(pod.cpu_limit_m) / 1000.0;
    }
    place.cpu_share_cores = node.contended ? pod.share : node.cores;
    const double own = s.uses[pod.work].scaled * node.slowness;
    const double others = std::max(0.0, node.cpu_used - own) / node.cores;
    const double crowding = others - 0.5;
    place.phi = 1.0 / node.slowness;
    if (crowding > 0.0) {
        place.phi *= math::exp(-work.model.contention_sensitivity * crowding);
    }
    place.payload = work.flow.payload;
    if (work.nature.warmup_peak > 1.0) {
        place.warmup = warmup_factor(work.nature, seconds_of(s.now - pod.ready_at));
    }
    if (pod.memory_limit > 0) {
        place.memory_ratio = std::min(1.0, work.memory_pod / static_cast<double>(pod.memory_limit));
    }
    if (work.model.io_bytes > 0.0) {
        place.io_utilisation = std::min(1.0, node.io_used / node.io_bytes_s);
        place.io_share_bytes_per_s =
            node.io_bytes_s * std::max(0.05, 1.0 - place.io_utilisation) + s.uses[pod.work].io;
    }
    place.net_share_bytes_per_s = node.net_bytes_s;
    place.net_utilisation = std::min(1.0, node.net_used / node.net_bytes_s);
    return place;
}

// The mean of what its pods can serve, and how unequal their nodes are.
void refresh_service(State& s, WorkState& work) {
    work.rates_stale = false;
    ServiceSum sum;
    double slowness = 0.0;
    double age = 0.0;
    double oldest = 0.0;
    s.scratch.clear();
    for (const Index p : work.pods) {
        const PodState& pod = s.pods[p];
        if (!serves(pod)) continue;
        sum.add(pod_service(work.model, place_of(s, work, pod)));
        const double slow = s.nodes[pod.node].slowness;
        slowness += slow;
        const double aged = seconds_of(s.now - pod.ready_at);
        age += aged;
        oldest = std::max(oldest, aged);
        if (s.reporting) s.scratch.push_back(slow);
    }
    work.service_mean = sum.mean();
    const double count = std::max(1, sum.pods());
    work.slowness_mean = sum.pods() > 0 ? slowness / count : 1.0;
    work.age_mean_s = age / count;
    work.age_max_s = oldest;
    if (s.scratch.empty()) return;
    const std::size_t at = s.scratch.size() - 1 - s.scratch.size() / 10;
    std::ranges::nth_element(s.scratch, s.scratch.begin() + static_cast<std::ptrdiff_t>(at));
    work.use_p90 = s.scratch[at] / work.slowness_mean;
    work.use_max = *std::ranges::max_element(s.scratch) / work.slowness_mean;
}

void show_truth(State& s, Index w, const Settled& settled, double per_s) {
    const WorkState& work = s.works[w];
    WorkloadTruth& truth = s.truth.workloads[w];
    truth.serving = work.serving;
    truth.offered_per_s = work.flow.rate_per_s;
    truth.done_per_s = settled.done * per_s;
    truth.lost_per_s = settled.lost * per_s;
    truth.queued = work.flow.queued;
    truth.utilisation = settled.utilisation;
    truth.latency_mean_s = settled.latency_mean_s;
    truth.latency_p95_s = settled.latency_p95_s;
    truth.latency_p99_s = settled.latency_p99_s;
}

void settle_service(State& s, Index w) {
    WorkState& work = s.works[w];
    Flow& f = work.flow;
    if (work.rates_stale) refresh_service(s, work);
    const double span_ms = static_cast<double>(s.next_step - s.now);
    // Until a dead node is noticed, its pods still get their share of requests, and all of it is
    // lost.
    const double missed = work.dead > 0 ? static_cast<double>(work.dead) /
                                              static_cast<double>(work.dead + work.serving)
                                        : 0.0;
    Settled r = settle(work.model, work.service_mean, {f.queued, f.lost_per_s},
                       {.rate_per_s = f.rate_per_s * (1.0 - missed),
                        .interval_s = span_ms / 1000.0,
                        .pods = work.serving});
    const double unheard = f.rate_per_s * missed * span_ms / 1000.0;
    const double violating = r.violating_share * (r.done + r.lost) + unheard;
    r.offered += unheard;
    r.lost += unheard;
    // Requests that died with a pod had been counted as done; they are subtracted from what is done
    // next.
    const double paid = std::min(f.debt, r.done);
    f.debt -= paid;
    r.done -= paid;
    r.lost += paid;
    const double per_ms = 1.0 / span_ms;
    f.offered = r.offered * per_ms;
    f.done = r.done * per_ms;
    f.lost = r.lost * per_ms;
    f.violating = std::min(violating + paid, r.done + r.lost) * per_ms;
    f.cpu = r.cpu_core_s * per_ms;
    f.latency = r.latency_p95_s * f.done;
    f.spread = r.latency_sd_log * f.done;
    f.queue = (r.next.queued - f.queued) * per_ms;
    f.lost_per_s = r.next.lost_per_s;
    const double pods = std::max(1, work.serving);
    Use& use = s.uses[w];
    use.scaled = r.cpu_core_s / (span_ms / 1000.0) / pods / work.slowness_mean;
    use.io = r.io_bytes / (span_ms / 1000.0) / pods;
    use.net = r.net_bytes / (span_ms / 1000.0) / pods;
    work.memory_pod = memory_bytes(work.nature, r.in_flight_per_pod, 0.0, 0.0);
    use.memory = work.memory_pod + work.nature.memory_leak_bytes_per_s * work.age_mean_s;
    show_truth(s, w, r, 1000.0 * per_ms);
}

void resettle(State& s, Index w) {
    WorkState& work = s.works[w];
    work.touched = false;
    happened(s, Happened::load_settled, w);
    commit(work.flow, s.now);
    if (!work.service) {
        work.flow.since = s.now;
        s.truth.workloads[w].serving = work.serving;
        return;
    }
    if (s.now < s.next_step) settle_service(s, w);
}

// Shares the cores of a crowded node by request.
void share_out(State& s, Index n) {
    NodeState& node = s.nodes[n];
    double wanted = 0.0;
    for (Index i = 0; i < node.active; ++i) {
        const Use& use = s.uses[node.works[i]];
        wanted += use.scaled * node.slowness + use.fixed;
    }
    const bool crowded = wanted > node.cores;
    if (!crowded && !node.contended) return;
    node.contended = crowded;
    s.wants.clear();
    for (Index i = 0; i < node.active; ++i) {
        const Use& use = s.uses[node.works[i]];
        s.wants.push_back({use.scaled * node.slowness + use.fixed,
                           static_cast<double>(s.pods[node.pods[i]].cpu_request_m) / 1000.0});
    }
    s.shares.resize(s.wants.size());
    if (crowded) water_fill(node.cores, s.wants, s.shares);
    for (Index i = 0; i < node.active; ++i) {
        s.pods[node.pods[i]].share = crowded ? s.shares[i] : kUnlimited;
        s.works[node.works[i]].rates_stale = true;
    }
}

void check_memory(State& s, Index w) {
    const WorkState& work = s.works[w];
    if (work.memory_limit <= 0 || work.serving == 0) return;
    const double leak = work.nature.memory_leak_bytes_per_s * work.age_max_s;
    const double worst =
        (work.memory_pod + leak) * math::exp(kMemoryCheckSigmas * work.nature.memory_sigma);
    if (!out_of_memory(worst, static_cast<double>(work.memory_limit))) return;
    // Killing reorders the pods, so walk from the back.
    for (std::size_t i = work.pods.size(); i-- > 0;) {
        const Index p = s.works[w].pods[i];
        if (!serves(s.pods[p])) continue;
        if (out_of_memory(memory_of(s, p), static_cast<double>(s.pods[p].memory_limit))) {
            kill_container(s, p, model::Ending::oom_killed);
        }
    }
}

}  // namespace

double memory_of(const State& s, Index p) {
    const PodState& pod = s.pods[p];
    const WorkState& work = s.works[pod.work];
    if (!serves(pod)) return 0.0;
    const auto index =
        (static_cast<std::uint64_t>(s.noise_number) << 24) | (pod.ordinal & 0xff'ffff);
    const double z = random::normal(draw(s.seed, Stream::noise, work.entity, index));
    const double leak = work.nature.memory_leak_bytes_per_s * seconds_of(s.now - pod.ready_at);
    return (std::max(work.memory_pod, work.nature.memory_base_bytes) + leak) *
           math::exp(work.nature.memory_sigma * z);
}

void lose_in_flight(State& s, Index w, std::int32_t pods) {
    WorkState& work = s.works[w];
    if (!work.service || work.serving == 0) return;
    const WorkloadTruth& truth = s.truth.workloads[w];
    work.flow.debt += pods * truth.done_per_s * truth.latency_mean_s / work.serving;
}

void settle_touched(State& s) {
    for (std::size_t i = 0; i < s.touched.size(); ++i) resettle(s, s.touched[i]);
    s.touched.clear();
}

void account_node(State& s, Index n) {
    NodeState& node = s.nodes[n];
    const Ms span = s.now - node.accounted;
    if (span == 0) return;
    const auto ms = static_cast<double>(span);
    node.cpu_total += node.cpu_used * ms;
    node.io_total += node.io_used * ms;
    node.net_total += node.net_used * ms;
    node.energy_mj += node.power_w * ms;
    if (node.exists && (node.power == model::Power::on || node.power == model::Power::booting)) {
        node.on_ms += span;
    }
    node.accounted = s.now;
}

void use_node(State& s, Index n) {
    NodeState& node = s.nodes[n];
    account_node(s, n);
    const bool lit = node.power == model::Power::on && !node.down && node.exists;
    double scaled = 0.0;
    double fixed = lit ? kSystemCores : 0.0;
    double memory = lit ? kSystemMemory : 0.0;
    double io = 0.0;
    double net = 0.0;
    for (Index i = 0; i < node.active; ++i) {
        const Use& use = s.uses[node.works[i]];
        scaled += use.scaled;
        fixed += use.fixed;
        memory += use.memory;
        io += use.io;
        net += use.net;
    }
    node.cpu_used = std::min(node.cores, scaled * node.slowness + fixed);
    node.memory_used = std::min(memory, static_cast<double>(node.memory));
    const double sick = std::max(node.nuisance.io, s.truth.nodes[n].severity * 0.6);
    node.io_used = std::min(node.io_bytes_s, io + sick * node.io_bytes_s);
    node.net_used = std::min(node.net_bytes_s, net);
    const double scale = s.scenario->nodes[node.group].power_scale;
    if (lit) {
        // At a lower clock the same work takes longer, at less than proportional power.
        const double clock = static_cast<double>(node.clock_ppm) / 1e6;
        const double share = node.memory_used / static_cast<double>(node.memory);
        node.power_w = scale * (80.0 + 120.0 * node.utilisation() * clock * clock + 60.0 * share);
    } else if (node.power == model::Power::booting) {
        node.power_w = scale * 80.0;
    } else {
        node.power_w = node.power == model::Power::sleep ? kSleepWatts : 0.0;
    }
}

void speed_changed(State& s, Index n) {
    NodeState& node = s.nodes[n];
    const double clock = static_cast<double>(node.clock_ppm) / 1e6;
    const double speed = s.scenario->nodes[node.group].speed * node.gray * clock;
    node.slowness = 1.0 / node_phi(speed, 0.0, 0.0, node.z);
    s.truth.nodes[n].speed = node.gray * clock;
    for (Index i = 0; i < node.active; ++i) {
        s.works[node.works[i]].rates_stale = true;
        if (node.batch > 0 && s.works[node.works[i]].batch) start_work(s, node.pods[i]);
    }
}

void step_load(State& s) {
    const Ms step = ms_of(s.scenario->step);
    s.next_step = s.now + step;
    const double step_s = seconds_of(step);
    for (Index w = 0; w < s.works.size(); ++w) {
        WorkState& work = s.works[w];
        work.touched = false;
        if (!work.exists) continue;
        if (!work.service) {
            resettle(s, w);
            continue;
        }
        const auto k = static_cast<std::uint64_t>(s.step_number);
        const double rate =
            series_shape(*work.rate, s.now) *
            series_noise(*work.rate, s.seed, Stream::arrival, work.entity, s.step_number);
        const auto count = random::count(draw(s.seed, Stream::arrival, work.entity, k),
                                         std::min(rate * step_s, 1e12), work.model.arrival_cv2);
        work.flow.rate_per_s = static_cast<double>(count) / step_s;
        const double payload = std::max(
            0.01,
            series_shape(*work.payload, s.now) *
                series_noise(*work.payload, s.seed, Stream::payload, work.entity, s.step_number));
        if (payload != work.flow.payload) work.rates_stale = true;
        work.flow.payload = payload;
        resettle(s, w);
    }
    s.touched.clear();
    for (Index n = 0; n < s.nodes.size(); ++n) {
        use_node(s, n);
        happened(s, Happened::use_counted, n);
    }
    ++s.step_number;
    s.queue.push(s.next_step, EventKind::step, 0);
}

void step_noise(State& s) {
    const double decay = math::exp(-in_seconds(s.scenario->noise_step) / 600.0);
    const double fresh = std::sqrt(1.0 - decay * decay);
    const auto k = static_cast<std::uint64_t>(s.noise_number);
    for (Index n = 0; n < s.nodes.size(); ++n) {
        NodeState& node = s.nodes[n];
        node.z =
            decay * node.z + fresh * random::normal(draw(s.seed, Stream::noise, node.entity, k));
        share_out(s, n);
        speed_changed(s, n);
        happened(s, Happened::speed_changed, n);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].exists && s.works[w].service) touch(s, w);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].exists) check_memory(s, w);
    }
    ++s.noise_number;
    s.queue.push(s.now + ms_of(s.scenario->noise_step), EventKind::noise, 0);
}

model::WorkCounters counters_of(const State& s, Index w) {
    const WorkState& work = s.works[w];
    const Flow& f = work.flow;
    const auto span = static_cast<double>(s.now - f.since);
    const auto milli = [&](double total, double rate) {
        return static_cast<std::int64_t>(std::floor((total + rate * span) * 1000.0));
    };
    const Ms waits = s.now - work.accounted;
    return {.offered = milli(f.offered_total, f.offered),
            .done = milli(f.done_total, f.done),
            .lost = milli(f.lost_total, f.lost),
            .violating = milli(f.violating_total, f.violating),
            .disruptions = work.disruptions,
            .pending_ms = work.pending_ms + work.short_pods * waits,
            .rejections = work.rejections,
            .completions = work.completions,
            .reserved_core_ms = (work.reserved_m_ms + work.reserved_m * waits) / 1000,
            .reserved_mib_ms = work.reserved_mib_ms + work.reserved_bytes / kMib * waits,
            .service_ms = work.service_ms + work.serving * waits};
}

model::NodeCounters counters_of_node(const State& s, Index n) {
    const NodeState& node = s.nodes[n];
    const Ms span = s.now - node.accounted;
    const bool lit =
        node.exists && (node.power == model::Power::on || node.power == model::Power::booting);
    return {.energy_mj = static_cast<std::int64_t>(
                std::floor(node.energy_mj + node.power_w * static_cast<double>(span))),
            .on_ms = node.on_ms + (lit ? span : 0)};
}

}  // namespace parley::sim
