#include "sim/world/world_replicas.h"

#include "sim/world/world_pods.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace parley::sim {
namespace {

using model::WorkloadKind;

bool counts(const PodState& pod) {
    return pod.stage != Stage::terminating && pod.stage != Stage::succeeded;
}

/// The smaller one is deleted first.
using Rank = std::tuple<bool, bool, bool, std::int32_t, std::int32_t, std::int32_t, std::int64_t>;

Rank rank_of(const State& s, const PodState& pod, std::int32_t neighbours) {
    if (s.works[pod.work].id.kind == WorkloadKind::stateful_set) {
        return {false, false, false, 0, 0, 0, -std::int64_t{pod.ordinal}};
    }
    const bool placed = pod.stage != Stage::gated && pod.stage != Stage::waiting;
    return {pod.node != kNone,
            placed,
            pod.shown_ready,
            pod.deletion_cost,
            -neighbours,
            -pod.restarts,
            -static_cast<std::int64_t>(pod.serial)};
}

std::int32_t neighbours(const State& s, const PodState& pod) {
    if (pod.node == kNone) return 0;
    std::int32_t found = 0;
    for (const Index other : s.works[pod.work].pods) {
        if (s.pods[other].node == pod.node && counts(s.pods[other])) ++found;
    }
    return found;
}

// Ranked once, as Kubernetes does; then the first ones are deleted.
void delete_surplus(State& s, Index w, std::int32_t surplus) {
    std::vector<std::pair<Rank, Index>> ranked;
    for (const Index p : s.works[w].pods) {
        if (!counts(s.pods[p])) continue;
        ranked.emplace_back(rank_of(s, s.pods[p], neighbours(s, s.pods[p])), p);
    }
    std::ranges::sort(ranked);
    for (std::int32_t i = 0; i < surplus; ++i) {
        terminate_pod(s, ranked[static_cast<std::size_t>(i)].second, false);
    }
}

// One pod per node; DaemonSets bypass the scheduler and tolerate everything.
void reconcile_every_node(State& s, Index w) {
    s.stamp.resize(s.nodes.size());
    ++s.stamp_number;
    for (const Index p : s.works[w].pods) {
        const PodState& pod = s.pods[p];
        if (pod.node != kNone && counts(pod)) s.stamp[pod.node] = s.stamp_number;
    }
    const std::uint64_t there = s.stamp_number;
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const NodeState& node = s.nodes[n];
        if (!node.exists || s.stamp[n] == there || node.ready != model::Readiness::yes) continue;
        bind_pod(s, create_pod(s, w), n);
    }
}

}  // namespace

bool deleted_before(const State& s, Index a, Index b) {
    const PodState& x = s.pods[a];
    const PodState& y = s.pods[b];
    return rank_of(s, x, neighbours(s, x)) < rank_of(s, y, neighbours(s, y));
}

std::int32_t shown_ready(const State& s, Index w) {
    std::int32_t ready = 0;
    for (const Index p : s.works[w].pods) {
        if (s.pods[p].shown_ready && counts(s.pods[p])) ++ready;
    }
    return ready;
}

std::int32_t disruptions_allowed(const State& s, Index w) {
    const WorkState& work = s.works[w];
    const std::int32_t ready = shown_ready(s, w);
    std::int32_t allowed = ready;
    if (work.budget_min >= 0) allowed = std::min(allowed, ready - work.budget_min);
    if (work.budget_max >= 0) {
        allowed = std::min(allowed, ready - (work.wanted - work.budget_max));
    }
    return std::max(0, allowed);
}

void reconcile(State& s, Index w) {
    WorkState& work = s.works[w];
    // Deleting a pod calls this again; the outermost call does everything.
    if (!work.exists || work.batch || work.reconciling) return;
    if (work.every_node) {
        reconcile_every_node(s, w);
        return;
    }
    work.reconciling = true;
    std::int32_t have = 0;
    for (const Index p : work.pods) have += counts(s.pods[p]) ? 1 : 0;
    // A StatefulSet's number is free only when its old holder is gone.
    const bool waits = work.id.kind == WorkloadKind::stateful_set || work.recreate;
    const auto taken = static_cast<std::int32_t>(work.pods.size());
    for (std::int32_t missing = work.wanted - (waits ? taken : have); missing > 0; --missing) {
        create_pod(s, w);
    }
    if (have > work.wanted) delete_surplus(s, w, have - work.wanted);
    work.reconciling = false;
}

void set_wanted(State& s, Index w, std::int32_t wanted) {
    WorkState& work = s.works[w];
    if (work.wanted == wanted) return;
    work.wanted = wanted;
    work_changed(s, w);
    reconcile(s, w);
}

void delete_workload(State& s, Index w) {
    WorkState& work = s.works[w];
    account(s, w);
    work.exists = false;
    work.wanted = 0;
    while (!work.pods.empty()) remove_pod(s, work.pods.back());
    if (work.told && s.listing()) s.gone_works.push_back(work.uid);
    work.told = false;
}

}  // namespace parley::sim
