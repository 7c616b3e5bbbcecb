#include "sim/world/world_build.h"

#include "sim/world/faults.h"
#include "sim/world/scheduler.h"
#include "sim/world/world_jobs.h"
#include "sim/world/world_load.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_replicas.h"

#include <algorithm>
#include <cmath>

namespace parley::sim {
namespace {

constexpr double kMb = 1e6;
constexpr Ms kHourMs = 3'600'000;
const Series kOnes{.base = 1.0};

double mib(double amount) { return amount * static_cast<double>(kMib); }

std::string zone_name(std::int32_t zone) {
    const std::string letter(1, static_cast<char>('a' + zone % 26));
    return "zone-" + letter + (zone >= 26 ? std::to_string(zone / 26) : "");
}

Index intern(std::vector<Name>& names, const std::string& text) {
    const Name name = Name::of(text);
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<Index>(found - names.begin());
    names.push_back(name);
    return static_cast<Index>(names.size() - 1);
}

void add_node(State& s, Index g, std::int32_t i) {
    const NodeGroup& group = s.scenario->nodes[g];
    NodeState node;
    const std::string name = node_name(group, i);
    node.id.name = Name::of(name);
    node.entity = entity_of(name);
    const auto n = static_cast<Index>(s.nodes.size());
    node.uid = {draw(s.seed, Stream::jitter, node.entity, 0), (std::uint64_t{1} << 32) | n};
    const std::int32_t zone = i % group.zones;
    const std::string zone_text = zone_name(zone);
    node.zone_index = intern(s.zones, zone_text);
    node.zone = s.zones[node.zone_index];
    const std::int32_t rack = i / group.zones % group.racks;
    node.rack_index = intern(s.racks, "rack-" + zone_text.substr(5) + std::to_string(rack + 1));
    node.rack = s.racks[node.rack_index];
    node.pool = Name::of(group.pool);
    node.group = g;
    node.worker = group.role == model::NodeRole::worker;
    node.cores = static_cast<double>(group.cpu_m) / 1000.0;
    node.cpu_m = group.cpu_m;
    node.memory = group.memory_mib * kMib;
    node.pods_max = group.pods_max;
    node.io_bytes_s = group.disk_mb_s * kMb;
    node.net_bytes_s = group.net_mb_s * kMb;
    node.slowness = 1.0 / group.speed;
    const auto lot = [&](std::uint64_t use) {
        return draw(s.seed, Stream::jitter, node.entity, use);
    };
    node.ready_since = -random::between(lot(1), kHourMs, 72 * kHourMs);
    node.lease_phase = random::between(lot(2), 0, kLeasePeriod - 1);
    node.z = noise_at_start(s.seed, node.entity);
    if (node.worker) {
        s.cluster_cpu_m += node.cpu_m;
        s.cluster_memory += node.memory;
    }
    s.truth.nodes.push_back({.id = node.id});
    s.nodes.push_back(std::move(node));
}

PodNature nature_of(const PodSpec& pod) {
    return {.startup_core_s = pod.startup_core_s,
            .image_bytes = pod.image_mb * kMb,
            .probe_period_s = in_seconds(pod.probe),
            .warmup_peak = pod.warmup_peak,
            .warmup_s = in_seconds(pod.warmup),
            .memory_base_bytes = mib(pod.memory_mib),
            .memory_per_request_bytes = pod.memory_request_mb * kMb,
            .memory_leak_bytes_per_s = mib(pod.leak_mib_hour) / 3600.0,
            .memory_sigma = pod.memory_noise};
}

WorkloadModel model_of(const Service& service) {
    return {.demand_core_s = service.demand_ms / 1000.0,
            .demand_cv2 = service.demand_cv2,
            .arrival_cv2 = service.arrival_cv2,
            .parallelism_cores = service.parallelism,
            .fixed_latency_s = service.fixed_latency_ms / 1000.0,
            .io_bytes = service.disk_kb * 1000.0,
            .net_bytes = service.net_kb * 1000.0,
            .contention_sensitivity = service.sensitivity,
            .memory_pressure_cost = service.memory_pressure_cost,
            .timeout_s = in_seconds(service.timeout),
            .queue_max = service.queue_max,
            .retry_ratio = service.retry_ratio,
            .objective_s = in_seconds(service.objective),
            .balance = service.balance == Balancing::pooled ? Balance::pooled : Balance::random};
}

void set_pod(WorkState& work, const PodSpec& pod) {
    work.cpu_request_m = pod.cpu_request_m;
    work.cpu_limit_m = pod.cpu_limit_m;
    work.memory_request = pod.memory_request_mib * kMib;
    work.memory_limit = pod.memory_limit_mib * kMib;
    work.nature = nature_of(pod);
    work.grace = ms_of(pod.grace);
    work.memory_pod = work.nature.memory_base_bytes;
}

void set_selector(const State& s, WorkState& work, const std::string& selector) {
    if (selector.empty()) return;
    const std::size_t at = selector.find('=');
    work.selector_key = selector.substr(0, at);
    work.selector_value = at == std::string::npos ? "" : selector.substr(at + 1);
    const auto known = [&](const NodeState& node) {
        return (work.selector_key == "pool" && node.pool.view() == work.selector_value) ||
               (work.selector_key == "zone" && node.zone.view() == work.selector_value) ||
               (work.selector_key == "rack" && node.rack.view() == work.selector_value);
    };
    work.deliberate = std::ranges::none_of(s.nodes, known);
}

// Reuses the slot of a workload that is gone, or adds one.
Index take_slot(State& s) {
    for (Index w = 0; w < s.works.size(); ++w) {
        if (!s.works[w].exists && s.works[w].pods.empty()) return w;
    }
    s.works.emplace_back();
    s.uses.emplace_back();
    s.truth.workloads.emplace_back();
    return static_cast<Index>(s.works.size() - 1);
}

// Samples of a predecessor in the slot do not belong to the successor.
void forget_samples(State& s, Index w) {
    for (SourceFeed& feed : s.feeds) {
        for (auto* totals : {&feed.work_cpu, &feed.work_offered, &feed.work_done,
                             &feed.work_latency, &feed.work_spread}) {
            if (w < totals->size()) (*totals)[w] = 0.0;
        }
        for (Frame& frame : feed.frames) {
            if (w < frame.works.size()) frame.works[w].there = false;
        }
    }
}

void begin_work(State& s, Index w, const std::string& space, model::WorkloadKind kind,
                const std::string& name) {
    WorkState& work = s.works[w];
    // A successor in the same slot starts its counters and draws from scratch, under another uid.
    const std::uint64_t born = ++s.versions;
    work = WorkState{};
    work.id = {Name::of(space), kind, Name::of(name)};
    work.entity = entity_of(work.id.text());
    work.uid = {draw(s.seed, Stream::jitter, work.entity, born), (std::uint64_t{2} << 32) | w};
    work.version = born;
    work.in_zone.assign(s.zones.size(), 0);
    work.accounted = work.flow.since = s.now;
    std::string stem = name;
    if (kind == model::WorkloadKind::deployment) {
        constexpr std::string_view kHex = "0123456789abcdef";
        std::uint64_t bits = work.entity;
        stem += "-";
        for (int i = 0; i < 6; ++i, bits >>= 4) stem += kHex[bits & 15];
    }
    if (kind != model::WorkloadKind::bare) stem += "-";
    work.stem = Name::of(stem);
    s.uses[w] = {};
    s.truth.workloads[w] = {.id = work.id};
    forget_samples(s, w);
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const std::size_t word = n * s.image_words + w / 64;
        if (word < s.images.size()) s.images[word] &= ~(std::uint64_t{1} << (w % 64));
    }
}

void add_job(State& s, const JobSpec& spec) {
    const Index w = take_slot(s);
    begin_work(s, w, spec.space, model::WorkloadKind::job, spec.name);
    WorkState& work = s.works[w];
    work.batch = true;
    work.priority = spec.priority;
    work.job = &spec;
    set_pod(work, spec.pod);
    set_selector(s, work, spec.selector);
    const std::int64_t cap_m = spec.pod.cpu_limit_m > 0
                                   ? spec.pod.cpu_limit_m
                                   : std::max<std::int64_t>(spec.pod.cpu_request_m, 1000);
    s.uses[w].fixed = static_cast<double>(cap_m) / 1000.0;
    s.uses[w].memory = work.nature.memory_base_bytes;
    for (std::uint32_t i = 0; i < spec.bursts.size(); ++i) {
        s.queue.push(ms_of(spec.bursts[i].at), EventKind::burst, w, i);
    }
}

// Start-up as it was measured before the run: on a node that had to pull the image.
double usual_startup_s(const State& s, const WorkState& work) {
    const NodeState& node = s.nodes.front();
    const double limit =
        work.cpu_limit_m > 0 ? static_cast<double>(work.cpu_limit_m) / 1000.0 : 1.0;
    return startup_s(work.nature, {.bind_s = 1.0,
                                   .bandwidth_bytes_per_s = node.net_bytes_s,
                                   .cpu_cores = std::clamp(limit, 0.01, 1.0)});
}

// Everything that runs from the start is placed as the scheduler would, and has long been ready.
void place_all(State& s) {
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].batch) continue;
        reconcile(s, w);
        s.works[w].startup_p95_s = usual_startup_s(s, s.works[w]);
    }
    std::vector<Waiting> waiting;
    waiting.swap(s.waiting);
    std::ranges::sort(waiting, [&](const Waiting& a, const Waiting& b) {
        const PodState& x = s.pods[a.pod];
        const PodState& y = s.pods[b.pod];
        return x.priority != y.priority ? x.priority > y.priority : x.serial < y.serial;
    });
    for (const Waiting& one : waiting) {
        PodState& pod = s.pods[one.pod];
        if (pod.generation != one.generation) continue;
        const Index n = choose_node(s, one.pod);
        if (n == kNone) {
            s.waiting.push_back(one);
            set_causes(s, one.pod, obstacles(s, one.pod).causes);
        } else {
            bind_pod(s, one.pod, n, true);
        }
    }
    for (Index p = 0; p < s.pods.size(); ++p) {
        if (s.pods[p].stage == Stage::starting) pod_event(s, p);  // Of DaemonSets.
        PodState& pod = s.pods[p];
        const Ms age = age_at_start(s.seed, pod.serial);
        pod.created = -age - 60'000;
        if (pod.stage == Stage::serving) {
            pod.started = pod.created;
            pod.ready_at = pod.ready_changed = -age;
        }
    }
}

}  // namespace

double noise_at_start(std::uint64_t seed, std::uint64_t node) {
    return random::normal(draw(seed, Stream::noise, node, std::uint64_t{1} << 40));
}

Ms age_at_start(std::uint64_t seed, std::uint64_t serial) {
    static constexpr std::uint64_t kAge = entity_of("age");
    return random::between(draw(seed, Stream::jitter, kAge, serial), kHourMs / 2, 24 * kHourMs);
}

Index add_workload(State& s, const WorkloadSpec& spec) {
    const Index w = take_slot(s);
    begin_work(s, w, spec.space, spec.kind, spec.name);
    WorkState& work = s.works[w];
    work.every_node = spec.kind == model::WorkloadKind::daemon_set;
    work.protect = spec.protect || spec.space == "kube-system";
    work.evictable = spec.evictable && !work.every_node;
    work.recreate = spec.recreate;
    work.rwo_volume = spec.rwo_volume;
    work.quorum = spec.quorum;
    work.scale_owner = spec.scale_owner;
    work.size_owner = spec.size_owner;
    work.priority = spec.priority;
    work.wanted = spec.kind == model::WorkloadKind::bare ? 1 : spec.replicas;
    work.budget_min = spec.budget_min_available;
    work.budget_max = spec.budget_max_unavailable;
    work.zone_skew_max = spec.zone_skew_max;
    set_pod(work, spec.pod);
    set_selector(s, work, spec.selector);
    s.uses[w].memory = work.nature.memory_base_bytes;
    if (spec.service) {
        work.service = true;
        work.model = model_of(*spec.service);
        work.rate = &spec.service->rate;
        work.payload = &spec.service->payload;
    } else {
        work.payload = &kOnes;
        s.uses[w].fixed = static_cast<double>(spec.idle_cpu_m) / 1000.0;
    }
    work_changed(s, w);
    return w;
}

State build_state(std::shared_ptr<const Scenario> scenario, std::uint64_t seed) {
    State s;
    s.scenario = std::move(scenario);
    s.seed = seed;
    for (Index g = 0; g < s.scenario->nodes.size(); ++g) {
        for (std::int32_t i = 0; i < s.scenario->nodes[g].count; ++i) add_node(s, g, i);
    }
    const std::size_t most = s.scenario->workloads.size() + s.scenario->jobs.size() + 2;
    s.image_words = (most + 63) / 64;
    s.images.assign(s.nodes.size() * s.image_words, 0);
    for (const WorkloadSpec& spec : s.scenario->workloads) add_workload(s, spec);
    for (const JobSpec& spec : s.scenario->jobs) add_job(s, spec);
    for (Index n = 0; n < s.nodes.size(); ++n) speed_changed(s, n);
    place_all(s);
    plan_faults(s);
    for (std::uint32_t i = 0; i < s.scenario->sources.size(); ++i) {
        const SourceSpec& spec = s.scenario->sources[i];
        Ms late = 0;
        for (const SourceFault& fault : spec.faults) {
            if (fault.kind == SourceTrouble::late) late = std::max(late, ms_of(fault.late_by));
        }
        s.feeds.emplace_back();
        const Ms kept = (ms_of(spec.lag) + late) / ms_of(spec.period) + 2;
        s.feeds.back().frames.resize(static_cast<std::size_t>(kept));
        if (spec.on) s.queue.push(ms_of(spec.period), EventKind::scrape, i);
    }
    s.queue.push(0, EventKind::noise, 0);
    s.queue.push(0, EventKind::step, 0);
    // One second later, so that a round at the end of a phase still sees that phase.
    if (s.scenario->exercise) s.queue.push(1'000, EventKind::exercise, 0);
    return s;
}

}  // namespace parley::sim
