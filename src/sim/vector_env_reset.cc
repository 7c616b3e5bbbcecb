#include "base/math.h"
#include "sim/vector_env_arrays.h"

#include <cmath>
#include <utility>

namespace parley::sim {
namespace {

constexpr double kMemoryCheckSigmas = 4.0;  // As in the world.
constexpr Index kStopping = 4;              // Pods of a workload that may be stopping at once.

void take_nodes(EnvArrays& e, const State& s) {
    EnvNodes& nodes = e.nodes;
    const std::size_t size = s.nodes.size();
    nodes = {};
    nodes.size = static_cast<Index>(size);
    for (const NodeState& node : s.nodes) {
        nodes.cores.push_back(node.cores);
        nodes.io_bytes_s.push_back(node.io_bytes_s);
        nodes.net_bytes_s.push_back(node.net_bytes_s);
        nodes.io_per_byte.push_back(1.0 / node.io_bytes_s);
        nodes.net_per_byte.push_back(1.0 / node.net_bytes_s);
        nodes.speed.push_back(s.scenario->nodes[node.group].speed);
        nodes.cpu_m.push_back(node.cpu_m);
        nodes.memory.push_back(node.memory);
        nodes.pods_max.push_back(node.pods_max);
        nodes.entity.push_back(node.entity);
        nodes.zone.push_back(node.zone_index);
        nodes.z.push_back(node.z);
        nodes.slowness.push_back(node.slowness);
        nodes.cpu_requested_m.push_back(node.cpu_requested_m);
        nodes.memory_requested.push_back(node.memory_requested);
        nodes.bound.push_back(static_cast<Index>(node.pods.size()));
        nodes.active.push_back(node.active);
        nodes.room = std::max(nodes.room, static_cast<Index>(node.pods_max));
    }
    nodes.pods.resize(size * nodes.room);
    nodes.works.resize(size * nodes.room);
    for (std::size_t n = 0; n < size; ++n) {
        std::ranges::copy(s.nodes[n].pods, nodes.pods.begin() + std::ptrdiff_t(n * nodes.room));
        std::ranges::copy(s.nodes[n].works, nodes.works.begin() + std::ptrdiff_t(n * nodes.room));
    }
    for (auto* used : {&nodes.cpu_used, &nodes.io_used, &nodes.net_used}) used->resize(size);
    nodes.contended.resize(size);
    nodes.stamp.resize(size);
    nodes.stamp_count.resize(size);
    nodes.images.resize(size * s.works.size());
    for (std::size_t n = 0; n < size; ++n) {
        for (std::size_t w = 0; w < s.works.size(); ++w) {
            const std::uint64_t bits = s.images[n * s.image_words + w / 64];
            nodes.images[n * s.works.size() + w] = (bits >> (w % 64)) & 1U;
        }
    }
}

void take_work(EnvWorks& works, const WorkState& work) {
    works.model.push_back(work.model);
    works.objective_s.push_back(std::exchange(works.model.back().objective_s, kUnlimited));
    works.nature.push_back(work.nature);
    works.rate.push_back(work.rate);
    works.payload.push_back(work.payload);
    works.entity.push_back(work.entity);
    works.priority.push_back(work.priority);
    works.grace.push_back(work.grace);
    works.cpu_request_m.push_back(work.cpu_request_m);
    works.template_cpu_m.push_back(work.cpu_limit_m);
    works.template_memory.push_back(work.memory_limit);
    works.memory_worst.push_back(math::exp(kMemoryCheckSigmas * work.nature.memory_sigma));
    works.wanted.push_back(work.wanted);
    works.serving.push_back(work.serving);
    works.ordinals.push_back(work.ordinals);
    works.memory_pod.push_back(work.memory_pod);
    works.count.push_back(static_cast<Index>(work.pods.size()));
    works.in_zone.insert(works.in_zone.end(), work.in_zone.begin(), work.in_zone.end());
}

void take_works(EnvArrays& e, const State& s) {
    EnvWorks& works = e.works;
    const std::size_t size = s.works.size();
    works = {};
    works.size = static_cast<Index>(size);
    works.room = static_cast<Index>(e.options.replicas_max) + kStopping;
    works.zones = static_cast<Index>(s.zones.size());
    for (const WorkState& work : s.works) take_work(works, work);
    works.cpu_limit_m = works.template_cpu_m;
    works.memory_limit = works.template_memory;
    works.use = s.uses;
    works.flow.resize(size);
    works.knots.resize(size);
    works.service.resize(size);
    works.slowness_mean.assign(size, 1.0);
    works.touched.resize(size);
    works.rates_stale.assign(size, 1);
    for (auto* zero : {&works.age_mean_s, &works.age_max_s, &works.done_per_s,
                       &works.latency_mean_s, &works.io, &works.net, &works.io_total,
                       &works.net_total, &works.io_per_byte, &works.net_per_byte}) {
        zero->resize(size);
    }
    works.oom_kills.resize(size);
    works.served.resize(size);
    works.pods.resize(size * works.room);
    for (std::size_t w = 0; w < size; ++w) {
        std::ranges::copy(s.works[w].pods,
                          works.pods.begin() + std::ptrdiff_t(w * works.room));
    }
}

void take_pods(EnvArrays& e, const State& s) {
    EnvPods& pods = e.pods;
    const std::size_t slots = std::size_t{e.works.size} * e.works.room;
    pods = {};
    for (const PodState& pod : s.pods) {
        pods.serial.push_back(pod.serial);
        pods.work.push_back(pod.work);
        pods.node.push_back(pod.node);
        pods.in_work.push_back(pod.in_work);
        pods.in_node.push_back(pod.in_node);
        pods.stage.push_back(pod.stage);
        pods.generation.push_back(pod.generation);
        pods.ordinal.push_back(pod.ordinal);
        pods.ready_at.push_back(pod.ready_at);
        pods.cpu_limit_m.push_back(pod.cpu_limit_m);
        pods.memory_limit.push_back(pod.memory_limit);
    }
    pods.serial.resize(slots);
    for (auto* places : {&pods.work, &pods.node, &pods.in_work, &pods.in_node}) {
        places->resize(slots, kNone);
    }
    pods.stage.resize(slots, Stage::free);
    for (auto* numbers : {&pods.generation, &pods.resize, &pods.ordinal}) numbers->resize(slots);
    pods.ready_at.resize(slots);
    pods.restarts.resize(slots);
    pods.kills.resize(slots);
    pods.cpu_limit_m.resize(slots);
    pods.cpu_limit_next_m = pods.cpu_limit_m;
    pods.memory_limit.resize(slots);
    pods.share.assign(slots, kUnlimited);
    pods.service.resize(slots);
    pods.worked_out.assign(slots, kNotWorkedOut);
    // The lowest slot is given first, as if the list had grown.
    for (std::size_t p = slots; p-- > s.pods.size();) pods.free.push_back(static_cast<Index>(p));
}

void clear_seen(EnvArrays& e) {
    const std::size_t size = e.works.size;
    EnvSeen& seen = e.seen;
    for (auto* zero : {&seen.offered, &seen.done, &seen.lost, &seen.cpu, &seen.latency,
                       &seen.spread, &seen.io, &seen.net, &seen.rewards_measured,
                       &seen.rewards_true}) {
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

// So that no event allocates: every pod may wait for its next stage and be resized, and what is
// void stays until its time.
void make_room(EnvArrays& e) {
    const std::size_t slots = e.pods.stage.size();
    while (!e.queue.empty()) e.queue.pop();
    for (std::size_t i = 0; i < 4 * slots; ++i) e.queue.push(0, EventKind::pod, 0);
    while (!e.queue.empty()) e.queue.pop();
    e.touched.clear();
    e.touched.reserve(e.works.size);
    e.waiting.reserve(4 * slots);
    e.wants.reserve(e.nodes.room);
    e.shares.reserve(e.nodes.room);
    e.pods.free.reserve(slots);
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
