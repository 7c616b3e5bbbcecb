#include "kube/picture/picture_nodes.h"

#include "kube/picture/picture_rows.h"

#include <algorithm>

namespace parley::kube {
namespace {

using model::Uid;

/// Whether both look the same to the scheduler's filters.
bool same_to_scheduler(const Node& a, const Node& b) {
    return a.labels == b.labels && a.taints == b.taints && a.unschedulable == b.unschedulable &&
           a.allocatable == b.allocatable && a.pods_allocatable == b.pods_allocatable;
}

}  // namespace

bool NodeBook::keeps(Kind kind) {
    return kind == Kind::node || kind == Kind::lease || kind == Kind::node_claim;
}

template <class F>
void NodeBook::with_store(Kind kind, F&& f) {
    if (kind == Kind::node) f(nodes_);
    if (kind == Kind::lease) f(leases_);
    if (kind == Kind::node_claim) f(claims_);
}

void NodeBook::begin_list(Kind kind) {
    with_store(kind, [](auto& store) { store.begin_list(); });
}

std::size_t NodeBook::end_list(Kind kind) {
    std::size_t count = 0;
    with_store(kind, [&](auto& store) {
        const auto gone = store.end_list();
        count = gone.size();
        for (const auto& [uid, entry] : gone) drop(uid, entry);
    });
    return count;
}

void NodeBook::remove(Kind kind, const Uid& uid) {
    with_store(kind, [&](auto& store) {
        for (const auto& [id, entry] : store.remove(uid)) drop(id, entry);
    });
}

void NodeBook::put(const Node& node) {
    bool added = false;
    NodeEntry* entry = nodes_.offer(node.meta.uid, node.meta.version, added);
    if (entry == nullptr) return;
    if (added || !same_to_scheduler(entry->node, node)) {
        ++version_;
        labels_changed_ = true;
    }
    entry->node = node;
    const std::uint32_t handle = Name::of(node.meta.name).handle();
    Uid& uid = node_names_[handle];
    if (uid != node.meta.uid) renamed_.insert(handle);
    if (uid != node.meta.uid && !uid.none()) powers_.erase(handle);  // It was of another machine.
    uid = node.meta.uid;
    mark_dirty(uid, *entry);
}

void NodeBook::put(const Lease& lease, TimePoint received) {
    bool added = false;
    LeaseEntry* entry = leases_.offer(lease.meta.uid, lease.meta.version, added);
    if (entry == nullptr) return;
    if (!added && entry->renewed == lease.renewed) return;
    *entry = {Name::of(lease.meta.name), lease.renewed, received};
    lease_names_[entry->node.handle()] = lease.meta.uid;
    mark_dirty(entry->node);
}

void NodeBook::put(const NodeClaim& claim) {
    bool added = false;
    ClaimEntry* entry = claims_.offer(claim.meta.uid, claim.meta.version, added);
    if (entry == nullptr) return;
    mark_dirty(entry->node);
    *entry = {Name::of(claim.node), claim.meta.deleted.has_value()};
    mark_dirty(entry->node);
}

void NodeBook::drop(const Uid& uid, const NodeEntry& entry) {
    const auto named = node_names_.find(Name::of(entry.node.meta.name).handle());
    if (named != node_names_.end() && named->second == uid) {
        powers_.erase(named->first);
        node_names_.erase(named);
    }
    if (entry.told) gone_.push_back(uid);
    ++version_;
    labels_changed_ = true;
}

void NodeBook::drop(const Uid& uid, const LeaseEntry& entry) {
    const auto named = lease_names_.find(entry.node.handle());
    if (named != lease_names_.end() && named->second == uid) lease_names_.erase(named);
    mark_dirty(entry.node);
}

void NodeBook::drop(const Uid&, const ClaimEntry& entry) { mark_dirty(entry.node); }

void NodeBook::mark_dirty(const Uid& uid, NodeEntry& entry) {
    if (!std::exchange(entry.dirty, true)) dirty_.push_back(uid);
}

void NodeBook::mark_dirty(Name name) {
    const Uid uid = uid_of(name);
    if (NodeEntry* entry = nodes_.find(uid)) mark_dirty(uid, *entry);
}

void NodeBook::set_power(Name node, const NodePower& power) {
    powers_[node.handle()] = power;
    mark_dirty(node);
}

void NodeBook::hold(const Pod& pod, std::int32_t sign) {
    const bool ended =
        pod.phase == model::PodPhase::succeeded || pod.phase == model::PodPhase::failed;
    if (pod.node.empty() || ended) return;
    Held& node = held_[pod.node.handle()];
    node.request.cpu_m += sign * pod.request.cpu_m;
    node.request.memory += sign * pod.request.memory;
    node.pods += sign;
    if (node.pods == 0) held_.erase(pod.node.handle());
    ++version_;
}

Uid NodeBook::uid_of(Name name) const {
    const auto found = node_names_.find(name.handle());
    return found == node_names_.end() ? Uid() : found->second;
}

const Node* NodeBook::find(const Uid& uid) const {
    const NodeEntry* entry = nodes_.find(uid);
    return entry == nullptr ? nullptr : &entry->node;
}

std::vector<NodeRoom> NodeBook::rooms() const {
    std::vector<NodeRoom> out;
    nodes_.for_each([&](const Uid&, const NodeEntry& entry) {
        NodeRoom room{&entry.node, entry.node.allocatable, entry.node.pods_allocatable};
        const auto used = held_.find(Name::of(entry.node.meta.name).handle());
        if (used != held_.end()) {
            room.free.cpu_m -= used->second.request.cpu_m;
            room.free.memory -= used->second.request.memory;
            room.pods_free -= used->second.pods;
        }
        out.push_back(room);
    });
    return out;
}

bool NodeBook::any_matches(const Labels& node_selector) const {
    return nodes_.any_of(
        [&](const NodeEntry& entry) { return matches(node_selector, entry.node.labels); });
}

model::NodeRow NodeBook::row(const NodeEntry& entry, TimePoint now) const {
    const Name name = Name::of(entry.node.meta.name);
    std::optional<TimePoint> seen;
    const auto lease = lease_names_.find(name.handle());
    if (lease != lease_names_.end()) {
        if (const LeaseEntry* found = leases_.find(lease->second)) seen = found->seen;
    }
    const bool leaving = claims_.any_of(
        [&](const ClaimEntry& claim) { return claim.leaving && claim.node == name; });
    const auto provided = powers_.find(name.handle());
    model::NodeRow row = row_of(entry.node, seen, leaving,
                                provided == powers_.end() ? NodePower{} : provided->second);
    row.left_alone = asks_to_be_left(entry.node.meta.opt_outs, now);
    return row;
}

void NodeBook::end_pauses(TimePoint now) {
    std::erase_if(paused_, [&](const Uid& uid) {
        NodeEntry* entry = nodes_.find(uid);
        if (entry != nullptr && asks_to_be_left(entry->node.meta.opt_outs, now)) return false;
        if (entry != nullptr) mark_dirty(uid, *entry);
        return true;
    });
}

void NodeBook::tell_changed(TimePoint now, std::vector<cluster::Change>& out) {
    end_pauses(now);
    for (const Uid& uid : std::exchange(dirty_, {})) {
        NodeEntry* entry = nodes_.find(uid);
        if (entry == nullptr) continue;
        entry->dirty = false;
        entry->told = true;
        out.emplace_back(cluster::NodeChange{row(*entry, now)});
        if (entry->node.meta.opt_outs.paused_until) paused_.insert(uid);
    }
}

void NodeBook::tell_gone(std::vector<cluster::Change>& out) {
    for (const Uid& uid : std::exchange(gone_, {})) out.emplace_back(cluster::NodeGone{uid});
}

}  // namespace parley::kube
