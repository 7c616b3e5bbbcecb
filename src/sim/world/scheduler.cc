#include "sim/world/scheduler.h"

#include "sim/world/world_pods.h"

#include <algorithm>
#include <span>

namespace parley::sim {
namespace {

using model::Cause;
using model::CauseSet;

// Breaks ties between equal nodes: one draw per pod, mixed with the node's name.
std::uint64_t lot_of(std::uint64_t drawn, const NodeState& node) {
    std::uint64_t x = (drawn ^ node.entity) * 0xff51afd7ed558ccd;
    x ^= x >> 33;
    return x * 0xc4ceb9fe1a85ec53;
}

/// CPU and memory that bound pods of capped Jobs ask for.
std::pair<std::int64_t, std::int64_t> capped_requests(const State& s) {
    if (s.cap_spaces.empty()) return {s.batch_cpu_m, s.batch_memory};
    std::pair<std::int64_t, std::int64_t> sum;
    for (const WorkState& work : s.works) {
        if (!work.exists || !work.batch) continue;
        if (!meant_for(s.cap_spaces, work.id.space.view())) continue;
        sum.first += work.reserved_m;
        sum.second += work.reserved_bytes;
    }
    return sum;
}

bool over_cap(const State& s, const PodState& pod) {
    const WorkState& work = s.works[pod.work];
    if (!work.batch || s.now >= s.cap_until) return false;
    if (!meant_for(s.cap_spaces, work.id.space.view())) return false;
    const std::int64_t cpu = s.cluster_cpu_m / 1000 * s.cap_cpu_ppm / 1000;
    const std::int64_t memory = s.cluster_memory / 1'000'000 * s.cap_memory_ppm;
    const auto [cpu_held, memory_held] = capped_requests(s);
    return cpu_held + pod.cpu_request_m > cpu || memory_held + pod.memory_request > memory;
}

bool closed(const NodeState& node) {
    return !node.worker || node.ready != model::Readiness::yes || node.power != model::Power::on ||
           node.taint == model::Taint::no_schedule;
}

bool has_room(const NodeState& node, const PodState& pod) {
    return node.cpu_requested_m + pod.cpu_request_m <= node.cpu_m &&
           node.memory_requested + pod.memory_request <= node.memory &&
           std::cmp_less(node.pods.size(), node.pods_max);
}

/// Whether it would fit if the node were empty, in service and without a taint.
bool could_ever_hold(const State& s, const PodState& pod, const NodeState& node) {
    return selects(s.works[pod.work], node) && pod.cpu_request_m <= node.cpu_m &&
           pod.memory_request <= node.memory && node.pods_max > 0;
}

// Whether turned_away() finds nothing, checked in the order that excludes most nodes soonest.
// `picky`: the workload has constraints of its own.
bool takes(const NodeState& node, const PodState& pod, const WorkState& work, bool picky) {
    if (!node.exists || !has_room(node, pod) || closed(node)) return false;
    return !picky || (selects(work, node) && !skewed(work, node.zone_index));
}

// Counts a workload's pods by node, so that spreading costs nothing per node.
void count_neighbours(State& s, const PodState& pod) {
    s.stamp.resize(s.nodes.size());
    s.stamp_count.resize(s.nodes.size());
    ++s.stamp_number;
    for (const Index other : s.works[pod.work].pods) {
        const Index n = s.pods[other].node;
        if (n == kNone || s.pods[other].stage == Stage::terminating) continue;
        if (s.stamp[n] != s.stamp_number) {
            s.stamp[n] = s.stamp_number;
            s.stamp_count[n] = 0;
        }
        ++s.stamp_count[n];
    }
}

// Higher is better: free room and its evenness, at most kRoomMax. Crowding is not included.
std::int64_t room(const NodeState& node, const PodState& pod) {
    const std::int64_t cpu_left =
        quotient((node.cpu_m - node.cpu_requested_m - pod.cpu_request_m) * 1000, node.cpu_m);
    const std::int64_t memory_left =
        quotient(node.memory - node.memory_requested - pod.memory_request, node.memory / 1000);
    const std::int64_t uneven =
        cpu_left > memory_left ? cpu_left - memory_left : memory_left - cpu_left;
    return (cpu_left + memory_left) / 2 - uneven / 4;
}

}  // namespace

bool selects(const WorkState& work, const NodeState& node) {
    if (work.selector_key.empty()) return true;
    if (work.selector_key == "pool") return node.pool.view() == work.selector_value;
    if (work.selector_key == "zone") return node.zone.view() == work.selector_value;
    if (work.selector_key == "rack") return node.rack.view() == work.selector_value;
    return false;
}

bool skewed(const WorkState& work, Index zone, Index leaving) {
    if (work.zone_skew_max <= 0) return false;
    const auto left = [&](Index z) { return work.in_zone[z] - (z == leaving ? 1 : 0); };
    std::int32_t least = left(0);
    for (Index z = 1; z < work.in_zone.size(); ++z) least = std::min(least, left(z));
    return left(zone) + 1 - least > work.zone_skew_max;
}

CauseSet turned_away(const State& s, const PodState& pod, const NodeState& node) {
    const WorkState& work = s.works[pod.work];
    CauseSet causes;
    if (!selects(work, node)) return causes.with(Cause::selector);
    if (closed(node)) return causes.with(Cause::taint);
    if (node.cpu_requested_m + pod.cpu_request_m > node.cpu_m) causes = causes.with(Cause::cpu);
    if (node.memory_requested + pod.memory_request > node.memory) {
        causes = causes.with(Cause::memory);
    }
    if (std::cmp_greater_equal(node.pods.size(), node.pods_max)) causes = causes.with(Cause::pods);
    if (causes.empty() && skewed(work, node.zone_index)) causes = causes.with(Cause::affinity);
    if (causes.empty() && over_cap(s, pod)) causes = causes.with(Cause::our_hold);
    return causes;
}

Obstacles obstacles(const State& s, Index p) {
    Obstacles found;
    bool elsewhere = false;
    bool ever = false;
    for (const NodeState& node : s.nodes) {
        if (!node.exists) continue;
        const CauseSet causes = turned_away(s, s.pods[p], node);
        if (!causes.has(Cause::selector)) elsewhere = true;
        ever = ever || could_ever_hold(s, s.pods[p], node);
        found.causes.bits |= causes.bits;
        for (std::size_t cause = 0; cause < found.nodes.size(); ++cause) {
            found.nodes[cause] += static_cast<std::int32_t>((causes.bits >> cause) & 1U);
        }
    }
    // Nodes that the selector leaves out say nothing about why the others are full.
    if (elsewhere) found.causes.bits &= ~CauseSet{}.with(Cause::selector).bits;
    if (!ever) found.causes = found.causes.with(Cause::impossible);
    return found;
}

void request_schedule(State& s, Ms delay) {
    const Ms at = s.now + delay;
    if (s.schedule_at <= at || s.waiting.empty()) return;
    s.schedule_at = at;
    s.queue.push(at, EventKind::schedule, 0, ++s.schedule_generation);
}

Index choose_node(State& s, Index p) {
    const PodState& pod = s.pods[p];
    const WorkState& work = s.works[pod.work];
    const bool picky = !work.selector_key.empty() || work.zone_skew_max > 0;
    const bool held = over_cap(s, pod);
    count_neighbours(s, pod);
    // Every pod looks at every node, so what the loop reads is looked up once.
    const std::span<const NodeState> nodes(s.nodes);
    const std::span<const std::uint64_t> stamp(s.stamp);
    const std::span<const std::int32_t> in_zone(work.in_zone);
    const auto count = static_cast<Index>(nodes.size());
    const std::uint64_t drawn = draw(s.seed, Stream::scheduler, work.entity, pod.serial);
    Index best = kNone;
    std::int64_t best_score = 0;
    std::uint64_t best_draw = 0;
    Index feasible = 0;
    for (Index i = 0; i < count && feasible < kEnough && !held; ++i) {
        Index n = s.schedule_start + i;
        if (n >= count) n -= count;
        const NodeState& node = nodes[n];
        if (!takes(node, pod, work, picky)) continue;
        ++feasible;
        const std::int64_t here = stamp[n] == s.stamp_number ? s.stamp_count[n] : 0;
        std::int64_t against = crowding(here, in_zone[node.zone_index]);
        if (node.taint == model::Taint::prefer_no_schedule) against += 100'000;
        if (best != kNone && kRoomMax - against < best_score) continue;
        const std::int64_t points = room(node, pod) - against;
        if (best != kNone && points < best_score) continue;
        const std::uint64_t lot = lot_of(drawn, node);
        if (best == kNone || points > best_score || lot < best_draw) {
            best = n;
            best_score = points;
            best_draw = lot;
        }
    }
    if (count > kEnough) s.schedule_start = (s.schedule_start + kEnough) % count;
    return best;
}

void schedule_pass(State& s) {
    s.schedule_at = kNever;
    std::erase_if(s.waiting,
                  [&](const Waiting& one) { return s.pods[one.pod].generation != one.generation; });
    std::ranges::sort(s.waiting, [&](const Waiting& a, const Waiting& b) {
        const PodState& x = s.pods[a.pod];
        const PodState& y = s.pods[b.pod];
        return x.priority != y.priority ? x.priority > y.priority : x.serial < y.serial;
    });
    // Pods of one workload are alike: where one found no place, the next finds none in this pass.
    Index hopeless = kNone;
    std::int32_t hopeless_priority = 0;
    CauseSet hopeless_causes;
    for (const Waiting& one : s.waiting) {
        const PodState& pod = s.pods[one.pod];
        happened(s, Happened::pod_considered, one.pod);
        if (pod.work == hopeless && pod.priority == hopeless_priority) {
            set_causes(s, one.pod, hopeless_causes);
            continue;
        }
        const Index n = choose_node(s, one.pod);
        if (n != kNone) {
            bind_pod(s, one.pod, n);
            continue;
        }
        hopeless = pod.work;
        hopeless_priority = pod.priority;
        hopeless_causes = obstacles(s, one.pod).causes;
        set_causes(s, one.pod, hopeless_causes);
    }
    std::erase_if(s.waiting,
                  [&](const Waiting& one) { return s.pods[one.pod].generation != one.generation; });
}

}  // namespace parley::sim
