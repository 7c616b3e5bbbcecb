#include "base/math.h"
#include "sim/vector_env_arrays.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

constexpr double kMemoryCheckSigmas = 4.0;  // As in the world.
constexpr Index kStopping = 4;              // Pods of a workload that may be stopping at once.

void take_nodes(EnvArrays& e, const State& s) {
    std::vector<EnvNode> nodes;
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
                         .z = node.z,
                         .active = node.active,
                         .bound = static_cast<Index>(node.pods.size()),
                         .zone = node.zone_index,
                         .pods_max = node.pods_max,
                         .cpu_m = node.cpu_m,
                         .memory = node.memory,
                         .cpu_requested_m = node.cpu_requested_m,
                         .memory_requested = node.memory_requested,
                         .memory_part = node.memory / 1000,
                         .entity = node.entity});
        e.node_room = std::max(e.node_room, static_cast<Index>(node.pods_max));
    }
    std::vector<Index> pods(nodes.size() * e.node_room);
    std::vector<Index> works(nodes.size() * e.node_room);
    std::vector<std::uint8_t> images(nodes.size() * s.works.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto first = static_cast<std::ptrdiff_t>(n * e.node_room);
        std::ranges::copy(s.nodes[n].pods, pods.begin() + first);
        std::ranges::copy(s.nodes[n].works, works.begin() + first);
        for (std::size_t w = 0; w < s.works.size(); ++w) {
            const std::uint64_t bits = s.images[n * s.image_words + w / 64];
            images[n * s.works.size() + w] = (bits >> (w % 64)) & 1U;
        }
    }
    e.nodes.fill(std::move(nodes));
    e.node_pods.fill(std::move(pods));
    e.node_works.fill(std::move(works));
    e.images.fill(std::move(images));
}

EnvWork work_of(const WorkState& work) {
    EnvWork out{.model = work.model, .nature = work.nature};
    out.objective_s = std::exchange(out.model.objective_s, kUnlimited);
    out.memory_pod = work.memory_pod;
    out.count = static_cast<Index>(work.pods.size());
    out.wanted = work.wanted;
    out.serving = work.serving;
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
    e.work_room = static_cast<Index>(e.options.replicas_max) + kStopping;
    e.zones = static_cast<Index>(s.zones.size());
    std::vector<EnvWork> works;
    std::vector<std::int32_t> in_zone;
    std::vector<Index> pods(s.works.size() * e.work_room);
    for (const WorkState& work : s.works) {
        std::ranges::copy(work.pods, pods.begin() + std::ptrdiff_t(works.size() * e.work_room));
        works.push_back(work_of(work));
        in_zone.insert(in_zone.end(), work.in_zone.begin(), work.in_zone.end());
    }
    e.works.fill(std::move(works));
    e.uses.fill(s.uses);
    e.work_pods.fill(std::move(pods));
    e.serving.fill(std::vector<Index>(s.works.size() * e.work_room));
    e.in_zone.fill(std::move(in_zone));
}

void take_pods(EnvArrays& e, const State& s) {
    const std::size_t slots = std::size_t{e.works.size()} * e.work_room;
    std::vector<EnvPod> pods;
    for (const PodState& pod : s.pods) {
        pods.push_back({.work = pod.work,
                        .node = pod.node,
                        .in_work = pod.in_work,
                        .in_node = pod.in_node,
                        .stage = pod.stage,
                        .generation = pod.generation,
                        .ordinal = pod.ordinal,
                        .ready_at = pod.ready_at,
                        .cpu_limit_m = pod.cpu_limit_m,
                        .memory_limit = pod.memory_limit,
                        .cpu_limit_next_m = pod.cpu_limit_next_m,
                        .serial = pod.serial});
    }
    pods.resize(slots);
    e.pods.fill(std::move(pods));
    // The lowest slot is given first, as if the list had grown.
    e.free.clear();
    for (std::size_t p = slots; p-- > s.pods.size();) e.free.push_back(static_cast<Index>(p));
}

void clear_seen(EnvArrays& e) {
    const std::size_t size = e.works.size();
    EnvSeen& seen = e.seen;
    for (auto* zero :
         {&seen.offered, &seen.done, &seen.lost, &seen.cpu, &seen.latency, &seen.spread, &seen.io,
          &seen.net, &seen.rewards_measured, &seen.rewards_true}) {
        zero->assign(size, 0.0);
    }
    seen.requests_per_s.assign(size, -1.0);
    seen.latency_p95_s.assign(size, -1.0);
    seen.truth.assign(size, {});
    seen.states.assign(size * kEnvInputs, 0.0);
    seen.valid.assign(size, 0);
    seen.legal.assign(size, 0);
    seen.refused.assign(size, 0);
}

// So that no event allocates: every pod may wait for its next stage, and what is void stays until
// its time.
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
    e.seed = s.seed;
    e.serials = s.serials;
    e.now = e.next_step = e.next_noise = 0;
    e.step_number = e.noise_number = e.scrapes = e.steps = 0;
    e.noise_decay = math::exp(-in_seconds(e.scenario->noise_step) / 600.0);
    e.noise_fresh = std::sqrt(1.0 - e.noise_decay * e.noise_decay);
    take_nodes(e, s);
    take_works(e, s);
    take_pods(e, s);
    clear_seen(e);
    make_room(e);
    e.waiting.assign(s.waiting.begin(), s.waiting.end());
    e.schedule_at = s.schedule_at;
    e.schedule_generation = s.schedule_generation;
    e.schedule_start = s.schedule_start;
    e.stamp_number = 0;
    if (e.schedule_at != kNever) {
        e.queue.push(e.schedule_at, EventKind::schedule, 0, e.schedule_generation);
    }
}

}  // namespace parley::sim
