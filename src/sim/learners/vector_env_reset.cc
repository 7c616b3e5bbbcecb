#include "base/math.h"
#include "sim/learners/vector_env_arrays.h"
#include "sim/world/world_build.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

constexpr Index kStopping = 4;  // Pods of a workload that may be stopping at once.

void take_nodes(EnvArrays& e, const State& s) {
    std::vector<EnvNode>& nodes = e.blank.nodes;
    nodes.clear();
    e.node_room = 0;
    for (const NodeState& node : s.nodes) {
        nodes.push_back({.cores = node.cores,
                         .slowness = node.slowness,
                         .io_bytes_s = node.io_bytes_s,
                         .net_bytes_s = node.net_bytes_s,
                         .io_per_byte = 1.0 / node.io_bytes_s,
                         .net_per_byte = 1.0 / node.net_bytes_s,
                         .phi = 1.0 / node.slowness,
                         .speed = s.scenario->nodes[node.group].speed,
                         .zone = node.zone_index,
                         .entity = node.entity});
        e.node_room = std::max(e.node_room, static_cast<Index>(node.pods_max));
    }
    e.blank.rooms.assign((nodes.size() + 3) / 4, {});
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        EnvRoom& room = e.blank.rooms[n / 4];
        room.cpu_m[n % 4] = room.cpu_whole_m[n % 4] = static_cast<double>(s.nodes[n].cpu_m);
        room.memory[n % 4] = static_cast<double>(s.nodes[n].memory);
        room.memory_part[n % 4] = static_cast<double>(s.nodes[n].memory / 1000);
        room.pods[n % 4] = s.nodes[n].pods_max;
    }
    e.scores.fill(std::vector<double>(e.blank.rooms.size() * 4));
    e.node_pods.fill(std::vector<Index>(nodes.size() * e.node_room));
    e.node_works.fill(std::vector<Index>(nodes.size() * e.node_room));
    e.images.fill(std::vector<std::uint8_t>(nodes.size() * s.works.size()));
}

EnvWork work_of(const WorkState& work) {
    EnvWork out{.model = work.model, .nature = work.nature};
    out.objective_s = std::exchange(out.model.objective_s, kUnlimited);
    out.memory_pod = work.memory_pod;
    out.count = static_cast<Index>(work.pods.size());
    out.wanted = work.wanted;
    out.ordinals = work.ordinals;
    out.priority = work.priority;
    out.cpu_limit_m = out.template_cpu_m = work.cpu_limit_m;
    out.memory_limit = out.template_memory = work.memory_limit;
    out.cpu_request_m = work.cpu_request_m;
    out.grace = work.grace;
    out.entity = work.entity;
    out.rate = work.rate;
    out.payload = work.payload;
    out.memory_worst = math::exp(kMemoryCheckSigmas * work.nature.memory_sigma);
    return out;
}

void take_works(EnvArrays& e, const State& s) {
    EnvBlank& blank = e.blank;
    e.work_room = static_cast<Index>(e.options.replicas_max) + kStopping;
    e.zones = static_cast<Index>(s.zones.size());
    blank.works.clear();
    blank.work_pods.assign(s.works.size() * e.work_room, 0);
    for (const WorkState& work : s.works) {
        const auto first = static_cast<std::ptrdiff_t>(blank.works.size() * e.work_room);
        std::ranges::copy(work.pods, blank.work_pods.begin() + first);
        blank.works.push_back(work_of(work));
    }
    blank.uses = s.uses;
    e.serving.fill(std::vector<Index>(s.works.size() * e.work_room));
    e.in_zone.fill(std::vector<std::int32_t>(s.works.size() * e.zones));
}

void take_pods(EnvArrays& e, const State& s) {
    EnvBlank& blank = e.blank;
    const std::size_t slots = blank.work_pods.size();
    blank.pods.clear();
    blank.waiting.clear();
    for (const PodState& pod : s.pods) {
        const auto p = static_cast<Index>(blank.pods.size());
        blank.pods.push_back({.work = pod.work,
                              .in_work = pod.in_work,
                              .stage = Stage::waiting,
                              .generation = 1,
                              .ordinal = pod.ordinal,
                              .cpu_limit_m = pod.cpu_limit_m,
                              .memory_limit = pod.memory_limit,
                              .cpu_limit_next_m = pod.cpu_limit_next_m,
                              .serial = pod.serial});
        blank.waiting.push_back({p, 1});
    }
    std::ranges::sort(blank.waiting, [&](const Waiting& a, const Waiting& b) {
        const PodState& x = s.pods[a.pod];
        const PodState& y = s.pods[b.pod];
        return x.priority != y.priority ? x.priority > y.priority : x.serial < y.serial;
    });
    blank.pods.resize(slots);
    // The lowest slot is used first, as if the list had grown.
    blank.free.clear();
    for (std::size_t p = slots; p-- > s.pods.size();) blank.free.push_back(static_cast<Index>(p));
}

void clear_seen(EnvArrays& e) {
    const std::size_t size = e.works.size();
    EnvSeen& seen = e.seen;
    seen.totals.assign(size, {});
    seen.rewards_measured.assign(size, 0.0);
    seen.rewards_true.assign(size, 0.0);
    seen.requests_per_s.assign(size, -1.0);
    seen.latency_p95_s.assign(size, -1.0);
    seen.truth.assign(size, {});
    seen.states.assign(size * kEnvInputs, 0.0);
    seen.valid.assign(size, 0);
    seen.legal.assign(size, 0);
    seen.refused.assign(size, 0);
}

// Makes room for all events, so that none allocates: every pod may wait for its next stage, and
// void events stay until their time.
void make_room(EnvArrays& e) {
    const std::size_t slots = e.pods.size();
    while (!e.queue.empty()) e.queue.pop();
    if (e.queue_room < 4 * slots) {
        e.queue_room = 4 * slots;
        for (std::size_t i = 0; i < e.queue_room; ++i) e.queue.push(0, EventKind::pod, 0);
        while (!e.queue.empty()) e.queue.pop();
    }
    e.changed.clear();
    e.changed.reserve(e.works.size());
    e.settled.reserve(e.works.size());
    e.settling.resize(e.works.size());
    e.waiting.reserve(4 * slots);
    e.wants.reserve(e.node_room);
    e.shares.reserve(e.node_room);
    e.free.reserve(slots);
}

}  // namespace

void take_over(EnvArrays& e, const State& s) {
    take_nodes(e, s);
    take_works(e, s);
    take_pods(e, s);
    e.blank.schedule_at = s.schedule_at;
    e.blank.schedule_generation = s.schedule_generation;
}

void start(EnvArrays& e, std::uint64_t seed) {
    const EnvBlank& blank = e.blank;
    e.seed = seed;
    e.now = e.next_step = e.next_noise = 0;
    e.step_number = e.noise_number = e.scrapes = e.steps = 0;
    e.noise_decay = math::exp(-in_seconds(e.scenario->noise_step) / 600.0);
    e.noise_fresh = std::sqrt(1.0 - e.noise_decay * e.noise_decay);
    e.nodes.copy(blank.nodes);
    for (Index n = 0; n < e.nodes.size(); ++n) {
        e.nodes[n].z = noise_at_start(seed, e.nodes[n].entity);
    }
    e.rooms.copy(blank.rooms);
    e.works.copy(blank.works);
    e.pods.copy(blank.pods);
    e.uses.copy(blank.uses);
    e.work_pods.copy(blank.work_pods);
    e.free = blank.free;
    e.in_zone.assign(e.in_zone.size(), 0);
    e.images.assign(e.images.size(), 0);
    clear_seen(e);
    make_room(e);
    e.schedule_start = 0;
    e.stamp_number = 0;
    e.serials = blank.waiting.size();
    e.waiting.clear();
    for (const Waiting& one : blank.waiting) {
        if (!place_serving(e, one.pod)) {
            e.waiting.push_back(one);
        } else {
            e.pods[one.pod].ready_at = -age_at_start(seed, e.pods[one.pod].serial);
        }
    }
    e.schedule_at = blank.schedule_at;
    e.schedule_generation = blank.schedule_generation;
    if (e.schedule_at != kNever) {
        e.queue.push(e.schedule_at, EventKind::schedule, 0, e.schedule_generation);
    }
}

}  // namespace parley::sim
