#include "tests/kills/kill_scene.h"

#include "layers/execution/kit_test.h"

namespace parley::kills {

using namespace model;

namespace {

constexpr std::int32_t kWaiting = 4;  ///< Pods of a Job that find no room.

ActionKind allowed_for(Kind kind) {
    switch (kind) {
        case Kind::replicate:
            return ActionKind::replicate;
        case Kind::migrate:
            return ActionKind::migrate;
        case Kind::throttle:
            return ActionKind::throttle;
        case Kind::memory_balloon:
            return ActionKind::memory_balloon;
        case Kind::resource_cap:
            return ActionKind::resource_cap;
        case Kind::power_state:
            return ActionKind::power_state;
        case Kind::dvfs:
            return ActionKind::dvfs;
        case Kind::scale:
            return ActionKind::scale;
        default:
            return ActionKind::admission;
    }
}

/// Makes the wanted remedy of a node at risk the one that pays.
void weigh(StakesRules& stakes, Kind kind) {
    stakes.toleration = minutes(30);
    stakes.throttle_efficacy = kind == Kind::throttle ? 0.95 : 0.01;
    stakes.migrate_efficacy = kind == Kind::migrate ? 0.95 : 0.01;
    stakes.replicate_efficacy = kind == Kind::replicate ? 0.95 : 0.01;
    stakes.replicate_timeliness = 0.95;
    stakes.replicate_cost = 0.01;
}

void order(AdmissionRules& rules, Kind kind) {
    const auto from = [&](Kind of, std::int64_t then) { return kind == of ? then : 999; };
    rules.queue_from = kind == Kind::queue || kind == Kind::reject ? 3 : 1;
    rules.deprioritize_from = from(Kind::deprioritize, 2);
    rules.cap_from = from(Kind::resource_cap, 3);
    if (kind == Kind::reject) rules.order_lasts = seconds(30);
}

}  // namespace

Policy policy_for(Kind kind) {
    Policy policy;
    policy.evidence.pressure = 0.9;
    weigh(policy.stakes, kind);
    policy.efficiency.sleep_below = kind == Kind::power_state ? 0.45 : 0;
    policy.efficiency.dvfs_below = kind == Kind::dvfs ? 0.45 : 0;
    order(policy.admission, kind);
    if (kind == Kind::reject) policy.cost.pending_minute = 1000;
    policy.allow.push_back({"*", {allowed_for(kind)}});
    return policy;
}

Snapshot cluster_for(Kind kind) {
    execution::Kit kit;
    const Slot web = kit.add_workload(execution::workload_id("web"), 8);
    const Slot api = kit.add_workload(execution::workload_id("api"), 3);
    for (const Slot each : {web, api}) {
        kit.workload(each).cpu_limit_m = 400;
        kit.workload(each).memory_limit = std::int64_t{512} << 20;
        if (kind == Kind::scale) kit.workload(each).scale_owner = ScaleOwner::parley;
    }
    for (Slot i = 0; i < kNodes; ++i) {
        kit.add_node("node-" + std::string(i < 10 ? "0" : "") + std::to_string(i));
        kit.node(i).can_power = kind == Kind::power_state && i == kVictim;
        kit.node(i).can_clock = kind == Kind::dvfs && i == kVictim;
    }
    for (Slot i = 0; i < 8; ++i) kit.add_pod(web, i < 2 ? kVictim : i + 4);
    for (Slot i = 0; i < 3; ++i) kit.add_pod(api, i == 0 ? kVictim : i + 4);
    if (is_order(kind)) {
        const Slot job = kit.add_workload(execution::job_id("report"), kWaiting);
        kit.workload(job).ready = 0;
    }
    return kit.input.snapshot;
}

namespace {

void show_sources(Snapshot& seen, TimePoint now) {
    seen.sources.clear();
    for (const Source source : {Source::api, Source::metrics}) {
        seen.sources.push_back({.source = source,
                                .condition = SourceCondition::ok,
                                .last_success = now,
                                .limit = seconds(60),
                                .covered = kNodes,
                                .expected = kNodes});
    }
}

void show_nodes(Snapshot& seen, Kind kind, bool reason, TimePoint now) {
    const bool idle =
        kind == Kind::memory_balloon || kind == Kind::power_state || kind == Kind::dvfs;
    const bool ails = kind == Kind::replicate || kind == Kind::migrate || kind == Kind::throttle;
    for (Slot slot = 0; slot < kNodes; ++slot) {
        NodeRow& row = seen.nodes.edit(slot);
        const bool low = reason && idle && slot == kVictim;
        row.lease = execution::measured(now, now);
        row.cpu_used_m = execution::measured(std::int64_t{low ? 200 : 5000}, now);
        row.memory_used = execution::measured((std::int64_t{low ? 1 : 80} << 30) / 10, now);
        row.memory_pressure = reason && ails && slot == kVictim;
    }
}

void show_queue(Snapshot& seen, bool reason, TimePoint now) {
    seen.pending.clear();
    const Slot job = 2;
    const std::int32_t waiting = reason ? kWaiting : 0;
    seen.workloads.edit(job).pending = waiting;
    seen.queue = execution::measured(std::int64_t{waiting}, now);
    if (!reason) return;
    PendingGroup group{.workload = job, .count = waiting, .oldest = now - minutes(20)};
    group.causes = group.causes.with(Cause::cpu);
    seen.pending.push_back(group);
}

}  // namespace

void refresh(Snapshot& seen, Kind kind, bool reason, TimePoint now) {
    seen.taken = now;
    show_sources(seen, now);
    show_nodes(seen, kind, reason, now);
    seen.violations = execution::measured(std::int64_t{0}, now);
    if (is_order(kind)) show_queue(seen, reason, now);
    for (const Slot slot : {Slot{0}, Slot{1}}) {
        const std::int64_t used = std::int64_t{20} << 20;
        const std::int32_t count = seen.workloads.at(slot).ready;
        seen.workloads.edit(slot).memory_used = execution::measured(
            Usage{.sum = used * count, .p50 = used, .p90 = used, .max = used, .count = count}, now);
    }
}

}  // namespace parley::kills
