#include "layers/observation/snapshot_builder.h"

#include "base/check.h"
#include "layers/observation/plausible.h"

#include <algorithm>
#include <unordered_set>

namespace parley::observation {

using model::PodPhase;
using model::PodRow;

namespace {

bool unfinished(const PodRow& pod) { return pod.phase != PodPhase::succeeded; }

/// Failed, pending, unknown or unready. A pod that is being deleted in order is not.
bool unhealthy(const PodRow& pod) {
    return unfinished(pod) && !pod.terminating && !(pod.phase == PodPhase::running && pod.ready);
}

/// Holds capacity of its node, as the scheduler counts it.
bool holds_capacity(const PodRow& pod) {
    return pod.phase != PodPhase::succeeded && pod.phase != PodPhase::failed;
}

bool serves(const PodRow& pod) {
    return pod.phase == PodPhase::running && pod.ready && !pod.terminating;
}

}  // namespace

ObservationLimits limits_of(const model::Policy& policy) {
    return {.api_late = policy.guard.api_age_max,
            .metrics_late = policy.guard.metrics_age_max,
            .watched = Watched(policy.namespaces),
            .queue_impossible = policy.profile == model::Profile::prototype};
}

SnapshotBuilder::SnapshotBuilder(ObservationLimits limits) : limits_(std::move(limits)) {}

SnapshotBuilder::SnapshotBuilder(ObservationLimits limits, model::Snapshot from)
    : limits_(std::move(limits)), snapshot_(std::move(from)) {
    snapshot_.nodes.for_each([&](Slot slot, const auto& row) {
        nodes_[row.uid] = slot;
        if (row.cpu_used_m.value() == nullptr) return;
        const model::Provenance& by = row.cpu_used_m.from();
        note_sample(by.source, slot, std::min(by.received, by.measured));
    });
    std::int64_t completed_here = 0;
    snapshot_.workloads.for_each([&](Slot slot, const auto& row) {
        workloads_[row.uid] = slot;
        completed_here += row.completions;
    });
    if (const auto* completed = snapshot_.completed.value()) {
        completed_gone_ = *completed - completed_here;
    }
    shapes_ = Shapes(snapshot_.shapes);
    snapshot_.pods.for_each([&](Slot slot, const PodRow& row) {
        pods_[row.uid] = slot;
        shapes_.hold_again(row.shape);
        count_pending(row, +1);  // Sums lie in the rows already; groups do not.
    });
    snapshot_.containers.for_each(
        [&](Slot slot, const model::ContainerRow& row) { others_[row.pod].push_back(slot); });
    for (const model::PendingGroup& before : snapshot_.pending) {
        const auto group = groups_.find({before.workload, before.causes});
        if (group != groups_.end()) group->second.says = before.says;
    }
    snapshot_.restarts.clear();
    snapshot_.disruptions.clear();
}

void SnapshotBuilder::take(const cluster::Batch& batch, TimePoint now) {
    if (batch.complete) drop_unnamed(batch);
    if (batch.moved != Duration{}) move_times(batch.moved);
    for (const cluster::Change& change : batch.changes) {
        std::visit([&](const auto& what) { apply(what); }, change);
    }
    take_places(batch);
    const TimePoint seen_before = api_seen_;
    api_seen_ = now;
    api_failed_ = false;
    for (const cluster::SourceReport& report : batch.sources) {
        model::SourceState& state = source(report.source);
        const auto condition = report.off      ? model::SourceCondition::off
                               : report.failed ? model::SourceCondition::failed
                                               : model::SourceCondition::ok;
        if (condition != state.condition) {
            // Whether a source is late depends on its age only: see age_sources.
            const bool still_late = state.condition == model::SourceCondition::late &&
                                    condition == model::SourceCondition::ok;
            if (!still_late) {
                state.condition = condition;
                state.since = now;
            }
        }
        reasons_[report.source] = report.reason;
        // It brings no samples; what it reports about itself is all there is.
        if (report.source == model::Source::exerciser && !report.failed) {
            heard_from(report.source, report.heard.value_or(now));
        }
        if (report.source != model::Source::api) continue;
        // A picture that is not renewed ages, whoever delivers it.
        api_failed_ = report.failed;
        api_seen_ = std::max(seen_before, report.failed ? seen_before : report.heard.value_or(now));
    }
    take_samples(batch.nodes, now);
    for (const cluster::WorkloadSample& sample : batch.workloads) take_sample(sample, now);
    for (const cluster::PodSample& sample : batch.pods) take_sample(sample, now);
    snapshot_.stimulus = batch.stimulus;
    const auto price = share_ppm(batch.energy_price, {.received = now, .measured = now});
    const model::Provenance assumed{.received = now,
                                    .measured = now,
                                    .source = model::Source::configuration,
                                    .origin = model::Origin::assumed};
    snapshot_.energy_price_ppm =
        price ? *price : model::Reading<std::int64_t>(limits_.energy_price_ppm, assumed);
}

void SnapshotBuilder::take_failure(const std::string& reason, TimePoint now) {
    model::SourceState& api = source(model::Source::api);
    if (api.condition != model::SourceCondition::failed) api.since = now;
    api.condition = model::SourceCondition::failed;
    reasons_[model::Source::api] = reason;
    api_failed_ = true;
}

void SnapshotBuilder::take_places(const cluster::Batch& batch) {
    if (batch.complete) snapshot_.places.clear();  // All places in use are reported again.
    if (batch.places.empty()) return;
    std::vector<Slot> slots;
    slots.reserve(batch.order.size());
    for (const model::Uid& uid : batch.order) {
        const auto found = nodes_.find(uid);
        slots.push_back(found == nodes_.end() ? kNoSlot : found->second);
    }
    for (const cluster::PlacesChange& change : batch.places) apply(change, slots);
}

void SnapshotBuilder::apply(const cluster::PlacesChange& change, const std::vector<Slot>& slots) {
    PARLEY_CHECK(change.id > 0);
    if (change.id > snapshot_.places.size()) snapshot_.places.resize(change.id);
    model::Places& places = snapshot_.places[change.id - 1];
    places.nodes.clear();
    // For these pods nothing is known about any node, not even that none fits.
    if (!change.known) return;
    places.nodes.resize(snapshot_.nodes.end_slot() / 64 + 1);
    for (std::size_t i = 0; i < slots.size() && i / 64 < change.nodes.size(); ++i) {
        const bool may = ((change.nodes[i / 64] >> (i % 64)) & 1U) != 0;
        const Slot slot = slots[i];
        if (may && slot != kNoSlot) places.nodes[slot / 64] |= std::uint64_t{1} << (slot % 64);
    }
}

void SnapshotBuilder::drop_unnamed(const cluster::Batch& batch) {
    std::unordered_set<model::Uid, UidHash> named;  // Lookup only.
    for (const cluster::Change& change : batch.changes) {
        if (const auto* node = std::get_if<cluster::NodeChange>(&change)) {
            named.insert(node->row.uid);
        } else if (const auto* work = std::get_if<cluster::WorkloadChange>(&change)) {
            named.insert(work->row.uid);
        } else if (const auto* pod = std::get_if<cluster::PodChange>(&change)) {
            named.insert(pod->row.uid);
        }
    }
    std::vector<model::Uid> gone;
    const auto collect = [&](Slot, const auto& row) {
        if (!named.contains(row.uid)) gone.push_back(row.uid);
    };
    snapshot_.pods.for_each(collect);
    for (const model::Uid& uid : gone) apply(cluster::PodGone{uid});
    gone.clear();
    snapshot_.workloads.for_each(collect);
    for (const model::Uid& uid : gone) apply(cluster::WorkloadGone{uid});
    gone.clear();
    snapshot_.nodes.for_each(collect);
    for (const model::Uid& uid : gone) apply(cluster::NodeGone{uid});
}

void SnapshotBuilder::move_times(Duration by) {
    const auto moved = [by](TimePoint time) { return time == TimePoint{} ? time : time + by; };
    const auto move = [&](auto& table, auto field) {
        for (Slot slot = 0; slot < table.end_slot(); ++slot) {
            if (table.has(slot)) table.edit(slot).*field = moved(table.at(slot).*field);
        }
    };
    move(snapshot_.nodes, &model::NodeRow::ready_since);
    move(snapshot_.workloads, &model::WorkloadRow::rolled_out);
    move(snapshot_.pods, &PodRow::created);  // Its other times are counted from it.
    for (auto& [key, group] : groups_) {
        std::map<TimePoint, std::int32_t> created;
        for (const auto& [time, pods] : group.created) created[moved(time)] += pods;
        group.created = std::move(created);
    }
}

void SnapshotBuilder::apply(const cluster::NodeChange& change) {
    model::NodeRow row = change.row;
    const auto found = nodes_.find(row.uid);
    if (found == nodes_.end()) {
        row.cpu_requested_m = row.memory_requested = 0;
        row.pods = row.pods_unhealthy = row.pods_restarted = 0;
        nodes_[row.uid] = snapshot_.nodes.insert(std::move(row));
        return;
    }
    model::NodeRow& kept = snapshot_.nodes.edit(found->second);
    row.cpu_requested_m = kept.cpu_requested_m;
    row.memory_requested = kept.memory_requested;
    row.pods = kept.pods;
    row.pods_unhealthy = kept.pods_unhealthy;
    row.pods_restarted = kept.pods_restarted;
    row.cpu_used_m = kept.cpu_used_m;
    row.memory_used = kept.memory_used;
    row.cpu_second_m = kept.cpu_second_m;
    row.memory_second = kept.memory_second;
    row.disk_used_ppm = kept.disk_used_ppm;
    row.net_used_ppm = kept.net_used_ppm;
    row.power_mw = kept.power_mw;
    row.counters = kept.counters;
    kept = std::move(row);
}

void SnapshotBuilder::apply(const cluster::NodeGone& gone) {
    const auto found = nodes_.find(gone.uid);
    if (found == nodes_.end()) return;
    const Slot slot = found->second;
    std::vector<Slot> orphans;
    snapshot_.pods.for_each([&](Slot pod, const PodRow& row) {
        if (row.node == slot) orphans.push_back(pod);
    });
    // Until the API says what became of them, they are on no node.
    for (const Slot pod : orphans) {
        count(snapshot_.pods.at(pod), -1);
        snapshot_.pods.edit(pod).node = kNoSlot;
        count(snapshot_.pods.at(pod), +1);
    }
    snapshot_.nodes.erase(slot);
    nodes_.erase(found);
    for (model::Places& places : snapshot_.places) {  // The next node at this slot is another one.
        if (places.has(slot)) places.nodes[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
    }
    for (auto& [which, samples] : sampled_) {
        // The next node at this slot is another one.
        if (slot < samples.size()) samples[slot].reset();
    }
}

void SnapshotBuilder::apply(const cluster::WorkloadChange& change) {
    model::WorkloadRow row = change.row;
    const auto found = workloads_.find(row.uid);
    if (found == workloads_.end()) {
        row.ready = row.pending = 0;
        row.cpu_reserved_m = row.memory_reserved = 0;
        workloads_[row.uid] = snapshot_.workloads.insert(std::move(row));
        return;
    }
    model::WorkloadRow& kept = snapshot_.workloads.edit(found->second);
    row.ready = kept.ready;
    row.pending = kept.pending;
    row.cpu_reserved_m = kept.cpu_reserved_m;
    row.memory_reserved = kept.memory_reserved;
    row.startup_p95 = kept.startup_p95;
    row.cpu_used_m = kept.cpu_used_m;
    row.memory_used = kept.memory_used;
    row.requests_milli = kept.requests_milli;
    row.latency_p95 = kept.latency_p95;
    row.counters = kept.counters;
    row.failing_milli = kept.failing_milli;
    kept = std::move(row);
}

void SnapshotBuilder::apply(const cluster::WorkloadGone& gone) {
    const auto found = workloads_.find(gone.uid);
    if (found == workloads_.end()) return;
    const Slot slot = found->second;
    std::vector<Slot> orphans;
    snapshot_.pods.for_each([&](Slot pod, const PodRow& row) {
        if (row.workload == slot) orphans.push_back(pod);
    });
    for (const Slot pod : orphans) remove_pod(pod);  // A pod without its owner is being deleted.
    completed_gone_ += snapshot_.workloads.at(slot).completions;
    snapshot_.workloads.erase(slot);
    workloads_.erase(found);
}

void SnapshotBuilder::apply(const cluster::PodChange& change) {
    const auto owner = workloads_.find(change.workload);
    if (owner == workloads_.end()) return;  // Its owner is gone, and the pod will be.
    PodRow row = change.row;
    row.workload = owner->second;
    const auto node = nodes_.find(change.node);
    row.node = node == nodes_.end() ? kNoSlot : node->second;
    const auto found = pods_.find(row.uid);
    const bool known = found != pods_.end();
    // Counted before its words are set: the group may be new.
    count(row, +1);
    if (known) count(snapshot_.pods.at(found->second), -1);
    const auto group = groups_.find({row.workload, row.pending});
    if (group != groups_.end() && !change.says.empty()) group->second.says = change.says;
    row.shape = shapes_.hold(snapshot_.shapes, change.shape.get());
    Slot slot = kNoSlot;
    if (known) {
        slot = found->second;
        PodRow& kept = snapshot_.pods.edit(slot);
        shapes_.release(snapshot_.shapes, kept.shape);
        row.first.take_use(kept.first);
        kept = std::move(row);
    } else {
        slot = snapshot_.pods.insert(row);
        pods_[row.uid] = slot;
    }
    put_containers(slot, change.containers);
}

void SnapshotBuilder::apply(const cluster::PodGone& gone) {
    const auto found = pods_.find(gone.uid);
    if (found != pods_.end()) remove_pod(found->second);
}

void SnapshotBuilder::apply(const cluster::PodRestarted& restart) {
    const auto node = nodes_.find(restart.node);
    if (node == nodes_.end()) return;
    const auto pod = pods_.find(restart.pod);
    const Slot workload = pod != pods_.end() ? snapshot_.pods.at(pod->second).workload : kNoSlot;
    snapshot_.restarts.push_back({node->second, restart.pod, restart.at, restart.count, workload});
}

void SnapshotBuilder::apply(const cluster::PodDisrupted& disrupted) {
    const auto pod = pods_.find(disrupted.pod);
    if (pod == pods_.end()) return;
    const PodRow& row = snapshot_.pods.at(pod->second);
    snapshot_.disruptions.push_back({row.uid, row.node, row.workload});
}

void SnapshotBuilder::remove_pod(Slot slot) {
    const PodRow& row = snapshot_.pods.at(slot);
    pods_.erase(row.uid);
    count(row, -1);
    shapes_.release(snapshot_.shapes, row.shape);
    put_containers(slot, {});
    snapshot_.pods.erase(slot);
}

void SnapshotBuilder::count(const PodRow& pod, std::int32_t sign) {
    if (pod.node != kNoSlot) {
        model::NodeRow& node = snapshot_.nodes.edit(pod.node);
        if (holds_capacity(pod)) {
            node.cpu_requested_m += sign * pod.cpu_request_m;
            node.memory_requested += sign * pod.memory_request;
            node.pods += sign;
        }
        if (unhealthy(pod)) node.pods_unhealthy += sign;
        if (pod.restarts > 0) node.pods_restarted += sign;
    }
    model::WorkloadRow& workload = snapshot_.workloads.edit(pod.workload);
    if (pod.node != kNoSlot && holds_capacity(pod)) {
        workload.cpu_reserved_m += sign * pod.cpu_request_m;
        workload.memory_reserved += sign * pod.memory_request;
    }
    if (serves(pod)) workload.ready += sign;
    if (pod.phase == PodPhase::pending) workload.pending += sign;
    count_pending(pod, sign);
}

void SnapshotBuilder::count_pending(const PodRow& pod, std::int32_t sign) {
    const bool counts = limits_.watched.has(snapshot_.workloads.at(pod.workload).id.space);
    if (counts && unhealthy(pod)) violations_ += sign;
    const bool waits = pod.phase == PodPhase::pending;
    if (pod.terminating || (!waits && !pod.pending.has(model::Cause::restart))) return;
    const bool queues = limits_.queue_impossible || !pod.pending.has(model::Cause::impossible);
    if (counts && waits && queues) queue_ += sign;
    if (pod.pending.empty()) return;
    const std::pair key(pod.workload, pod.pending);
    Group& group = groups_[key];
    group.count += sign;
    if ((group.created[pod.created] += sign) == 0) group.created.erase(pod.created);
    if (group.count == 0) groups_.erase(key);
}

model::Snapshot SnapshotBuilder::finish(std::uint64_t round, TimePoint now) {
    age_readings(now);
    age_sources(now);
    snapshot_.round = round;
    snapshot_.taken = now;
    snapshot_.pending.clear();
    for (const auto& [key, group] : groups_) {
        snapshot_.pending.push_back(
            {key.first, key.second, group.count, group.created.begin()->first, group.says});
    }
    std::int64_t completed = completed_gone_;
    snapshot_.workloads.for_each([&](Slot, const auto& row) { completed += row.completions; });
    const model::Provenance from{.received = api_seen_,
                                 .measured = api_seen_,
                                 .source = model::Source::api,
                                 .origin = model::Origin::derived};
    const auto total = [&](std::int64_t value) {
        if (now - api_seen_ > limits_.api_late) {
            return model::Reading<std::int64_t>(model::Gap::too_old, from);
        }
        return model::Reading<std::int64_t>(value, from);
    };
    snapshot_.queue = total(queue_);
    snapshot_.violations = total(violations_);
    snapshot_.completed = total(completed);
    model::Snapshot out = snapshot_;
    snapshot_.restarts.clear();
    snapshot_.disruptions.clear();
    return out;
}

}  // namespace parley::observation
