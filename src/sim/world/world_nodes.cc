#include "sim/world/world_nodes.h"

#include "sim/world/faults.h"
#include "sim/world/scheduler.h"
#include "sim/world/world_load.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_replicas.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace parley::sim {
namespace {

using model::Power;
using model::Readiness;

void silence(State& s, Index n) {
    NodeState& node = s.nodes[n];
    node.lease_at = lease_of(node, s.now);
    node.lease = LeaseMode::silent;
    unwind(s, n, NodeClock::lease);
    const std::uint64_t bits = draw(s.seed, Stream::jitter, node.entity,
                                    static_cast<std::uint64_t>(std::max<Ms>(0, s.now)));
    const Ms noticed = node.lease_at + kUnreadyAfter + random::between(bits, 0, 10'000);
    wind(s, n, NodeClock::unready, EventKind::node_unready, std::max(s.now, noticed));
}

void resume_lease(State& s, Index n) {
    NodeState& node = s.nodes[n];
    node.lease = LeaseMode::regular;
    node.lease_phase = s.now % kLeasePeriod;
    unwind(s, n, NodeClock::lease);
    unwind(s, n, NodeClock::unready);
    unwind(s, n, NodeClock::evict);
}

// The list changes during the walk, so a copy is walked; its memory is reused.
template <class F>
void for_each_pod(State& s, Index n, F&& f) {
    std::vector<Index> pods = std::move(s.spare);
    pods.assign(s.nodes[n].pods.begin(), s.nodes[n].pods.end());
    for (const Index p : pods) {
        if (s.pods[p].node == n) f(p);
    }
    s.spare = std::move(pods);
}

void remove_node(State& s, Index n) {
    NodeState& node = s.nodes[n];
    account_node(s, n);
    for_each_pod(s, n, [&](Index p) { remove_pod(s, p); });
    node.exists = false;
    if (s.listing()) s.gone_nodes.push_back(node.uid);
    use_node(s, n);
    if (node.worker) {
        s.cluster_cpu_m -= node.cpu_m;
        s.cluster_memory -= node.memory;
    }
}

}  // namespace

Ms lease_of(const NodeState& node, Ms now) {
    if (node.lease != LeaseMode::regular) return node.lease_at;
    const Ms since = (now - node.lease_phase) % kLeasePeriod;
    return now - (since < 0 ? since + kLeasePeriod : since);
}

void lease_late(State& s, Index n) {
    NodeState& node = s.nodes[n];
    if (node.lease != LeaseMode::regular || !node.runs()) return;
    node.lease_at = lease_of(node, s.now);
    node.lease = LeaseMode::late;
    wind(s, n, NodeClock::lease, EventKind::node_lease,
         std::max(s.now, node.lease_at + kLeasePeriod + lease_delay(s, n)));
}

void lease_regular(State& s, Index n) {
    if (s.nodes[n].lease == LeaseMode::late) resume_lease(s, n);
}

void lease_event(State& s, Index n) {
    NodeState& node = s.nodes[n];
    node.lease_at = s.now;
    wind(s, n, NodeClock::lease, EventKind::node_lease, s.now + kLeasePeriod + lease_delay(s, n));
}

void show_node(State& s, Index n, Readiness ready) {
    NodeState& node = s.nodes[n];
    if (node.ready == ready) return;
    node.ready = ready;
    node.ready_since = s.now;
    node.version = ++s.versions;
    node_changed(s, n);
    if (ready == Readiness::yes) request_schedule(s, kScheduleRetry);
}

void set_pressure(State& s, Index n, bool memory, bool disk) {
    NodeState& node = s.nodes[n];
    if (node.memory_pressure == memory && node.disk_pressure == disk) return;
    node.memory_pressure = memory;
    node.disk_pressure = disk;
    node.version = ++s.versions;
    node_changed(s, n);
}

void fail_node(State& s, Index n, FaultCause cause, Ms repair) {
    NodeState& node = s.nodes[n];
    if (node.down || !node.exists || node.power != Power::on) return;
    account_node(s, n);
    silence(s, n);
    node.down = true;
    node.cut_off = false;
    unwind(s, n, NodeClock::flap);
    for_each_pod(s, n, [&](Index p) { set_reachable(s, p, false); });
    wind(s, n, NodeClock::back, EventKind::node_back,
         s.now + (repair > 0 ? repair : kRemovedAfter));
    node.returns = repair > 0;
    NodeTruth& truth = s.truth.nodes[n];
    truth.down = true;
    truth.cause = cause;
    truth.would_fail_at.reset();
    s.truth.failures.push_back({node.id, time_of(s.now), cause});
    node_changed(s, n);
    use_node(s, n);
}

void cut_off_node(State& s, Index n) {
    NodeState& node = s.nodes[n];
    if (!node.runs() || node.cut_off || !node.exists) return;
    node.cut_off = true;
    silence(s, n);
}

void reconnect_node(State& s, Index n) {
    NodeState& node = s.nodes[n];
    if (!node.cut_off) return;
    node.cut_off = false;
    resume_lease(s, n);
    for_each_pod(s, n, [&](Index p) {
        if (s.pods[p].stage == Stage::terminating) {
            remove_pod(s, p);
            return;
        }
        set_reachable(s, p, true);
        show_ready(s, p, s.pods[p].stage == Stage::serving);
    });
    show_node(s, n, Readiness::yes);
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].every_node) reconcile(s, w);
    }
}

void node_unready(State& s, Index n) {
    show_node(s, n, Readiness::unknown);
    // Endpoints follow readiness: no requests go to pods of an unreachable node.
    for_each_pod(s, n, [&](Index p) {
        show_ready(s, p, false);
        set_reachable(s, p, false);
    });
    wind(s, n, NodeClock::evict, EventKind::node_evict, s.now + kToleration);
}

void node_evict(State& s, Index n) {
    for_each_pod(s, n, [&](Index p) {
        if (!s.works[s.pods[p].work].every_node) terminate_pod(s, p, true);
    });
}

void node_back(State& s, Index n) {
    NodeState& node = s.nodes[n];
    if (node.down && !node.returns) {
        remove_node(s, n);
        return;
    }
    account_node(s, n);
    const bool booted = node.power == Power::booting;
    node.down = false;
    node.power = Power::on;
    resume_lease(s, n);
    end_episode(s, n);
    for_each_pod(s, n, [&](Index p) {
        restart_pod(s, p, !booted);  // Waking it on purpose is not a restart that counts.
    });
    NodeTruth& truth = s.truth.nodes[n];
    truth.down = false;
    truth.cause = FaultCause::none;
    show_node(s, n, Readiness::yes);
    node_changed(s, n);
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].every_node) reconcile(s, w);
    }
    speed_changed(s, n);
    use_node(s, n);
}

std::int32_t own_pods(const State& s, Index n) {
    std::int32_t count = 0;
    for (const Index w : s.nodes[n].works) count += s.works[w].every_node ? 0 : 1;
    return count;
}

void set_power(State& s, Index n, model::PowerWish wish) {
    NodeState& node = s.nodes[n];
    if (wish == model::PowerWish::on) {
        if (node.power == Power::on || node.power == Power::booting) return;
        account_node(s, n);
        node.power = Power::booting;
        wind(s, n, NodeClock::back, EventKind::node_back,
             s.now + ms_of(s.scenario->nodes[node.group].boot));
    } else {
        account_node(s, n);
        node.lease_at = lease_of(node, s.now);
        node.lease = LeaseMode::silent;
        unwind(s, n, NodeClock::lease);
        unwind(s, n, NodeClock::unready);
        unwind(s, n, NodeClock::back);
        node.power = wish == model::PowerWish::sleep ? Power::sleep : Power::off;
        for_each_pod(s, n, [&](Index p) {
            set_reachable(s, p, false);
            show_ready(s, p, false);
        });
        show_node(s, n, Readiness::no);
    }
    node_changed(s, n);
    use_node(s, n);
}

}  // namespace parley::sim
