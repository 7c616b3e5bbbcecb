// Kube: what a picture keeps, and how its parts are updated after changes. Used only by the
// picture.

#pragma once

#include "kube/picture/neighbours.h"
#include "kube/picture/pending_groups.h"
#include "kube/picture/picture.h"
#include "kube/picture/picture_joins.h"
#include "kube/picture/picture_nodes.h"
#include "kube/picture/picture_owners.h"
#include "kube/picture/picture_rows.h"
#include "kube/picture/places.h"

#include <map>
#include <set>

namespace parley::kube {

struct PodEntry {
    Pod pod;
    model::Uid workload;  ///< None: not known yet.
    model::CauseSet causes;
    bool told = false;
    bool dirty = false;
};

inline bool ended(const Pod& pod) {
    return pod.phase == model::PodPhase::succeeded || pod.phase == model::PodPhase::failed;
}

inline bool waits(const Pod& pod) {
    return pod.phase == model::PodPhase::pending && !pod.terminating && pod.node.empty() && pod.pod;
}

inline bool is_stuck(const Pod& pod) {
    return pod.phase == model::PodPhase::pending && !pod.terminating && !pod.node.empty();
}

struct Picture::Inside {
    using Uid = model::Uid;

    struct Listing {
        bool begun = false;
        bool done = false;  ///< Listed once, or absent.
        bool open = false;
        std::size_t named = 0;
    };
    struct RestartSeen {
        Uid pod;
        Name node;
        TimePoint at;
        std::int32_t count = 0;
    };

    PictureLimits limits;
    Scope scopes = 1;
    std::vector<Listing> listings;  ///< By kind, then scope.
    Store<PodEntry> pods;
    NodeBook nodes;
    Owners owners;
    Joins joins;
    PendingGroups pending;
    PlaceBook places;
    std::optional<Neighbours> neighbours;  ///< Made once in take(), if needed.
    std::uint64_t neighbours_version = 0;  ///< Of nodes, when places were last computed.
    std::set<Uid> stuck;                   ///< Pods that are bound but have not started.
    std::map<Uid, Event> mounts;           ///< The last message about the volumes of each pod.
    std::map<Uid, TimePoint> homeless;     ///< Pods without a known owner, since when.
    std::set<Uid> strays;                  ///< Pods with a substitute for their owner.
    std::vector<Uid> unowned;              ///< Pods whose owner must be looked up.
    std::vector<Uid> dirty_pods;
    std::vector<Uid> gone_pods;
    std::vector<RestartSeen> restarts;
    std::vector<Uid> disrupted;       ///< Pods of which the API server says so since the last time.
    std::uint64_t joins_version = 0;  ///< Of claims, which may also keep pods waiting.
    std::set<Uid> asking;             ///< Pods that ask, or have asked, to be left alone.
    std::set<TimePoint> pauses;       ///< When what was asked for until then is over.
    // As of the last take().
    TimePoint taken;
    std::set<Name> asked_spaces;  ///< Whose workloads are left alone.
    std::set<Uid> asked_works;    ///< Workloads of pods that ask for it.
    bool told_all = false;

    Scope scopes_of(Kind kind) const {
        return listed_by_namespace(kube::facts_of(kind)) ? scopes : Scope{1};
    }
    Listing& listing(Kind kind, Scope scope) {
        return listings[static_cast<std::size_t>(kind) * scopes + scope];
    }
    void enter(Kind kind, Scope scope);
    void put(Pod&& pod, TimePoint received);
    void drop(const Uid& uid, const PodEntry& entry);
    void note_mount(Event&& event);
    void mark_dirty(const Uid& uid, PodEntry& entry);
    void assign(const Uid& uid, PodEntry& entry, const Uid& workload);
    void settle_owner(const Uid& uid, TimePoint now, bool first);
    void settle_owners(TimePoint now, bool first);
    void settle_places(bool first);
    void set_causes(const Uid& uid, model::CauseSet causes);
    void settle_causes();
    void settle_stuck();
    void settle_picky(bool labels, cluster::Batch& out);
    bool settle_joins(std::vector<Uid>& dirty_works);
    void note_pause(const OptOuts& asks);
    void settle_asking(TimePoint now, std::vector<Uid>& dirty_works);
    bool is_left_alone(const Uid& uid, const Workload& workload) const;
    const Neighbours& look_around();
    Surroundings around(Name space, const PodTemplate& pod, const Evidence& evidence);
    std::string says_of(const Uid& uid, const PodEntry& entry) const;
    WorkFacts facts_of(const Uid& uid, const Workload& workload) const;
    void add_pods(const Workload& workload, WorkFacts& facts, const PodTemplate*& what) const;
    void tell_works(const std::vector<Uid>& dirty, std::vector<cluster::Change>& out,
                    std::vector<cluster::Change>& gone);
    void tell_pods(std::vector<cluster::Change>& out);
};

}  // namespace parley::kube
