#include "kube/picture/picture_settle.h"

#include <algorithm>
#include <utility>

namespace parley::kube {

using model::Uid;

void Picture::Inside::settle_owner(const Uid& uid, TimePoint now, bool first) {
    PodEntry* entry = pods.find(uid);
    if (entry == nullptr) return;
    if (const auto owner = owners.owner_of(entry->pod)) {
        strays.erase(uid);
        assign(uid, *entry, *owner);
        return;
    }
    if (!entry->workload.none()) return;  // Its owner was removed first; it stays with it.
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

/// Pods refer to their node by name; if the name now belongs to another node, they are reported
/// again.
void Picture::Inside::settle_places(bool first) {
    const auto renamed = nodes.take_renamed();
    if (first || renamed.empty()) return;
    pods.for_each([&](const Uid& uid, PodEntry& entry) {
        if (renamed.contains(entry.pod.node.handle())) mark_dirty(uid, entry);
    });
}

const Neighbours& Picture::Inside::look_around() {
    if (neighbours) return *neighbours;
    neighbours.emplace();
    pods.for_each([&](const Uid&, const PodEntry& entry) {
        const Pod& pod = entry.pod;
        if (pod.node.empty() || ended(pod) || entry.workload.none()) return;
        const Node* node = nodes.find(nodes.uid_of(pod.node));
        if (node == nullptr) return;
        const PodTemplate* what = owners.find(entry.workload)->work.pod.get();
        if (what == nullptr) what = owners.template_of(pod);
        neighbours->add(pod.space, entry.workload, what, node);
    });
    return *neighbours;
}

Surroundings Picture::Inside::around(Name space, const PodTemplate& pod, const Evidence& evidence) {
    Surroundings out;
    const auto domains_of = [&](const PodTerm& term) {
        Domains domains;
        for (const auto& [value, pods_there] : look_around().counts(term, space)) {
            domains.insert(value);
        }
        return domains;
    };
    for (const PodTerm& term : pod.near) out.near.push_back(domains_of(term));
    for (const PodTerm& term : pod.apart) out.apart.push_back(domains_of(term));
    out.volume_trouble = joins.volume_trouble(space, pod.claims, evidence.volume);
    return out;
}

void Picture::Inside::set_causes(const Uid& uid, model::CauseSet causes) {
    PodEntry* entry = pods.find(uid);
    if (entry == nullptr || entry->causes == causes) return;
    entry->causes = causes;
    mark_dirty(uid, *entry);
}

void Picture::Inside::settle_causes() {
    if (pending.empty()) return;
    const auto look = [this](Name space, const PodTemplate& pod, const Evidence& evidence) {
        return around(space, pod, evidence);
    };
    const auto most = static_cast<std::size_t>(limits.groups_per_take_max);
    const std::uint64_t version = nodes.version() + joins_version;
    for (const auto& [uid, causes] : pending.settle(nodes.rooms(), look, version, most)) {
        set_causes(uid, causes);
    }
}

/// Looks at all of them each time: they are few, and a dying node does not announce it.
void Picture::Inside::settle_stuck() {
    for (const Uid& uid : stuck) {
        const Pod& pod = pods.find(uid)->pod;
        const auto mount = mounts.find(uid);
        set_causes(uid, stuck_causes(pod, nodes.find(nodes.uid_of(pod.node)),
                                     mount == mounts.end() ? nullptr : &mount->second));
    }
}

/// Updates where restricted pods could be. `labels`: those of nodes have changed.
void Picture::Inside::settle_picky(bool labels, cluster::Batch& out) {
    const bool volumes = joins.take_volumes_changed();
    const PlaceBook::Look look{
        .nodes = labels || volumes,
        .neighbours = std::exchange(neighbours_version, nodes.version()) != nodes.version()};
    if (places.empty()) return;
    if (!look.nodes && !places.has_new() && !(look.neighbours && places.has_terms())) return;
    PlaceWorld world;
    nodes.for_each([&](const Uid& uid, const Node& node) {
        world.nodes.emplace_back(uid, &node);
        world.by_name[Name::of(node.meta.name)] = &node;
    });
    std::ranges::sort(world.nodes);
    world.counts = [&](const PodTerm& term, Name space) {
        return look_around().counts(term, space);
    };
    const Joins::Volumes reach = joins.volumes();
    world.volume = [&](Name space, const std::string& claim) { return reach.of(space, claim); };
    for (const Uid& uid : places.settle(world, look, out)) {
        if (PodEntry* entry = pods.find(uid)) mark_dirty(uid, *entry);
    }
}

void Picture::Inside::note_pause(const OptOuts& asks) {
    if (asks.paused_until) pauses.insert(*asks.paused_until);
}

/// A pod that asks to be left alone keeps its whole workload so: replicas and sizes are those of
/// all its pods. Pauses end without anything being said.
void Picture::Inside::settle_asking(TimePoint now, std::vector<Uid>& dirty_works) {
    taken = now;
    const auto later = pauses.upper_bound(now);
    const bool over = later != pauses.begin();
    pauses.erase(pauses.begin(), later);
    asked_spaces = joins.left_alone(now);
    std::set<Uid> asked;
    for (const Uid& uid : asking) {
        PodEntry* entry = pods.find(uid);
        if (entry == nullptr) continue;
        if (over) mark_dirty(uid, *entry);
        const bool asks = asks_to_be_left(entry->pod.opt_outs, now) && !ended(entry->pod);
        if (asks && !entry->workload.none()) asked.insert(entry->workload);
    }
    const std::set<Uid> before = std::exchange(asked_works, std::move(asked));
    if (before == asked_works && !over) return;
    owners.for_each([&](const Uid& uid, Workload& workload) {
        const bool changed = over || before.contains(uid) != asked_works.contains(uid);
        if (!changed || std::exchange(workload.dirty, true)) return;
        dirty_works.push_back(uid);
    });
}

bool Picture::Inside::is_left_alone(const Uid& uid, const Workload& workload) const {
    return asks_to_be_left(workload.work.meta.opt_outs, taken) ||
           asked_spaces.contains(workload.id.space) || asked_works.contains(uid);
}

/// Adds the workloads that are affected by other objects that changed. Returns whether what
/// selectors see of nodes has changed.
bool Picture::Inside::settle_joins(std::vector<Uid>& dirty_works) {
    const std::set<Name> spaces = joins.take_dirty();
    const bool all = joins.take_all_dirty();
    const bool labels = nodes.take_labels_changed();
    if (!spaces.empty()) ++joins_version;
    if (spaces.empty() && !all && !labels) return labels;
    owners.for_each([&](const Uid& uid, Workload& workload) {
        const bool selects = workload.work.pod && !workload.work.pod->node_selector.empty();
        if (workload.dirty || !(all || spaces.contains(workload.id.space) || (labels && selects))) {
            return;
        }
        workload.dirty = true;
        dirty_works.push_back(uid);
    });
    return labels;
}

}  // namespace parley::kube
