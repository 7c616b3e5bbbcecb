#include "sim/world/world_places.h"

#include "sim/world/scheduler.h"

#include <utility>

namespace parley::sim {
namespace {

bool picky(const WorkState& work) {
    return work.exists && (!work.selector_key.empty() || work.zone_skew_max > 0);
}

/// One set for a pod that leaves each of the zones, and one for a pod that is not placed yet.
Index sets_of(const State& s) { return static_cast<Index>(s.zones.size()) + 1; }

std::vector<std::uint64_t> nodes_for(const State& s, const WorkState& work, Index leaving) {
    std::vector<std::uint64_t> bits(s.nodes.size() / 64 + 1);
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const NodeState& node = s.nodes[n];
        const bool may = node.exists && node.worker && selects(work, node) &&
                         !skewed(work, node.zone_index, leaving);
        if (may) bits[n / 64] |= std::uint64_t{1} << (n % 64);
    }
    return bits;
}

void tell_set(State& s, Index w, Index zone, cluster::Batch& out) {
    const std::uint32_t id = s.place_ids[w] + zone;
    const Index leaving = zone + 1 == sets_of(s) ? kNone : zone;
    std::vector<std::uint64_t> bits = nodes_for(s, s.works[w], leaving);
    std::vector<std::uint64_t>& told = s.places_told[id - 1];
    if (told == bits) return;
    told = bits;
    out.places.push_back({.id = id, .nodes = std::move(bits)});
}

}  // namespace

std::uint32_t places_of(const State& s, const PodState& pod) {
    if (pod.work >= s.place_ids.size() || !picky(s.works[pod.work])) return 0;
    const std::uint32_t first = s.place_ids[pod.work];
    if (first == 0) return 0;
    return first + (pod.node == kNone ? sets_of(s) - 1 : s.nodes[pod.node].zone_index);
}

void tell_places(State& s, cluster::Batch& out) {
    s.place_ids.resize(s.works.size());
    for (Index w = 0; w < s.works.size(); ++w) {
        if (!picky(s.works[w])) continue;
        if (s.place_ids[w] == 0) {
            s.place_ids[w] = static_cast<std::uint32_t>(s.places_told.size()) + 1;
            s.places_told.resize(s.places_told.size() + sets_of(s));
        }
        for (Index zone = 0; zone < sets_of(s); ++zone) tell_set(s, w, zone, out);
    }
    if (out.places.empty()) return;
    for (const NodeState& node : s.nodes) out.order.push_back(node.uid);
}

}  // namespace parley::sim
