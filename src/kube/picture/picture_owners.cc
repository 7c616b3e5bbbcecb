#include "kube/picture/picture_owners.h"

namespace parley::kube {
namespace {

/// Its index in the array of stores, or -1.
int place_of(Kind kind) {
    switch (kind) {
        case Kind::deployment:
            return 0;
        case Kind::stateful_set:
            return 1;
        case Kind::daemon_set:
            return 2;
        case Kind::job:
            return 3;
        default:
            return -1;
    }
}

bool same(const Owner& a, const Owner& b) { return a.kind == b.kind && a.uid == b.uid; }

}  // namespace

bool Owners::keeps(Kind kind) { return kind == Kind::replica_set || place_of(kind) >= 0; }

Store<Owners::Nothing>* Owners::store_of(Kind kind) {
    const int place = place_of(kind);
    return place < 0 ? nullptr : &stores_[static_cast<std::size_t>(place)];
}

const Store<Owners::Nothing>* Owners::store_of(Kind kind) const {
    const int place = place_of(kind);
    return place < 0 ? nullptr : &stores_[static_cast<std::size_t>(place)];
}

std::optional<std::uint64_t> Owners::version_of(Kind kind, const model::Uid& uid) const {
    const auto* store = store_of(kind);
    return store == nullptr ? std::nullopt : store->version_of(uid);
}

void Owners::begin_list(Kind kind, Scope scope) {
    if (auto* store = store_of(kind)) store->begin_list(scope);
    if (kind == Kind::replica_set) sets_.begin_list(scope);
}

void Owners::enter(Kind kind, Scope scope) {
    if (auto* store = store_of(kind)) store->enter(scope);
    if (kind == Kind::replica_set) sets_.enter(scope);
}

std::size_t Owners::end_list(Kind kind) {
    if (kind == Kind::replica_set) return sets_.end_list().size();
    auto* store = store_of(kind);
    if (store == nullptr) return 0;
    const auto gone = store->end_list();
    for (const auto& [uid, nothing] : gone) forget(uid);
    return gone.size();
}

void Owners::put(const Work& work) {
    bool added = false;
    const model::Uid uid = work.meta.uid;
    if (work.kind == Kind::replica_set) {
        ReplicaSet* set = sets_.offer(uid, work.meta.version, added);
        if (set == nullptr) return;
        if (added || !same(set->owner, work.meta.owner)) changed_.insert(uid);
        *set = {work.meta.space, work.meta.name, work.meta.owner, work.pod};
        note_roll_out(work);
        return;
    }
    auto* store = store_of(work.kind);
    if (store == nullptr || store->offer(uid, work.meta.version, added) == nullptr) return;
    Workload& workload = workloads_[uid];
    if (!workload.exists) changed_.insert(uid);
    workload.id = {work.meta.space, workload_kind_of(work.kind), Name::of(work.meta.name)};
    workload.exists = true;
    workload.work = work;
    mark_dirty(uid, workload);
}

/// A new template gets a new ReplicaSet. After a roll-back the old ReplicaSet is used again, which
/// is not a new release.
void Owners::note_roll_out(const Work& set) {
    if (set.meta.owner.kind != OwnerKind::deployment) return;
    TimePoint& newest = rolled_out_[set.meta.owner.uid];
    if (set.meta.created <= newest) return;
    newest = set.meta.created;
    if (Workload* workload = find(set.meta.owner.uid)) mark_dirty(set.meta.owner.uid, *workload);
}

TimePoint Owners::rolled_out(const model::Uid& uid) const {
    const auto found = rolled_out_.find(uid);
    return found == rolled_out_.end() ? TimePoint{} : found->second;
}

void Owners::remove(Kind kind, const model::Uid& uid) {
    if (kind == Kind::replica_set) sets_.remove(uid);
    auto* store = store_of(kind);
    if (store != nullptr && !store->remove(uid).empty()) forget(uid);
}

void Owners::forget(const model::Uid& uid) {
    Workload* workload = find(uid);
    if (workload == nullptr) return;
    workload->exists = false;
    workload->work.wanted = 0;
    mark_dirty(uid, *workload);
}

std::optional<model::Uid> Owners::owner_of(const Pod& pod) {
    const auto known = [this](const model::Uid& uid) -> std::optional<model::Uid> {
        const Workload* workload = find(uid);
        if (workload == nullptr || !workload->exists) return std::nullopt;
        return uid;
    };
    switch (pod.owner_kind) {
        case OwnerKind::stateful_set:
        case OwnerKind::daemon_set:
        case OwnerKind::job:
            return known(pod.owner);
        case OwnerKind::replica_set:
            break;
        case OwnerKind::none:
        case OwnerKind::node:
            return bare(pod.uid, pod.space, pod.name.text());
        default:
            return bare(pod.owner, pod.space, pod.owner_name.view());
    }
    const ReplicaSet* set = sets_.find(pod.owner);
    if (set == nullptr) return std::nullopt;
    if (set->owner.kind == OwnerKind::deployment) return known(set->owner.uid);
    const bool alone = set->owner.kind == OwnerKind::none;
    return bare(alone ? pod.owner : set->owner.uid, set->space,
                alone ? set->name : set->owner.name);
}

model::Uid Owners::stand_in_for(const Pod& pod) {
    std::string_view name = pod.name.stem.view();
    if (name.ends_with('-')) name.remove_suffix(1);
    return bare(pod.owner, pod.space, name);
}

const PodTemplate* Owners::template_of(const Pod& pod) const {
    if (pod.pod) return pod.pod.get();
    const ReplicaSet* set = sets_.find(pod.owner);
    return set == nullptr ? nullptr : set->pod.get();
}

model::Uid Owners::bare(const model::Uid& uid, Name space, std::string_view name) {
    const auto [found, added] = workloads_.try_emplace(uid);
    if (added) found->second.id = {space, model::WorkloadKind::bare, Name::of(name)};
    return uid;
}

void Owners::join(const model::Uid& workload, const model::Uid& pod) {
    Workload* found = find(workload);
    if (found == nullptr) return;
    ++found->pods;
    if (found->id.kind == model::WorkloadKind::bare) found->members.insert(pod);
    mark_dirty(workload, *found);
}

void Owners::leave(const model::Uid& workload, const model::Uid& pod) {
    Workload* found = find(workload);
    if (found == nullptr) return;
    --found->pods;
    found->members.erase(pod);
    mark_dirty(workload, *found);
}

void Owners::pod_changed(const model::Uid& workload) {
    Workload* found = find(workload);
    if (found != nullptr && found->id.kind == model::WorkloadKind::bare) {
        mark_dirty(workload, *found);
    }
}

void Owners::mark_dirty(const model::Uid& uid, Workload& workload) {
    if (std::exchange(workload.dirty, true)) return;
    dirty_.push_back(uid);
}

Workload* Owners::find(const model::Uid& uid) {
    const auto found = workloads_.find(uid);
    return found == workloads_.end() ? nullptr : &found->second;
}

const Workload* Owners::find(const model::Uid& uid) const {
    const auto found = workloads_.find(uid);
    return found == workloads_.end() ? nullptr : &found->second;
}

}  // namespace parley::kube
