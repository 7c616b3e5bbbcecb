#include "tests/kills/kill_world.h"

#include "base/check.h"
#include "kube/write/release.h"
#include "layers/execution/kit_test.h"
#include "layers/execution/marks.h"

#include <algorithm>
#include <utility>

namespace parley::kills {

using namespace model;

namespace {

constexpr Duration kStartsIn = seconds(6);  ///< How long a new pod takes to become ready.

Taint taint_of(const NodeRow& row) {
    if (row.quarantined) return Taint::no_schedule;
    return row.avoided ? Taint::prefer_no_schedule : Taint::none;
}

bool has_sizes(const PodShape& shape, const ResizePod& wanted) {
    const auto same = [](const auto& want, const auto& has) { return !want || want == has; };
    return std::ranges::all_of(wanted.containers, [&](const ContainerResize& each) {
        const ContainerSpec& now = shape.containers.front();
        return same(each.cpu_request_m, now.cpu_request_m) &&
               same(each.cpu_limit_m, now.cpu_limit_m) &&
               same(each.memory_request, now.memory_request) &&
               same(each.memory_limit, now.memory_limit);
    });
}

bool lifts(const SetBatchCap& cap) { return cap.cpu_ppm >= 1'000'000; }

Power power_of(PowerWish wish) {
    return wish == PowerWish::sleep ? Power::sleep
           : wish == PowerWish::off ? Power::off
                                    : Power::on;
}

}  // namespace

World::World(Kind kind)
    : now(execution::kNow), kind_(kind), seen_(cluster_for(kind)), born_(seen_.pods.size()) {
    seen_.pods.for_each([&](Slot, const PodRow& row) { pods_[row.uid].version = ++versions_; });
    template_ = seen_.shapes.at(seen_.pods.at(0).shape);
}

Slot World::node_of(const NodeId& id) const {
    Slot found = kNoSlot;
    seen_.nodes.for_each([&](Slot slot, const NodeRow& row) {
        if (row.id == id) found = slot;
    });
    return found;
}

Slot World::workload_of(const WorkloadId& id) const {
    Slot found = kNoSlot;
    seen_.workloads.for_each([&](Slot slot, const WorkloadRow& row) {
        if (row.id == id) found = slot;
    });
    return found;
}

Slot World::pod_of(const Uid& uid) const {
    Slot found = kNoSlot;
    seen_.pods.for_each([&](Slot slot, const PodRow& row) {
        if (row.uid == uid) found = slot;
    });
    return found;
}

bool World::is_occupied(const NodeId& node) const {
    bool any = false;
    const Slot slot = node_of(node);
    seen_.pods.for_each([&](Slot, const PodRow& row) { any = any || row.node == slot; });
    return any;
}

// --- Controllers. --------------------------------------------------------------------------------

Snapshot World::snapshot(std::uint64_t round) {
    settle();
    refresh(seen_, kind_, reason, now);
    seen_.round = round;
    return seen_;
}

void World::settle() {
    for (const Slot workload : {Slot{0}, Slot{1}}) settle(workload);
    count_pods();
}

/// Those with the lowest deletion cost go first, then the newest.
void World::settle(Slot workload) {
    std::vector<Slot> pods;
    seen_.pods.for_each([&](Slot slot, const PodRow& row) {
        if (row.workload == workload) pods.push_back(slot);
    });
    std::ranges::sort(pods, [&](Slot a, Slot b) {
        const PodRow& left = seen_.pods.at(a);
        const PodRow& right = seen_.pods.at(b);
        return std::pair(left.deletion_cost, right.uid) < std::pair(right.deletion_cost, left.uid);
    });
    const auto wanted = static_cast<std::size_t>(seen_.workloads.at(workload).wanted);
    for (std::size_t i = 0; i + wanted < pods.size(); ++i) {
        pods_.erase(seen_.pods.at(pods[i]).uid);
        seen_.pods.erase(pods[i]);
    }
    for (std::size_t i = pods.size(); i < wanted; ++i) place_pod(workload);
    std::int32_t ready = 0;
    for (Slot slot = 0; slot < seen_.pods.end_slot(); ++slot) {
        if (!seen_.pods.has(slot) || seen_.pods.at(slot).workload != workload) continue;
        PodRow& row = seen_.pods.edit(slot);
        row.ready = now - row.created >= kStartsIn;
        if (row.ready) ++ready;
    }
    seen_.workloads.edit(workload).ready = ready;
}

Slot World::emptiest() const {
    Slot best = kNoSlot;
    seen_.nodes.for_each([&](Slot slot, const NodeRow& row) {
        if (set_aside(row) || row.quarantined || row.avoided) return;
        if (best == kNoSlot || row.pods < seen_.nodes.at(best).pods) best = slot;
    });
    return best;
}

void World::place_pod(Slot workload) {
    count_pods();
    PodRow row;
    row.uid = {3, ++born_};
    const std::string stem = seen_.workloads.at(workload).id.name.str() + "-";
    row.name = PodName::of(stem, std::to_string(born_));
    row.workload = workload;
    row.node = emptiest();
    row.phase = PodPhase::running;
    row.created = now;
    row.shape = seen_.shapes.insert(template_);
    row.memory_request = *template_.containers.front().memory_request;
    pods_[row.uid].version = ++versions_;
    seen_.pods.insert(row);
}

void World::count_pods() {
    for (Slot slot = 0; slot < kNodes; ++slot) {
        NodeRow& row = seen_.nodes.edit(slot);
        row.pods = 0;
        row.cpu_requested_m = 0;
        row.memory_requested = 0;
    }
    seen_.pods.for_each([&](Slot, const PodRow& pod) {
        NodeRow& row = seen_.nodes.edit(pod.node);
        ++row.pods;
        row.cpu_requested_m += 100;
        row.memory_requested += pod.memory_request;
    });
}

// --- Reading. ------------------------------------------------------------------------------------

Object World::look_at(const Target& target) const {
    if (const auto* node = std::get_if<NodeId>(&target)) {
        const NodeRow* row = seen_.nodes.find(node_of(*node));
        if (row != nullptr) return {true, row->uid, row->version, row->mark};
    }
    if (const auto* workload = std::get_if<WorkloadId>(&target)) {
        const WorkloadRow* row = seen_.workloads.find(workload_of(*workload));
        if (row != nullptr) return {true, row->uid, row->version, row->mark};
    }
    return {};
}

Object World::look_at_pod(const Uid& uid) const {
    const auto more = pods_.find(uid);
    if (more == pods_.end()) return {};
    return {true, uid, more->second.version, more->second.mark};
}

Object World::look(const Request& about) const {
    if (const auto* r = std::get_if<PutMark>(&about)) return look_at(r->target);
    if (const auto* r = std::get_if<SetTaint>(&about)) return look_at(r->node);
    if (const auto* r = std::get_if<SetPower>(&about)) return look_at(r->node);
    if (const auto* r = std::get_if<SetClock>(&about)) return look_at(r->node);
    if (const auto* r = std::get_if<SetReplicas>(&about)) return look_at(r->workload);
    if (const auto* r = std::get_if<EvictPod>(&about)) return look_at_pod(r->pod);
    if (const auto* r = std::get_if<SetDeletionCost>(&about)) return look_at_pod(r->pod);
    if (const auto* r = std::get_if<ResizePod>(&about)) return look_at_pod(r->pod);
    if (const auto* r = std::get_if<MarkPod>(&about)) return look_at_pod(r->pod);
    if (std::holds_alternative<SetAdmission>(about)) {
        return {true, {4, order_version_ > 0 ? 1U : 0U}, order_version_, {}};
    }
    if (std::holds_alternative<SetBatchCap>(about)) {
        return {true, {4, cap_version_ > 0 ? 2U : 0U}, cap_version_, {}};
    }
    return {};
}

/// Whether what a request wants is there.
struct World::Wanted {
    const World& world;

    bool operator()(const PutMark& r) const { return marked(world.look_at(r.target), r.decision); }
    bool operator()(const MarkPod& r) const {
        return marked(world.look_at_pod(r.pod), r.mark.decision);
    }
    bool operator()(const SetTaint& r) const {
        return taint_of(world.seen_.nodes.at(world.node_of(r.node))) == r.taint;
    }
    bool operator()(const SetPower& r) const {
        return world.seen_.nodes.at(world.node_of(r.node)).power == power_of(r.state);
    }
    bool operator()(const SetClock& r) const {
        return world.seen_.nodes.at(world.node_of(r.node)).clock_ppm == r.clock_ppm;
    }
    bool operator()(const SetReplicas& r) const {
        return world.seen_.workloads.at(world.workload_of(r.workload)).wanted == r.replicas;
    }
    bool operator()(const SetDeletionCost& r) const {
        return world.seen_.pods.at(world.pod_of(r.pod)).deletion_cost == r.cost;
    }
    bool operator()(const ResizePod& r) const {
        const PodRow& row = world.seen_.pods.at(world.pod_of(r.pod));
        return has_sizes(world.seen_.shapes.at(row.shape), r);
    }
    bool operator()(const SetAdmission& r) const {
        const auto& found = world.order_;
        const bool stands =
            found && found->mode != AdmissionWish::admit && world.now < found->until;
        if (r.mode == AdmissionWish::admit) return !stands;
        return stands && *found == r;
    }
    bool operator()(const SetBatchCap& r) const {
        const bool ours = world.cap_ && world.cap_->decision == r.decision;
        return lifts(r) ? !world.cap_ : ours;
    }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }

    static bool marked(const Object& object, const DecisionId& id) {
        if (id.none()) return !object.mark;
        return object.mark && object.mark->decision == id;
    }
};

Live World::live(const Request& about) const {
    const Object object = look(about);
    Live live{.exists = object.exists, .uid = object.uid, .version = object.version};
    if (!object.exists) return live;
    if (object.mark) live.mark = object.mark->decision;
    if (std::holds_alternative<SetAdmission>(about) && order_) live.mark = order_->decision;
    live.applied = std::visit(Wanted{*this}, about);
    if (const auto* r = std::get_if<SetReplicas>(&about)) {
        live.ready = seen_.workloads.at(workload_of(r->workload)).ready;
    }
    return live;
}

// --- Changing. -----------------------------------------------------------------------------------

/// Makes it so; the object is known to be there.
struct World::Effect {
    World& world;

    void put(const Target& target, std::optional<Mark> mark) const {
        if (mark && mark->decision.none()) mark.reset();
        if (const auto* node = std::get_if<NodeId>(&target)) edit(*node).mark = std::move(mark);
        if (const auto* id = std::get_if<WorkloadId>(&target)) edit(*id).mark = std::move(mark);
    }
    NodeRow& edit(const NodeId& id) const {
        NodeRow& row = world.seen_.nodes.edit(world.node_of(id));
        row.version = ++world.versions_;
        return row;
    }
    WorkloadRow& edit(const WorkloadId& id) const {
        WorkloadRow& row = world.seen_.workloads.edit(world.workload_of(id));
        row.version = ++world.versions_;
        return row;
    }
    PodRow& edit(const Uid& pod) const {
        world.pods_[pod].version = ++world.versions_;
        return world.seen_.pods.edit(world.pod_of(pod));
    }

    void operator()(const PutMark& r) const {
        put(r.target, Mark{r.decision, r.expires, r.kind, r.changes});
    }
    void operator()(const MarkPod& r) const {
        edit(r.pod);
        auto& mark = world.pods_[r.pod].mark;
        mark = r.mark;
        if (r.mark.decision.none()) mark.reset();
    }
    void operator()(const SetTaint& r) const {
        NodeRow& row = edit(r.node);
        row.quarantined = r.taint == Taint::no_schedule;
        row.avoided = r.taint == Taint::prefer_no_schedule;
    }
    // A machine is switched by its provider: the node's object has the version that it had.
    void operator()(const SetPower& r) const {
        world.seen_.nodes.edit(world.node_of(r.node)).power = power_of(r.state);
    }
    void operator()(const SetClock& r) const {
        world.seen_.nodes.edit(world.node_of(r.node)).clock_ppm = r.clock_ppm;
    }
    void operator()(const SetReplicas& r) const { edit(r.workload).wanted = r.replicas; }
    void operator()(const EvictPod& r) const {
        world.seen_.pods.erase(world.pod_of(r.pod));
        world.pods_.erase(r.pod);
    }
    void operator()(const SetDeletionCost& r) const { edit(r.pod).deletion_cost = r.cost; }
    void operator()(const ResizePod& r) const {
        PodRow& row = edit(r.pod);
        PodShape shape = world.seen_.shapes.at(row.shape);
        ContainerSpec& spec = shape.containers.front();
        for (const ContainerResize& each : r.containers) {
            if (each.cpu_request_m) spec.cpu_request_m = each.cpu_request_m;
            if (each.cpu_limit_m) spec.cpu_limit_m = each.cpu_limit_m;
            if (each.memory_request) spec.memory_request = each.memory_request;
            if (each.memory_limit) spec.memory_limit = each.memory_limit;
        }
        row.memory_request = *spec.memory_request;
        row.shape = world.seen_.shapes.insert(std::move(shape));
    }
    void operator()(const SetAdmission& r) const {
        world.order_ = r;
        world.order_version_ = ++world.versions_;
    }
    void operator()(const SetBatchCap& r) const {
        world.cap_ = lifts(r) ? std::nullopt : std::optional(r);
        world.cap_version_ = world.cap_ ? ++world.versions_ : 0;
    }
    template <class Other>
    void operator()(const Other&) const {
        PARLEY_CHECK(false);  // Nobody asks for it here.
    }
};

Result<void> World::apply(const Request& request, const Precondition& only_if,
                          const Sender& sender) {
    const Object object = look(request);
    if (!object.exists) return fail(ErrorCode::gone, text_of(request) + ": it is gone");
    const bool machine =
        std::holds_alternative<SetPower>(request) || std::holds_alternative<SetClock>(request);
    if (!machine && (object.uid != only_if.uid || object.version != only_if.version)) {
        return fail(ErrorCode::conflict, text_of(request) + ": it has changed since");
    }
    Entry entry{.at = now, .sender = sender, .request = request};
    entry.changed = !std::visit(Wanted{*this}, request);
    std::visit(Effect{*this}, request);
    keep(std::move(entry));
    return {};
}

Result<void> World::renew(const Request& request, const Precondition& only_if,
                          const Sender& sender) {
    const Object object = look(request);
    if (!object.exists) return fail(ErrorCode::gone, "it is gone");
    if (object.uid != only_if.uid || object.version != only_if.version) {
        return fail(ErrorCode::conflict, "it has changed since");
    }
    Mark mark{sender.stamp.decision, now + hours(1), ActionKind::noop, {}};
    if (object.mark) {
        mark = *object.mark;
        mark.expires = mark.expires + microseconds(1);
    }
    const auto* put = std::get_if<PutMark>(&request);
    if (!object.mark && put != nullptr && !put->decision.none()) {
        mark = {put->decision, put->expires, put->kind, put->changes};
    }
    const auto* on_pod = std::get_if<MarkPod>(&request);
    if (!object.mark && on_pod != nullptr && !on_pod->mark.decision.none()) mark = on_pod->mark;
    const Effect effect{*this};
    const auto place = [&](const Request& about) -> Request {
        if (object.uid.high == 3) return MarkPod{object.uid, Name::of("shop"), "", mark};
        Target target = WholeCluster{};
        if (const auto* r = std::get_if<PutMark>(&about)) target = r->target;
        if (const auto* r = std::get_if<SetTaint>(&about)) target = r->node;
        if (const auto* r = std::get_if<SetReplicas>(&about)) target = r->workload;
        return PutMark{target, mark.decision, mark.expires, mark.kind, mark.changes};
    };
    const Request renewal = place(request);
    std::visit(effect, renewal);
    keep({.at = now, .sender = sender, .request = renewal, .renews = true});
    return {};
}

void World::keep(Entry entry) {
    for (const Difference& each : differences()) {
        if (!each.marked) entry.bare.push_back(each.what);
    }
    log.push_back(std::move(entry));
}

// --- What is left. -------------------------------------------------------------------------------

std::optional<Difference> World::difference_of(const PodRow& row) const {
    const bool marked = pods_.at(row.uid).mark.has_value();
    // A scaling marks the workload for all its pods.
    const bool covered = kind_ == Kind::scale && seen_.workloads.at(row.workload).mark;
    std::string what;
    if (row.deletion_cost != 0) what = " has a deletion cost";
    if (seen_.shapes.at(row.shape) != template_) what = " has another size";
    if (what.empty()) return std::nullopt;
    return Difference{"pod " + row.name.text() + what, marked || covered};
}

std::vector<Difference> World::differences() const {
    std::vector<Difference> out;
    seen_.nodes.for_each([&](Slot, const NodeRow& row) {
        const bool marked = row.mark.has_value();
        if (taint_of(row) != Taint::none) out.push_back({row.id.text() + " is tainted", marked});
        if (row.power != Power::on) out.push_back({row.id.text() + " is asleep", marked});
        if (row.clock_ppm != 1'000'000) out.push_back({row.id.text() + " is slow", marked});
    });
    for (const auto& [slot, wanted] : {std::pair(Slot{0}, 8), std::pair(Slot{1}, 3)}) {
        const WorkloadRow& row = seen_.workloads.at(slot);
        if (row.wanted == wanted) continue;
        out.push_back({row.id.text() + " wants " + std::to_string(row.wanted), !!row.mark});
    }
    seen_.pods.for_each([&](Slot, const PodRow& row) {
        if (auto found = difference_of(row)) out.push_back(*std::move(found));
    });
    // The decision and the end of an order stand in it, and the API server ends it by itself.
    const bool ordered = order_ && order_->mode != AdmissionWish::admit && now < order_->until;
    if (ordered) out.push_back({"an order stands", true});
    if (cap_) out.push_back({"a quota stands", true});
    return out;
}

std::map<std::string, Mark> World::marks() const {
    std::map<std::string, Mark> out;
    seen_.nodes.for_each([&](Slot, const NodeRow& row) {
        if (row.mark) out[row.id.text()] = *row.mark;
    });
    seen_.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (row.mark) out[row.id.text()] = *row.mark;
    });
    seen_.pods.for_each([&](Slot, const PodRow& row) {
        if (pods_.at(row.uid).mark) out[row.name.text()] = *pods_.at(row.uid).mark;
    });
    if (cap_) out["quota"] = {cap_->decision, cap_->until, ActionKind::resource_cap, {}};
    return out;
}

void World::release() {
    std::vector<kube::MarkedObject> objects;
    const auto add = [&](kube::Kind kind, const std::string& name, Object object) {
        kube::MarkedObject marked{kind, kind == kube::Kind::node ? "" : "shop", name, {}, {}};
        marked.seen.uid = object.uid;
        marked.seen.mark = object.mark;
        objects.push_back(std::move(marked));
        return &objects.back();
    };
    seen_.nodes.for_each([&](Slot, const NodeRow& row) {
        if (!row.mark) return;
        kube::MarkedObject* node = add(kube::Kind::node, row.id.text(), look_at(row.id));
        node->seen.taint = taint_of(row);
        const auto wish = row.power == Power::sleep ? PowerWish::sleep : PowerWish::on;
        node->provided.power = static_cast<std::int64_t>(wish);
        node->provided.clock_ppm = row.clock_ppm;
    });
    seen_.workloads.for_each([&](Slot, const WorkloadRow& row) {
        if (!row.mark) return;
        add(kube::Kind::deployment, row.id.name.str(), look_at(row.id))->seen.replicas = row.wanted;
    });
    seen_.pods.for_each([&](Slot, const PodRow& row) {
        if (!pods_.at(row.uid).mark) return;
        kube::MarkedObject* pod = add(kube::Kind::pod, row.name.text(), look_at_pod(row.uid));
        pod->seen.deletion_cost = row.deletion_cost;
        const ContainerSpec& spec = seen_.shapes.at(row.shape).containers.front();
        pod->seen.containers = {{spec.name, spec.cpu_request_m, spec.cpu_limit_m,
                                 spec.memory_request, spec.memory_limit}};
    });
    if (cap_) {
        add(kube::Kind::quota, "parley-batch-cap",
            {true, {}, 0, Mark{cap_->decision, cap_->until, ActionKind::resource_cap, {}}});
    }
    for (const kube::MarkedObject& each : objects) {
        for (const Request& step : kube::release_of(each).steps) std::visit(Effect{*this}, step);
    }
    settle();
}

}  // namespace parley::kills
