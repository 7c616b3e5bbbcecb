#include "layers/execution/plan.h"

#include "layers/execution/marks.h"
#include "layers/execution/resize.h"
#include "layers/execution/tenants.h"
#include "model/balloon.h"
#include "model/opt_in.h"

#include <algorithm>
#include <utility>

namespace parley::execution {

using namespace model;

namespace {

/// How long a plan may take and how long its effect stands, each with its reason.
struct Times {
    Duration deadline;
    Duration expires;
};

Times times_of(const Action& action, const Policy& policy) {
    switch (kind_of(action)) {
        case ActionKind::replicate:
        case ActionKind::migrate:
            // Twenty starts of half a minute; then the risk horizon, after which it is judged anew.
            return {minutes(10), minutes(30)};
        case ActionKind::power_state:
            // Emptying takes as long as migrating; an hour is worth a boot.
            return {minutes(10), hours(1)};
        case ActionKind::throttle:
            // A resize takes seconds; risk looks different after ten minutes.
            return {minutes(2), minutes(10)};
        case ActionKind::dvfs:
            // A clock takes seconds, and is given back before its time when demand rises.
            return {minutes(2), hours(1)};
        case ActionKind::memory_balloon:
            // A resize that is not done in a minute is rolled back. Every expiry resizes each pod
            // twice, and what a pod needs at night differs from what it needs at noon.
            return {minutes(1), hours(6)};
        case ActionKind::admission:
        case ActionKind::resource_cap:
            // An answer to a queue is no answer a minute later; the order ends by itself.
            return {minutes(1), policy.admission.order_lasts};
        case ActionKind::scale:
            // Nothing is waited for. The size stays; the mark vouches for it for an hour.
            return {minutes(2), hours(1)};
        case ActionKind::noop:
            break;
    }
    return {minutes(1), minutes(1)};
}

/// Collects the steps of one plan.
struct Draft {
    const RoundInput& input;
    const Policy& policy;
    OpenAction action;
    Slot node = kNoSlot;

    void step(Request request, Await then = {}) {
        action.plan.push_back({std::move(request), then});
    }
    void undo(Request request) { action.undo.push_back(std::move(request)); }

    /// The mark on its target also says what an earlier one there did.
    void carry(const std::optional<Mark>& before) {
        auto& mark = std::get<PutMark>(action.plan.front().request);
        mark.changes = carried(std::move(mark.changes), before ? &before->changes : nullptr);
    }

    /// Says in the mark what the action changes of its target.
    template <class T>
    void changes(MarkedField field, T old, T wanted, Name container = {}) {
        auto& mark = std::get<PutMark>(action.plan.front().request);
        mark.changes.push_back(
            {field, container, static_cast<std::int64_t>(old), static_cast<std::int64_t>(wanted)});
    }

    /// The step before the next one also waits for this.
    void await_before_next(Await then) { action.plan.back().then = then; }

    Mark mark(std::vector<MarkedChange> changes) const {
        return {action.id, action.expires, kind_of(action.action), std::move(changes)};
    }

    /// One request of its own for each pod, and one that gives it back. The pod is marked first.
    void resize(std::optional<Resized> resized) {
        if (!resized) return;
        const ResizePod& there = resized->there;
        MarkPod first{there.pod, there.space, there.name, mark(changes_of(there, resized->back))};
        MarkPod last{there.pod, there.space, there.name, {}};
        step(std::move(first));
        resize_under(std::move(*resized));
        undo(std::move(last));
    }

    /// The same without a mark on the pod: alone, for workloads whose own mark covers all pods.
    void resize_under(Resized resized) {
        step(std::move(resized.there));
        undo(std::move(resized.back));
    }

    const NodeRow* node_row() const { return input.snapshot.nodes.find(node); }
    std::vector<Tenant> tenants() const {
        return tenants_of(input, policy, node, kind_of(action.action));
    }
};

Taint taint_of(const NodeRow& row) {
    if (row.quarantined) return Taint::no_schedule;
    return row.avoided ? Taint::prefer_no_schedule : Taint::none;
}

void quarantine(Draft& draft, NodeId id, Taint taint) {
    draft.changes(MarkedField::taint, taint_of(*draft.node_row()), taint);
    draft.step(SetTaint{id, taint});
}

PowerWish power_of(const NodeRow& row) {
    return row.power == Power::sleep ? PowerWish::sleep
           : row.power == Power::off ? PowerWish::off
                                     : PowerWish::on;
}

/// Waits until as many pods are ready as are now. Nothing waits for a Job: its pods may finish
/// meanwhile.
Await until_ready_again(const WorkloadRow& row) {
    if (row.batch) return {};
    return {row.id, std::min(row.ready, row.wanted)};
}

/// Evicts one pod of every workload, then the second of each once it is ready again, and so on.
void evict_all(Draft& draft) {
    std::vector<Tenant> tenants = draft.tenants();
    for (Tenant& tenant : tenants) {
        std::erase_if(tenant.pods,
                      [&](const PodRow* pod) { return !movable(*tenant.workload, *pod); });
    }
    std::size_t most = 0;
    for (const Tenant& tenant : tenants) most = std::max(most, tenant.pods.size());
    const WorkloadRow* last = nullptr;
    for (std::size_t wave = 0; wave < most; ++wave) {
        for (const Tenant& tenant : tenants) {
            if (wave >= tenant.pods.size()) continue;
            if (wave > 0) draft.await_before_next(until_ready_again(*tenant.workload));
            const PodRow& pod = *tenant.pods[wave];
            draft.step(EvictPod{pod.uid, pod.name.text(), tenant.workload->id.space});
            last = tenant.workload;
        }
    }
    if (last != nullptr) draft.await_before_next(until_ready_again(*last));
}

bool replicable(const WorkloadRow& row) {
    return row.id.kind == WorkloadKind::deployment && row.wanted >= 2 && !row.recreate &&
           !row.rwo_volume && !row.protect && row.scale_owner == ScaleOwner::nobody;
}

/// How many copies more: its pods there, at most a quarter of all, at least one.
std::int32_t copies(const Tenant& tenant) {
    const auto there = static_cast<std::int32_t>(tenant.pods.size());
    return std::clamp(tenant.workload->wanted / 4, 1, std::max(there, 1));
}

/// The mark that a workload had: that of a scaling, which no ledger knows. Other marks are of open
/// actions, whose ledger gives them back.
PutMark mark_before(const WorkloadRow& row) {
    const bool scaled = row.mark && row.mark->kind == ActionKind::scale;
    if (!scaled) return {.target = row.id};
    return {row.id, row.mark->decision, row.mark->expires, row.mark->kind, row.mark->changes};
}

/// A workload beside the target is marked before it is changed.
void mark_workload(Draft& draft, const WorkloadRow& row, std::int32_t replicas) {
    const Mark mark = draft.mark(carried({{MarkedField::replicas, {}, row.wanted, replicas}},
                                         row.mark ? &row.mark->changes : nullptr));
    draft.step(PutMark{row.id, mark.decision, mark.expires, mark.kind, mark.changes});
}

/// A pod that is to go first when its workload shrinks. Only until then is it marked.
void mark_for_deletion(Draft& draft, const PodRow& pod, Name space) {
    const std::string name = pod.name.text();
    draft.step(
        MarkPod{pod.uid, space, name,
                draft.mark({{MarkedField::deletion_cost, {}, pod.deletion_cost, kDeletionCost}})});
    draft.step(SetDeletionCost{pod.uid, name, kDeletionCost, space});
    draft.undo(SetDeletionCost{pod.uid, name, pod.deletion_cost, space});
    draft.undo(MarkPod{pod.uid, space, name, {}});
}

/// Make before break: all workloads grow first, then each shrinks as soon as its copies are ready,
/// which removes its pods on the risky node.
void replicate(Draft& draft, NodeId id) {
    quarantine(draft, id, Taint::no_schedule);
    std::vector<Tenant> tenants = draft.tenants();
    std::erase_if(tenants, [](const Tenant& t) { return !replicable(*t.workload); });
    for (const Tenant& tenant : tenants) {
        const WorkloadRow& row = *tenant.workload;
        const std::int32_t more = row.wanted + copies(tenant);
        mark_workload(draft, row, more);
        draft.step(SetReplicas{row.id, more});
        draft.undo(SetReplicas{row.id, row.wanted});
        draft.undo(mark_before(row));
    }
    for (const Tenant& tenant : tenants) {
        const WorkloadRow& row = *tenant.workload;
        draft.await_before_next({row.id, row.ready + copies(tenant)});
        for (const PodRow* pod : tenant.pods) mark_for_deletion(draft, *pod, row.id.space);
        draft.step(SetReplicas{row.id, row.wanted});
        draft.step(mark_before(row));  // It is as it was.
    }
    draft.undo(SetTaint{id, Taint::none});
}

void migrate(Draft& draft, NodeId id) {
    quarantine(draft, id, Taint::no_schedule);
    evict_all(draft);
    draft.undo(SetTaint{id, Taint::none});
}

void throttle(Draft& draft, NodeId id) {
    quarantine(draft, id, Taint::prefer_no_schedule);
    const Containers containers(draft.input.snapshot, draft.node);
    for (const Tenant& tenant : draft.tenants()) {
        // An autoscaler would put back what it had set.
        if (tenant.workload->size_owner != ScaleOwner::nobody) continue;
        for (const PodRow* pod : tenant.pods) {
            draft.resize(throttled(*pod, tenant.workload->id.space, containers.of(*pod)));
        }
    }
    draft.undo(SetTaint{id, Taint::none});
}

void power(Draft& draft, NodeId id, PowerWish wish) {
    draft.changes(MarkedField::power, power_of(*draft.node_row()), wish);
    if (wish == PowerWish::on) {
        draft.changes(MarkedField::taint, taint_of(*draft.node_row()), Taint::none);
        draft.step(SetPower{id, PowerWish::on});
        draft.step(SetTaint{id, Taint::none});
        return;
    }
    quarantine(draft, id, Taint::no_schedule);
    evict_all(draft);
    draft.step(SetPower{id, wish});
    draft.undo(SetPower{id, PowerWish::on});
    draft.undo(SetTaint{id, Taint::none});
}

/// Pods that ask for no more than that already, by an earlier balloon, are left as they are.
void balloon(Draft& draft, std::int64_t scale_ppm) {
    const TimePoint now = draft.input.now;
    const Containers containers(draft.input.snapshot, draft.node);
    for (const Tenant& tenant : draft.tenants()) {
        const WorkloadRow& row = *tenant.workload;
        const auto request = ballooned_request(row, scale_ppm, draft.policy, now);
        if (!request) continue;
        for (const PodRow* pod : tenant.pods) {
            if (pod->memory_request <= *request) continue;
            draft.resize(
                ballooned(*pod, row.id.space, containers.of(*pod), *request, draft.policy, now));
        }
    }
}

void on_node(Draft& draft, NodeId id) {
    const Action& action = draft.action.action;
    if (std::holds_alternative<Replicate>(action)) replicate(draft, id);
    if (std::holds_alternative<Migrate>(action)) migrate(draft, id);
    if (std::holds_alternative<Throttle>(action)) throttle(draft, id);
    if (const auto* wish = std::get_if<PowerState>(&action)) power(draft, id, wish->state);
    if (const auto* dvfs = std::get_if<Dvfs>(&action)) {
        draft.changes(MarkedField::clock_ppm, draft.node_row()->clock_ppm, dvfs->clock_ppm);
        draft.step(SetClock{id, dvfs->clock_ppm});
        draft.undo(SetClock{id, draft.node_row()->clock_ppm});
    }
    if (const auto* memory = std::get_if<MemoryBalloon>(&action)) {
        balloon(draft, memory->scale_ppm);
    }
}

/// The namespaces among `spaces` that opted in; observe mode requires no opt-in.
std::vector<Name> allowed(const Draft& draft, const std::vector<Name>& spaces) {
    std::vector<Name> out = spaces;
    if (draft.input.controls.mode == Mode::observe) return out;
    std::erase_if(out, [&](Name space) {
        return !opted_in(draft.policy, kind_of(draft.action.action), space.view());
    });
    return out;
}

void on_cluster(Draft& draft) {
    const DecisionId id = draft.action.id;
    const TimePoint until = draft.action.expires;
    if (const auto* admission = std::get_if<Admission>(&draft.action.action)) {
        const std::vector<Name> spaces = allowed(draft, admission->spaces);
        draft.step(SetAdmission{admission->decision, id, until, spaces});
        if (admission->decision != AdmissionWish::admit) {
            draft.undo(SetAdmission{AdmissionWish::admit, id, until, {}});
        }
    }
    if (const auto* cap = std::get_if<ResourceCap>(&draft.action.action)) {
        draft.step(
            SetBatchCap{cap->cpu_ppm, cap->memory_ppm, id, until, allowed(draft, cap->spaces)});
        draft.undo(SetBatchCap{1'000'000, 1'000'000, id, until, {}});
    }
}

/// Every pod that is there, by a request of its own; pods that come later have the template's size.
void resize_all(Draft& draft, const WorkloadRow& row, const std::vector<ContainerSize>& sizes) {
    for (const ContainerSize& size : sizes) {
        const auto note = [&](const std::optional<Extent>& extent, MarkedField field) {
            if (!extent || extent->from == extent->to) return;
            draft.changes(field, extent->from, extent->to, size.container);
        };
        note(size.cpu_m, MarkedField::cpu_m);
        note(size.memory, MarkedField::memory);
    }
    const Snapshot& snapshot = draft.input.snapshot;
    const Slot slot = slot_of(snapshot, row.id);
    snapshot.pods.for_each_glance([&](Slot at, const PodRow::Glance& seen) {
        if (seen.workload != slot || seen.terminating || seen.node == kNoSlot) return;
        const PodRow& pod = snapshot.pods.at(at);
        const PodShape* shape = shape_of(snapshot, pod);
        if (shape == nullptr) return;
        if (auto resized = scaled(pod, row.id.space, *shape, sizes)) {
            draft.resize_under(std::move(*resized));
        }
    });
}

/// The undo is for a plan that comes to nothing half-way; once it is done, the mark alone knows
/// what was there.
void on_workload(Draft& draft, const WorkloadId& id, const WorkloadRow& row) {
    const auto* scale = std::get_if<Scale>(&draft.action.action);
    if (scale == nullptr) return;
    if (resizes(*scale)) resize_all(draft, row, scale->sizes);
    const Extent& replicas = scale->replicas;
    if (replicas.from == replicas.to) return;
    draft.changes(MarkedField::replicas, replicas.from, replicas.to);
    draft.step(SetReplicas{id, static_cast<std::int32_t>(replicas.to)});
    draft.undo(SetReplicas{id, static_cast<std::int32_t>(replicas.from)});
}

}  // namespace

OpenAction plan(const Proposal& proposal, const RoundInput& input, const Policy& policy,
                DecisionId id) {
    const Times times = times_of(proposal.action, policy);
    Draft draft{input, policy, {}};
    OpenAction& action = draft.action;
    action.id = id;
    action.round = input.round;
    action.role = proposal.role;
    action.action = proposal.action;
    action.target = proposal.target;
    action.deadline = input.now + times.deadline;
    action.expires = input.now + times.expires;
    draft.step(PutMark{proposal.target, id, action.expires, kind_of(proposal.action), {}});
    on_cluster(draft);
    if (const auto* node = std::get_if<NodeId>(&proposal.target)) {
        draft.node = slot_of(input.snapshot, *node);
        if (const NodeRow* row = draft.node_row()) {
            // A cap names a node but concerns Jobs, so the node's identity does not matter.
            if (!std::holds_alternative<ResourceCap>(proposal.action)) action.uid = row->uid;
            on_node(draft, *node);
            draft.carry(row->mark);
        }
    }
    if (const auto* workload = std::get_if<WorkloadId>(&proposal.target)) {
        const Slot slot = slot_of(input.snapshot, *workload);
        if (const WorkloadRow* row = input.snapshot.workloads.find(slot)) {
            action.uid = row->uid;
            on_workload(draft, *workload, *row);
            draft.carry(row->mark);
            draft.undo(mark_before(*row));
            return std::move(draft.action);
        }
    }
    draft.undo(PutMark{.target = proposal.target});
    return std::move(draft.action);
}

}  // namespace parley::execution
