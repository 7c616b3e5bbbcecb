#include "sim/learners/vector_env_arrays.h"
#include "sim/world/scheduler.h"

#include <cstring>

namespace parley::sim {
namespace {

constexpr double kNowhere = -1e300;  // The score of a node that cannot take the pod.

std::uint64_t lot_of(std::uint64_t drawn, std::uint64_t node) {
    std::uint64_t x = (drawn ^ node) * 0xff51afd7ed558ccd;
    x ^= x >> 33;
    return x * 0xc4ceb9fe1a85ec53;
}

// By how much the pods of a workload lower the score of each node.
void count_against(EnvArrays& e, Index w) {
    const std::int32_t* in_zone = e.in_zone.data() + std::size_t{w} * e.zones;
    // Through local pointers: after each write of a score the compiler would reload every row.
    const EnvNode* nodes = e.nodes.data();
    double* scores = e.scores.data();
    for (Index n = 0, count = e.nodes.size(); n < count; ++n) {
        scores[n] = static_cast<double>(crowding(0, in_zone[nodes[n].zone]));
    }
    const Index* pods = e.work_pods.data() + std::size_t{w} * e.work_room;
    for (Index i = 0; i < e.works[w].count; ++i) {
        const EnvPod& other = e.pods[pods[i]];
        if (other.node == kNone || other.stage == Stage::terminating) continue;
        scores[other.node] += static_cast<double>(crowding(1, 0));
    }
}

// For numbers from 0 to 2^51: adding the constant removes the fraction.
[[gnu::always_inline]] inline Four floor_of(Four x) {
    const Four near = (x + 0x1p52) - 0x1p52;
    return near - choose(near > x, every<Four>(1.0), Four{});
}

// The same scores as in the world, all whole numbers, for four nodes at a time. See quotient().
[[gnu::always_inline]] inline Four scores_of(const EnvRoom& room, double cpu_m, double memory,
                                             Four against) {
    const Four cpu_free = room.cpu_m - cpu_m;
    const Four memory_free = room.memory - memory;
    const auto takes = (cpu_free >= 0.0) & (memory_free >= 0.0) & (room.pods > 0.0);
    const Four cpu_left = floor_of(cpu_free * 1000.0 / room.cpu_whole_m);
    const Four memory_left = floor_of(memory_free / room.memory_part);
    const Four score = floor_of((cpu_left + memory_left) * 0.5) -
                       floor_of(size_of(cpu_left - memory_left) * 0.25) - against;
    return choose(takes, score, every<Four>(kNowhere));
}

}  // namespace

Index choose_node(EnvArrays& e, Index p) {
    const Index w = e.pods[p].work;
    const auto cpu_m = static_cast<double>(e.works[w].cpu_request_m);
    const auto memory = static_cast<double>(e.pods[p].memory_limit);
    count_against(e, w);
    run_wide([&]() __attribute__((always_inline)) {
        const EnvRoom* rooms = e.rooms.data();
        double* scores = e.scores.data();
        for (Index i = 0, blocks = e.rooms.size(); i < blocks; ++i, scores += 4) {
            Four against;
            std::memcpy(&against, scores, sizeof against);
            const Four score = scores_of(rooms[i], cpu_m, memory, against);
            std::memcpy(scores, &score, sizeof score);
        }
    });
    const Index count = e.nodes.size();
    const std::uint64_t drawn =
        draw(e.seed, Stream::scheduler, e.works[w].entity, e.pods[p].serial);
    Index best = kNone;
    double best_score = kNowhere;
    std::uint64_t best_draw = 0;
    Index feasible = 0;
    for (Index i = 0; i < count && feasible < kEnough; ++i) {
        Index n = e.schedule_start + i;
        if (n >= count) n -= count;
        const double score = e.scores[n];
        if (score == kNowhere) continue;
        ++feasible;
        if (score < best_score) continue;
        const std::uint64_t lot = lot_of(drawn, e.nodes[n].entity);
        if (score > best_score || lot < best_draw) {
            best = n;
            best_score = score;
            best_draw = lot;
        }
    }
    if (count > kEnough) e.schedule_start = (e.schedule_start + kEnough) % count;
    return best;
}

}  // namespace parley::sim
