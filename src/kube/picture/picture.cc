#include "kube/picture/picture.h"

#include "kube/decode/decode_work.h"
#include "kube/picture/picture_settle.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

using model::Uid;

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
        if (pod.disrupted && !entry->pod.disrupted) disrupted.push_back(pod.uid);
    }
    if (added || entry->pod.owner != pod.owner) unowned.push_back(pod.uid);
    entry->pod = std::move(pod);
    const Pod& kept = entry->pod;
    nodes.hold(kept, +1);
    if (waits(kept)) {
        pending.put(kept.uid, kept.space, kept.pod, kept.evidence);
    } else {
        if (!pending.empty()) pending.remove(kept.uid);
        entry->causes = {};
        // By its phase it runs, and yet it waits.
        if (kept.crash_trouble && kept.phase == model::PodPhase::running) {
            entry->causes = entry->causes.with(model::Cause::restart);
        }
    }
    if (is_stuck(kept)) {
        stuck.insert(kept.uid);
    } else if (!stuck.empty() && stuck.erase(kept.uid) > 0) {
        mounts.erase(kept.uid);
    }
    if (!kept.node.empty() && !ended(kept) && kept.pod && is_picky(*kept.pod)) {
        places.put(kept.uid, kept.space, *kept.pod, kept.node);
    } else if (!places.empty()) {
        places.remove(kept.uid);
    }
    // Its workload has the template.
    if (!kept.node.empty() && is_made_anew(kept)) entry->pod.pod.reset();
    if (!entry->workload.none()) owners.pod_changed(entry->workload);
    const bool asks = kept.opt_outs.opted_out || kept.opt_outs.paused_until;
    if (asks) asking.insert(kept.uid);
    if (!asks && !asking.empty()) asking.erase(kept.uid);
    note_pause(kept.opt_outs);
    mark_dirty(kept.uid, *entry);
}

void Picture::Inside::note_mount(Event&& event) {
    constexpr std::size_t kMost = 4096;
    if (!is_about_mounts(event)) return;
    if (mounts.size() >= kMost) {
        std::erase_if(mounts, [&](const auto& each) { return !stuck.contains(each.first); });
    }
    if (mounts.size() < kMost) mounts.insert_or_assign(event.about, std::move(event));
}

void Picture::Inside::drop(const Uid& uid, const PodEntry& entry) {
    nodes.hold(entry.pod, -1);
    pending.remove(uid);
    places.remove(uid);
    stuck.erase(uid);
    mounts.erase(uid);
    owners.leave(entry.workload, uid);
    homeless.erase(uid);
    strays.erase(uid);
    asking.erase(uid);
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

/// What only the pods of a bare workload can tell.
void Picture::Inside::add_pods(const Workload& workload, WorkFacts& facts,
                               const PodTemplate*& what) const {
    const Pod* first = nullptr;
    // Sorted by uid, so that the same pod speaks for all.
    for (const Uid& uid : workload.members) {
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
    if (is_held(work.meta.mark)) facts.held = work.suspended;
    facts.recreate = work.recreate;
    facts.mark = work.meta.mark;
    facts.version = work.meta.version;
    // What a Job's pods are made from never changes.
    const bool is_job = workload.id.kind == model::WorkloadKind::job;
    facts.rolled_out = is_job ? work.meta.created : owners.rolled_out(uid);
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
    const bool queued = work.queued || is_queued(pod.labels);
    facts.protect =
        facts.protect || queued || is_protected(space, pod) || is_left_alone(uid, workload);
    facts.deliberate = !pod.node_selector.empty() && !nodes.any_matches(pod.node_selector);
    if (!is_bare) {
        const ScaledBy by =
            joins.scaled_by(space, owner_kind_of(work.kind), workload.id.name.view());
        facts.scale_owner = by.replicas;
        const bool applied = work.replicas_applied && by.replicas == model::ScaleOwner::nobody;
        if (applied) facts.scale_owner = model::ScaleOwner::other;
        facts.size_owner = by.sizes;
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

std::string Picture::Inside::says_of(const Uid& uid, const PodEntry& entry) const {
    if (entry.causes.empty()) return {};
    if (entry.pod.says) return *entry.pod.says;
    const auto mount = mounts.find(uid);
    return mount == mounts.end() ? std::string() : mount->second.message;
}

void Picture::Inside::tell_pods(std::vector<cluster::Change>& out) {
    // First, since some of them may be gone already.
    for (const Uid& uid : std::exchange(disrupted, {}))
        out.emplace_back(cluster::PodDisrupted{uid});
    for (const Uid& uid : std::exchange(gone_pods, {})) out.emplace_back(cluster::PodGone{uid});
    for (const Uid& uid : std::exchange(dirty_pods, {})) {
        PodEntry* entry = pods.find(uid);
        if (entry == nullptr) continue;
        entry->dirty = false;
        if (entry->workload.none()) continue;  // Reported once its owner is known.
        entry->told = true;
        cluster::PodChange change{row_of(entry->pod), entry->workload,
                                  nodes.uid_of(entry->pod.node), says_of(uid, *entry)};
        if (asks_to_be_left(entry->pod.opt_outs, taken)) change.row.evictable = false;
        change.row.pending = entry->causes;
        change.row.places = places.id_of(uid);
        change.shape = entry->pod.shape;
        if (entry->pod.containers) change.containers = *entry->pod.containers;
        std::erase_if(change.containers, [](const auto& each) { return each.at == 0; });
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
        inside_->note_pause(work->meta.opt_outs);
        inside_->owners.put(*work);
    } else if (auto* event = std::get_if<Event>(&object)) {
        inside_->note_mount(std::move(*event));
    } else {
        if (const auto* space = std::get_if<Space>(&object)) {
            inside_->note_pause(space->meta.opt_outs);
        }
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
    s.neighbours.reset();
    const bool labels = s.settle_joins(dirty_works);
    s.settle_asking(now, dirty_works);
    s.settle_causes();
    s.settle_stuck();
    s.settle_picky(labels || batch.complete, batch);
    std::vector<cluster::Change> gone;
    batch.changes.reserve(s.nodes.changed() + dirty_works.size() + s.dirty_pods.size() +
                          s.gone_pods.size() + s.restarts.size() + s.disrupted.size());
    s.nodes.tell_changed(now, batch.changes);
    s.tell_works(dirty_works, batch.changes, gone);
    s.tell_pods(batch.changes);
    std::ranges::move(gone, std::back_inserter(batch.changes));
    s.nodes.tell_gone(batch.changes);
    return batch;
}

void Picture::set_power(std::string_view node, const NodePower& power) {
    inside_->nodes.set_power(Name::of(node), power);
}

std::optional<std::uint64_t> Picture::version_of(Kind kind, const Uid& uid) const {
    if (kind == Kind::pod) return inside_->pods.version_of(uid);
    if (kind == Kind::node) return inside_->nodes.version_of(uid);
    return inside_->owners.version_of(kind, uid);
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
