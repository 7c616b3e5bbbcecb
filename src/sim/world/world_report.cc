#include "sim/world/world_report.h"

#include "sim/world/series.h"
#include "sim/world/world_nodes.h"
#include "sim/world/world_places.h"
#include "sim/world/world_pods.h"
#include "sim/world/world_replicas.h"

#include <algorithm>

namespace parley::sim {
namespace {

using model::PodPhase;

PodPhase phase_of(const PodState& pod) {
    switch (pod.stage) {
        case Stage::serving:
        case Stage::crashed:
        case Stage::terminating:
            return PodPhase::running;
        case Stage::succeeded:
            return PodPhase::succeeded;
        case Stage::free:
        case Stage::gated:
        case Stage::waiting:
        case Stage::starting:
            break;
    }
    return PodPhase::pending;
}

void clear(cluster::Batch& out) {
    out.changes.clear();
    out.places.clear();
    out.order.clear();
    out.nodes.clear();
    out.workloads.clear();
    out.pods.clear();
    out.sources.clear();
    out.stimulus.reset();
    out.energy_price.reset();
}

/// A request or limit of 0 is none.
std::optional<std::int64_t> named(std::int64_t amount) {
    return amount > 0 ? std::optional(amount) : std::nullopt;
}

/// `of` is a pod, or the workload as the template of its pods.
template <class Sized>
model::PodShape shape_of(const Sized& of, std::int64_t cpu_limit_m) {
    return {{{.name = container_name(),
              .cpu_request_m = named(of.cpu_request_m),
              .cpu_limit_m = named(cpu_limit_m),
              .memory_request = named(of.memory_request),
              .memory_limit = named(of.memory_limit)}}};
}

model::PodShape template_of(const WorkState& work) { return shape_of(work, work.cpu_limit_m); }

model::After after(Ms created, Ms at) {
    return at == kNever ? model::After{} : model::After::of(time_of(created), time_of(at));
}

void tell_node(State& s, Index n, cluster::Batch& out) {
    s.nodes[n].dirty = false;
    s.nodes[n].lease_told = lease_of(s.nodes[n], s.now);
    out.changes.emplace_back(cluster::NodeChange{row_of_node(s, n)});
}

void tell_work(State& s, Index w, cluster::Batch& out) {
    s.works[w].dirty = false;
    s.works[w].told = true;
    out.changes.emplace_back(cluster::WorkloadChange{row_of_work(s, w)});
}

void tell_pod(State& s, Index p, cluster::Batch& out) {
    s.pods[p].dirty = false;
    s.pods[p].told = true;
    WorkState& work = s.works[s.pods[p].work];
    if (work.shape == nullptr) work.shape = std::make_shared<model::PodShape>(template_of(work));
    out.changes.emplace_back(row_of_pod(s, p));
}

void tell_everything(State& s, cluster::Batch& out) {
    for (Index n = 0; n < s.nodes.size(); ++n) {
        if (s.nodes[n].exists) tell_node(s, n, out);
    }
    for (Index w = 0; w < s.works.size(); ++w) {
        if (s.works[w].exists) tell_work(s, w, out);
    }
    for (Index p = 0; p < s.pods.size(); ++p) {
        if (s.pods[p].stage != Stage::free) tell_pod(s, p, out);
    }
}

// Referenced objects are reported before those that refer to them, and removed after.
void tell_changes(State& s, cluster::Batch& out) {
    for (Index n = 0; n < s.nodes.size(); ++n) {
        const NodeState& node = s.nodes[n];
        const bool renewed = node.lease_told != lease_of(node, s.now);
        if (node.exists && (node.dirty || renewed)) tell_node(s, n, out);
    }
    for (const Index w : s.dirty_works) {
        if (s.works[w].exists && s.works[w].dirty) tell_work(s, w, out);
        s.works[w].dirty = false;
    }
    for (const model::Uid& uid : s.gone_pods) out.changes.emplace_back(cluster::PodGone{uid});
    for (const Index p : s.dirty_pods) {
        if (s.pods[p].stage != Stage::free && s.pods[p].dirty) tell_pod(s, p, out);
        s.pods[p].dirty = false;
    }
    for (const cluster::PodRestarted& restart : s.restarts) out.changes.emplace_back(restart);
    for (const model::Uid& uid : s.gone_works) out.changes.emplace_back(cluster::WorkloadGone{uid});
    for (const model::Uid& uid : s.gone_nodes) out.changes.emplace_back(cluster::NodeGone{uid});
}

}  // namespace

model::NodeRow row_of_node(const State& s, Index n) {
    const NodeState& node = s.nodes[n];
    const NodeGroup& group = s.scenario->nodes[node.group];
    model::NodeRow row;
    row.id = node.id;
    row.uid = node.uid;
    row.zone = node.zone;
    row.rack = node.rack;
    row.pool = node.pool;
    row.role = group.role;
    row.ready = node.ready;
    row.ready_since = time_of(node.ready_since);
    row.memory_pressure = node.memory_pressure;
    row.disk_pressure = node.disk_pressure;
    row.lease = model::Reading<TimePoint>(
        time_of(lease_of(node, s.now)),
        {.received = time_of(s.now), .measured = time_of(s.now), .source = model::Source::api});
    row.quarantined = node.taint == model::Taint::no_schedule;
    row.avoided = node.taint == model::Taint::prefer_no_schedule;
    row.foreign_taint = !node.worker;
    row.power = node.power;
    row.can_power = group.can_power;
    row.can_clock = group.can_clock;
    row.clock_ppm = node.clock_ppm;
    row.cpu_allocatable_m = node.cpu_m;
    row.memory_allocatable = node.memory;
    row.pods_allocatable = node.pods_max;
    row.cpu_requested_m = node.cpu_requested_m;
    row.memory_requested = node.memory_requested;
    row.pods = static_cast<std::int32_t>(node.pods.size());
    row.mark = node.mark;
    row.version = node.version;
    return row;
}

model::WorkloadRow row_of_work(const State& s, Index w) {
    const WorkState& work = s.works[w];
    model::WorkloadRow row;
    row.id = work.id;
    row.uid = work.uid;
    row.priority = work.priority;
    row.completions = work.completions;
    row.wanted = work.every_node ? static_cast<std::int32_t>(work.pods.size()) : work.wanted;
    row.cpu_request_m = work.cpu_request_m;
    row.cpu_limit_m = work.cpu_limit_m;
    row.memory_request = work.memory_request;
    row.memory_limit = work.memory_limit;
    row.recreate = work.recreate;
    row.rwo_volume = work.rwo_volume;
    row.quorum = work.quorum;
    row.protect = work.protect;
    row.batch = work.batch;
    row.deliberate = work.deliberate;
    row.scale_owner = work.scale_owner;
    row.size_owner = work.size_owner;
    row.has_budget = work.budget_min >= 0 || work.budget_max >= 0;
    if (row.has_budget) row.disruptions_allowed = disruptions_allowed(s, w);
    row.mark = work.mark;
    row.version = work.version;
    row.rolled_out = time_of(work.rolled_out);
    return row;
}

cluster::PodChange row_of_pod(const State& s, Index p) {
    const PodState& pod = s.pods[p];
    const WorkState& work = s.works[pod.work];
    cluster::PodChange change;
    model::PodRow& row = change.row;
    row.uid = pod.uid;
    row.name.stem = work.stem;
    row.name.tail = pod.tail;
    row.phase = phase_of(pod);
    row.ready = pod.shown_ready;
    row.terminating = pod.stage == Stage::terminating;
    row.evictable = work.evictable && work.id.kind != model::WorkloadKind::bare;
    row.pending = pod.causes;
    row.restarts = pod.restarts;
    row.deletion_cost = pod.deletion_cost;
    row.created = time_of(pod.created);
    row.cpu_request_m = static_cast<std::int32_t>(pod.cpu_request_m);
    row.memory_request = pod.memory_request;
    row.started = after(pod.created, pod.started);
    row.ready_changed = after(pod.created, pod.ready_changed);
    row.first.ended = after(pod.created, pod.ended);
    row.first.ending = pod.ending;
    row.first.exit_code = pod.exit_code;
    // What it is given, not what is in force: a limit takes some seconds.
    model::PodShape shape = shape_of(pod, pod.cpu_limit_next_m);
    const bool as_made = work.shape != nullptr && *work.shape == shape;
    change.shape = as_made ? work.shape : std::make_shared<model::PodShape>(std::move(shape));
    row.places = places_of(s, pod);
    change.workload = work.uid;
    if (pod.node != kNone) change.node = s.nodes[pod.node].uid;
    return change;
}

void collect_changes(State& s, cluster::Batch& out) {
    clear(out);
    if (!s.reporting) return;
    tell_places(s, out);
    if (s.begun) {
        tell_changes(s, out);
    } else {
        s.begun = true;
        tell_everything(s, out);
    }
    s.dirty_nodes.clear();
    s.dirty_works.clear();
    s.dirty_pods.clear();
    s.gone_pods.clear();
    s.gone_works.clear();
    s.gone_nodes.clear();
    s.restarts.clear();
    out.stimulus = s.stimulus;
    if (s.scenario->energy_price) {
        out.energy_price = series_shape(*s.scenario->energy_price, s.now);
    }
}

}  // namespace parley::sim
