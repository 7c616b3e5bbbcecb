// Kube: which workload a pod belongs to. ReplicaSets, workloads and pods in; one workload for each
// pod out.

#pragma once

#include "kube/decode/objects_rest.h"
#include "kube/picture/picture_rows.h"
#include "kube/picture/picture_store.h"

#include <array>
#include <set>
#include <string>

namespace parley::kube {

/// A workload of the snapshot: a Deployment, StatefulSet, DaemonSet or Job, or a substitute for
/// pods that none of these owns.
struct Workload {
    model::WorkloadId id;
    bool exists = false;           ///< Its object exists; if not, it vanishes with its last pod.
    Work work;                     ///< Empty for a bare one.
    std::int32_t pods = 0;         ///< How many belong to it.
    std::set<model::Uid> members;  ///< The pods of a bare one.
    bool dirty = false;
    std::optional<WorkFacts> told;
};

/// Pod -> ReplicaSet -> Deployment; pod -> StatefulSet, DaemonSet, Job. All others are `bare`:
/// named after their controller if its kind is unknown, after the ReplicaSet if nothing owns that,
/// after themselves if they have no owner or are static. A workload that was deleted before its
/// pods stays, with nothing wanted, until the last of them is gone.
class Owners {
public:
    static bool keeps(Kind kind);

    void begin_list(Kind kind, Scope scope = 0);
    void enter(Kind kind, Scope scope);
    std::size_t end_list(Kind kind);
    void put(const Work& work);
    void remove(Kind kind, const model::Uid& uid);

    /// The workload of the pod; a bare one is created. Nothing: some owner is not known (yet).
    std::optional<model::Uid> owner_of(const Pod& pod);
    /// A workload for a pod whose owner does not appear, named after the common beginning of its
    /// pods' names.
    model::Uid stand_in_for(const Pod& pod);
    /// The pod's own template, or that of its ReplicaSet; null if neither is kept.
    const PodTemplate* template_of(const Pod& pod) const;

    void join(const model::Uid& workload, const model::Uid& pod);
    void leave(const model::Uid& workload, const model::Uid& pod);
    /// A pod changed, which changes its workload if that is derived from its pods.
    void pod_changed(const model::Uid& workload);

    Workload* find(const model::Uid& uid);
    const Workload* find(const model::Uid& uid) const;

    /// The version of a workload's object; nothing: it is not known, or of no such kind.
    std::optional<std::uint64_t> version_of(Kind kind, const model::Uid& uid) const;

    /// When the newest ReplicaSet of a Deployment was created; zero: not known.
    TimePoint rolled_out(const model::Uid& uid) const;

    /// Workloads to look at again, since the last call.
    std::vector<model::Uid> take_dirty() { return std::exchange(dirty_, {}); }
    /// Owners that came, went or changed, since the last call.
    UidSet take_changed() { return std::exchange(changed_, {}); }

    void erase(const model::Uid& uid) {
        workloads_.erase(uid);
        rolled_out_.erase(uid);
    }

    template <class F>
    void for_each(F&& f) {
        for (auto& [uid, workload] : workloads_) f(uid, workload);
    }

private:
    struct Nothing {};
    struct ReplicaSet {
        Name space;
        std::string name;
        Owner owner;
        std::shared_ptr<const PodTemplate> pod;
    };

    Store<Nothing>* store_of(Kind kind);
    const Store<Nothing>* store_of(Kind kind) const;
    void mark_dirty(const model::Uid& uid, Workload& workload);
    void note_roll_out(const Work& set);
    void forget(const model::Uid& uid);
    model::Uid bare(const model::Uid& uid, Name space, std::string_view name);

    std::array<Store<Nothing>, 4> stores_;  ///< Versions of the objects in workloads_.
    Store<ReplicaSet> sets_;
    ByUid<Workload> workloads_;
    ByUid<TimePoint> rolled_out_;  ///< By Deployment, which may arrive after its ReplicaSets.
    std::vector<model::Uid> dirty_;
    UidSet changed_;
};

}  // namespace parley::kube
