#include "kube/picture.h"

#include "kube/pending_groups.h"
#include "kube/picture_joins.h"
#include "kube/picture_nodes.h"
#include "kube/picture_owners.h"
#include "kube/picture_rows.h"

#include <algorithm>
#include <array>
#include <map>

namespace parley::kube {
namespace {

using model::PodPhase;
using model::Uid;

struct PodEntry {
    Pod pod;
    Uid workload;  ///< None: not known yet.
    model::CauseSet causes;
    bool told = false;
    bool dirty = false;
};

bool ended(const Pod& pod) {
    return pod.phase == PodPhase::succeeded || pod.phase == PodPhase::failed;
}

bool waits(const Pod& pod) {
    return pod.phase == PodPhase::pending && !pod.terminating && pod.node.empty() && pod.pod;
}

/// Of a pod that is bound or gone already.
model::CauseSet other_causes(const Pod& pod) {
    const bool image = pod.phase == PodPhase::pending && !pod.terminating && pod.image_trouble;
    return image ? model::CauseSet().with(model::Cause::image) : model::CauseSet();
}

Kind kind_of(const Object& object) {
    struct Teller {
        Kind operator()(const Pod&) const { return Kind::pod; }
        Kind operator()(const Node&) const { return Kind::node; }
        Kind operator()(const Lease&) const { return Kind::lease; }
        Kind operator()(const Work& work) const { return work.kind; }
        Kind operator()(const Space&) const { return Kind::space; }
        Kind operator()(const Claim&) const { return Kind::claim; }
        Kind operator()(const Budget&) const { return Kind::budget; }
        Kind operator()(const Autoscaler& scaler) const { return scaler.kind; }
        Kind operator()(const LimitRange&) const { return Kind::limit_range; }
        Kind operator()(const Quota&) const { return Kind::quota; }
        Kind operator()(const PriorityClass&) const { return Kind::priority_class; }
        Kind operator()(const Event&) const { return Kind::event; }
        Kind operator()(const NodePool&) const { return Kind::node_pool; }
        Kind operator()(const NodeClaim&) const { return Kind::node_claim; }
    };
    return std::visit(Teller(), object);
}

}  // namespace

struct Picture::Inside {
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
    std::map<Uid, TimePoint> homeless;  ///< Pods without a known owner, since when.
    std::set<Uid> strays;               ///< Pods with a stand-in for their owner.
    std::vector<Uid> unowned;           ///< Pods whose owner must be looked up.
    std::vector<Uid> dirty_pods;
    std::vector<Uid> gone_pods;
    std::vector<RestartSeen> restarts;
    std::uint64_t joins_version = 0;  ///< Of claims, which keep pods waiting too.
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
    void mark_dirty(const Uid& uid, PodEntry& entry);
    void assign(const Uid& uid, PodEntry& entry, const Uid& workload);
    void settle_owner(const Uid& uid, TimePoint now, bool first);
    void settle_owners(TimePoint now, bool first);
    void settle_places(bool first);
    void settle_causes();
    void settle_joins(std::vector<Uid>& dirty_works);
    Surroundings around(Name space, const PodTemplate& pod, const Evidence& evidence) const;
    Domains domains_of(const PodTerm& term, Name space) const;
    WorkFacts facts_of(const Uid& uid, const Workload& workload) const;
    void add_pods(const Workload& workload, WorkFacts& facts, const PodTemplate*& what) const;
    void tell_works(const std::vector<Uid>& dirty, std::vector<cluster::Change>& out,
                    std::vector<cluster::Change>& gone);
    void tell_pods(std::vector<cluster::Change>& out);
};

void Picture::Inside::mark_dirty(const Uid& uid, PodEntry& entry) {
    if (!std::exchange(entry.dirty, true)) dirty_pods.push_back(uid);
}

void Picture::Inside::put(Pod&& pod, TimePoint received) {
    bool added = false;
    PodEntry* entry = pods.offer(pod.uid, pod.version, added);
    if (entry == nullptr) return;
    if (!added) {
        nodes.hold(entry->pod, -1);
        const std::int32_t more = pod.restarts - entry->pod.restarts;
        if (more > 0) restarts.push_back({pod.uid, pod.node, received, more});
    }
    if (added || entry->pod.owner != pod.owner) unowned.push_back(pod.uid);
    entry->pod = std::move(pod);
    const Pod& kept = entry->pod;
    nodes.hold(kept, +1);
    if (waits(kept)) {
        pending.put(kept.uid, kept.space, kept.pod, kept.evidence);
    } else {
        if (!pending.empty()) pending.remove(kept.uid);
        entry->causes = other_causes(kept);
    }
    if (!entry->workload.none()) owners.pod_changed(entry->workload);
    mark_dirty(kept.uid, *entry);
}

void Picture::Inside::drop(const Uid& uid, const PodEntry& entry) {
    nodes.hold(entry.pod, -1);
    pending.remove(uid);
    owners.leave(entry.workload, uid);
    homeless.erase(uid);
    strays.erase(uid);
    if (entry.told) gone_pods.push_back(uid);
}

void Picture::Inside::assign(const Uid& uid, PodEntry& entry, const Uid& workload) {
    homeless.erase(uid);
    if (entry.workload == workload) return;
    if (!entry.workload.none()) owners.leave(entry.workload, uid);
    owners.join(workload, uid);
    entry.workload = workload;
    mark_dirty(uid, entry);
}

void Picture::Inside::settle_owner(const Uid& uid, TimePoint now, bool first) {
    PodEntry* entry = pods.find(uid);
    if (entry == nullptr) return;
    if (const auto owner = owners.owner_of(entry->pod)) {
        strays.erase(uid);
        assign(uid, *entry, *owner);
        return;
    }
    if (!entry->workload.none()) return;  // Its owner went before it; it stays where it was.
    const auto [since, added] = homeless.try_emplace(uid, now);
    if (!first && now - since->second < limits.hold_back) return;
    strays.insert(uid);
    assign(uid, *entry, owners.stand_in_for(entry->pod));
}

void Picture::Inside::settle_owners(TimePoint now, bool first) {
    const UidSet changed = owners.take_changed();
    std::vector<Uid> look = std::exchange(unowned, {});
    for (const auto& [uid, since] : homeless) look.push_back(uid);
    if (!changed.empty()) {
        look.insert(look.end(), strays.begin(), strays.end());
        if (!first) {
            pods.for_each([&](const Uid& uid, const PodEntry& entry) {
                if (changed.contains(entry.pod.owner)) look.push_back(uid);
            });
        }
    }
    for (const Uid& uid : look) settle_owner(uid, now, first);
}

/// Pods name their node; if the name stands for another node now, they must be told again.
void Picture::Inside::settle_places(bool first) {
    const auto renamed = nodes.take_renamed();
    if (first || renamed.empty()) return;
    pods.for_each([&](const Uid& uid, PodEntry& entry) {
        if (renamed.contains(entry.pod.node.handle())) mark_dirty(uid, entry);
    });
}

Domains Picture::Inside::domains_of(const PodTerm& term, Name space) const {
    Domains domains;
    if (!term.selector) return domains;
    ByUid<bool> matched;  // By workload; lookup only.
    pods.for_each([&](const Uid&, const PodEntry& entry) {
        const Pod& pod = entry.pod;
        if (pod.node.empty() || ended(pod) || entry.workload.none()) return;
        const bool own = term.spaces.empty() && pod.space == space;
        if (!own && !term.all_spaces && std::ranges::count(term.spaces, pod.space.view()) == 0) {
            return;
        }
        const auto [found, added] = matched.try_emplace(entry.workload, false);
        if (added) {
            const Workload* workload = owners.find(entry.workload);
            const PodTemplate* what = workload->work.pod.get();
            if (what == nullptr) what = owners.template_of(pod);
            found->second = what != nullptr && matches(*term.selector, what->labels);
        }
        if (!found->second) return;
        const Node* node = nodes.find(nodes.uid_of(pod.node));
        const auto* value = node == nullptr ? nullptr : label_of(node->labels, term.topology);
        if (value != nullptr) domains.insert(*value);
    });
    return domains;
}

Surroundings Picture::Inside::around(Name space, const PodTemplate& pod,
                                     const Evidence& evidence) const {
    Surroundings out;
    for (const PodTerm& term : pod.near) out.near.push_back(domains_of(term, space));
    for (const PodTerm& term : pod.apart) out.apart.push_back(domains_of(term, space));
    out.volume_trouble = joins.volume_trouble(space, pod.claims, evidence.volume);
    return out;
}

void Picture::Inside::settle_causes() {
    if (pending.empty()) return;
    const auto look = [this](Name space, const PodTemplate& pod, const Evidence& evidence) {
        return around(space, pod, evidence);
    };
    const auto most = static_cast<std::size_t>(limits.groups_per_take_max);
    const std::uint64_t version = nodes.version() + joins_version;
    for (const auto& [uid, causes] : pending.settle(nodes.rooms(), look, version, most)) {
        PodEntry* entry = pods.find(uid);
        if (entry == nullptr || entry->causes == causes) continue;
        entry->causes = causes;
        mark_dirty(uid, *entry);
    }
}

/// Adds the workloads on which another object bears that changed.
void Picture::Inside::settle_joins(std::vector<Uid>& dirty_works) {
    const std::set<Name> spaces = joins.take_dirty();
    const bool all = joins.take_all_dirty();
    const bool labels = nodes.take_labels_changed();
    if (!spaces.empty()) ++joins_version;
    if (spaces.empty() && !all && !labels) return;
    owners.for_each([&](const Uid& uid, Workload& workload) {
        const bool selects = workload.work.pod && !workload.work.pod->node_selector.empty();
        if (workload.dirty || !(all || spaces.contains(workload.id.space) || (labels && selects))) {
            return;
        }
        workload.dirty = true;
        dirty_works.push_back(uid);
    });
}

/// What only the pods of a bare workload can say.
void Picture::Inside::add_pods(const Workload& workload, WorkFacts& facts,
                               const PodTemplate*& what) const {
    const Pod* first = nullptr;
    for (const Uid& uid : workload.members) {  // By uid, so that the same one speaks for all.
        const PodEntry* entry = pods.find(uid);
        if (entry == nullptr) continue;
        if (first == nullptr) first = &entry->pod;
        if (!ended(entry->pod) && !entry->pod.terminating) ++facts.wanted;
        facts.protect = facts.protect || entry->pod.is_mirror;
    }
    if (first == nullptr) return;
    what = owners.template_of(*first);
    if (what == nullptr) facts.request = first->request;
}

WorkFacts Picture::Inside::facts_of(const Uid& uid, const Workload& workload) const {
    const Work& work = workload.work;
    WorkFacts facts;
    facts.id = workload.id;
    facts.uid = uid;
    facts.wanted = work.wanted;
    facts.completions = work.completions;
    facts.recreate = work.recreate;
    facts.mark = work.meta.mark;
    facts.version = work.meta.version;
    facts.rolled_out = owners.rolled_out(uid);
    const bool is_bare = workload.id.kind == model::WorkloadKind::bare;
    const PodTemplate* what = work.pod.get();
    if (is_bare) add_pods(workload, facts, what);
    static const PodTemplate nothing;
    const PodTemplate& pod = what != nullptr ? *what : nothing;
    if (what != nullptr) facts.request = pod.request;
    facts.limit = pod.limit;
    const Name space = workload.id.space;
    facts.priority = joins.priority_of(pod);
    const BudgetFound budget = joins.budget_of(space, pod.labels);
    facts.has_budget = budget.any;
    facts.disruptions_allowed = budget.allowed;
    facts.rwo_volume = work.claims_one_node || joins.one_node_volume(space, pod.claims);
    facts.quorum = is_quorum(work, budget.any) && !is_bare;
    facts.protect = facts.protect || is_protected(space, pod);
    facts.deliberate = !pod.node_selector.empty() && !nodes.any_matches(pod.node_selector);
    if (!is_bare) {
        facts.scale_owner =
            joins.scale_owner_of(space, owner_kind_of(work.kind), workload.id.name.view());
    }
    return facts;
}

void Picture::Inside::tell_works(const std::vector<Uid>& dirty, std::vector<cluster::Change>& out,
                                 std::vector<cluster::Change>& gone) {
    for (const Uid& uid : dirty) {
        Workload* workload = owners.find(uid);
        if (workload == nullptr) continue;
        workload->dirty = false;
        if (!workload->exists && workload->pods == 0) {
            if (workload->told) gone.emplace_back(cluster::WorkloadGone{uid});
            owners.erase(uid);
            continue;
        }
        const WorkFacts facts = facts_of(uid, *workload);
        if (workload->told == facts) continue;
        out.emplace_back(cluster::WorkloadChange{row_of(facts)});
        workload->told = facts;
    }
}

void Picture::Inside::tell_pods(std::vector<cluster::Change>& out) {
    for (const Uid& uid : std::exchange(gone_pods, {})) out.emplace_back(cluster::PodGone{uid});
    for (const Uid& uid : std::exchange(dirty_pods, {})) {
        PodEntry* entry = pods.find(uid);
        if (entry == nullptr) continue;
        entry->dirty = false;
        if (entry->workload.none()) continue;  // Told once its owner is known.
        entry->told = true;
        cluster::PodChange change{row_of(entry->pod), entry->workload,
                                  nodes.uid_of(entry->pod.node)};
        change.row.pending = entry->causes;
        out.emplace_back(change);
    }
    for (const RestartSeen& seen : std::exchange(restarts, {})) {
        out.emplace_back(
            cluster::PodRestarted{seen.pod, nodes.uid_of(seen.node), seen.at, seen.count});
    }
}

void Picture::Inside::enter(Kind kind, Scope scope) {
    if (kind == Kind::pod) pods.enter(scope);
    owners.enter(kind, scope);
    joins.enter(kind, scope);
}

Picture::Picture(PictureLimits limits, Scope scopes) : inside_(std::make_unique<Inside>()) {
    inside_->limits = limits;
    inside_->scopes = scopes;
    inside_->listings.resize(kKindCount * scopes);
}
Picture::Picture(Picture&&) noexcept = default;
Picture& Picture::operator=(Picture&&) noexcept = default;
Picture::~Picture() = default;

void Picture::begin_list(Kind kind, Scope scope) {
    Inside::Listing& listing = inside_->listing(kind, scope);
    listing.begun = listing.open = true;
    listing.named = 0;
    if (kind == Kind::claim) inside_->joins.set_claims_readable(true);
    if (kind == Kind::pod) inside_->pods.begin_list(scope);
    inside_->nodes.begin_list(kind);
    inside_->owners.begin_list(kind, scope);
    inside_->joins.begin_list(kind, scope);
}

ListEnd Picture::end_list(Kind kind, Scope scope) {
    Inside::Listing& listing = inside_->listing(kind, scope);
    if (!std::exchange(listing.open, false)) return {};
    listing.done = true;
    ListEnd end{listing.named, 0};
    if (kind == Kind::pod) {
        const auto gone = inside_->pods.end_list();
        end.gone += gone.size();
        for (const auto& [uid, entry] : gone) inside_->drop(uid, entry);
    }
    end.gone += inside_->nodes.end_list(kind);
    end.gone += inside_->owners.end_list(kind);
    end.gone += inside_->joins.end_list(kind);
    return end;
}

void Picture::set_absent(Kind kind, Scope scope) {
    begin_list(kind, scope);
    end_list(kind, scope);
    if (kind == Kind::claim) inside_->joins.set_claims_readable(false);
}

void Picture::put(Object object, TimePoint received, Scope scope) {
    const Kind kind = kind_of(object);
    ++inside_->listing(kind, scope).named;
    if (inside_->scopes > 1) inside_->enter(kind, scope);
    if (auto* pod = std::get_if<Pod>(&object)) {
        inside_->put(std::move(*pod), received);
    } else if (const auto* node = std::get_if<Node>(&object)) {
        inside_->nodes.put(*node);
    } else if (const auto* lease = std::get_if<Lease>(&object)) {
        inside_->nodes.put(*lease, received);
    } else if (const auto* claim = std::get_if<NodeClaim>(&object)) {
        inside_->nodes.put(*claim);
    } else if (const auto* work = std::get_if<Work>(&object)) {
        inside_->owners.put(*work);
    } else {
        inside_->joins.put(object);
    }
}

void Picture::remove(Kind kind, const Uid& uid) {
    if (kind == Kind::pod) {
        for (const auto& [id, entry] : inside_->pods.remove(uid)) inside_->drop(id, entry);
    }
    inside_->nodes.remove(kind, uid);
    inside_->owners.remove(kind, uid);
    inside_->joins.remove(kind, uid);
}

bool Picture::complete() const {
    return std::ranges::all_of(all_kinds(), [&](const KindFacts& facts) {
        for (Scope scope = 0; scope < inside_->scopes_of(facts.kind); ++scope) {
            const Inside::Listing& listing = inside_->listing(facts.kind, scope);
            if (!listing.done && !(facts.optional && !listing.begun)) return false;
        }
        return true;
    });
}

cluster::Batch Picture::take(TimePoint now) {
    cluster::Batch batch;
    if (!complete()) return batch;
    Inside& s = *inside_;
    batch.complete = !std::exchange(s.told_all, true);
    s.settle_owners(now, batch.complete);
    s.settle_places(batch.complete);
    std::vector<Uid> dirty_works = s.owners.take_dirty();
    s.settle_joins(dirty_works);
    s.settle_causes();
    std::vector<cluster::Change> gone;
    batch.changes.reserve(s.nodes.changed() + dirty_works.size() + s.dirty_pods.size() +
                          s.gone_pods.size() + s.restarts.size());
    s.nodes.tell_changed(batch.changes);
    s.tell_works(dirty_works, batch.changes, gone);
    s.tell_pods(batch.changes);
    std::ranges::move(gone, std::back_inserter(batch.changes));
    s.nodes.tell_gone(batch.changes);
    return batch;
}

std::optional<Uid> Picture::node_named(std::string_view name) const {
    const Uid uid = inside_->nodes.uid_of(Name::of(name));
    return uid.none() ? std::nullopt : std::optional(uid);
}

std::vector<PodPlace> Picture::pods() const {
    std::vector<PodPlace> out;
    out.reserve(inside_->pods.size());
    inside_->pods.for_each([&](const Uid& uid, const PodEntry& entry) {
        out.push_back({entry.pod.space, entry.pod.name, uid, entry.workload,
                       inside_->nodes.uid_of(entry.pod.node), !entry.pod.node.empty(),
                       ended(entry.pod)});
    });
    return out;
}

std::vector<NodePlace> Picture::nodes() const {
    std::vector<NodePlace> out;
    inside_->nodes.for_each([&](const Uid& uid, const Node& node) {
        out.push_back({uid, node.meta.name, node.addresses});
    });
    return out;
}

std::vector<WorkPlace> Picture::workloads() const {
    std::vector<WorkPlace> out;
    inside_->owners.for_each(
        [&](const Uid& uid, const Workload& workload) { out.push_back({uid, workload.id}); });
    return out;
}

}  // namespace parley::kube
