#include "kube/picture/places.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace parley::kube {
namespace {

using model::Uid;

constexpr std::string_view kHostname = "kubernetes.io/hostname";

bool speaks_of_pods(const PodTemplate& pod) {
    return !pod.near.empty() || !pod.apart.empty() || !pod.spread.empty();
}

bool minds_others(const PodTemplate& pod) { return speaks_of_pods(pod) || !pod.ports.empty(); }

/// Only the parts that determine where it may be: pods that are equal in these share a group.
PodTemplate essence(const PodTemplate& pod) {
    PodTemplate out = pod;
    out.request = out.limit = {};
    out.gates.clear();
    out.priority_class.clear();
    out.priority.reset();
    out.claims.clear();  // What counts is where their volumes are.
    if (!speaks_of_pods(pod)) out.labels.clear();
    return out;
}

template <class F>
void for_each_term(const PodTemplate& pod, F&& f) {
    for (const PodTerm& term : pod.near) f(term);
    for (const PodTerm& term : pod.apart) f(term);
    for (const PodTerm& term : pod.spread) f(term);
}

/// The domains of one term after the pod has left its own.
class DomainsLeft {
public:
    DomainsLeft(const PodTerm& term, const PodTemplate& pod, DomainCounts counts,
                const std::string& own)
        : term_(term), counts_(std::move(counts)) {
        counts_itself_ = term.selector && matches(*term.selector, pod.labels);
        const auto there = counts_.find(own);
        if (counts_itself_ && there != counts_.end()) --there->second;
    }

    std::int32_t at(const std::string& value) const {
        const auto found = counts_.find(value);
        return found == counts_.end() ? 0 : found->second;
    }
    bool counts_itself() const { return counts_itself_; }
    bool anybody() const {
        return std::ranges::any_of(counts_, [](const auto& each) { return each.second > 0; });
    }
    const std::string* value_on(const Node& node) const {
        return label_of(node.labels, term_.topology);
    }
    const PodTerm& term() const { return term_; }

private:
    const PodTerm& term_;
    DomainCounts counts_;
    bool counts_itself_ = false;
};

bool near_enough(const DomainsLeft& domains, const Node& node) {
    const std::string* value = domains.value_on(node);
    if (value == nullptr) return false;
    // The first pod of its kind may be anywhere.
    return domains.at(*value) > 0 || (domains.counts_itself() && !domains.anybody());
}

bool far_enough(const DomainsLeft& domains, const Node& node) {
    const std::string* value = domains.value_on(node);
    return value == nullptr || domains.at(*value) <= 0;
}

/// Number of pods in the emptiest domain that the pod could otherwise be in.
std::int32_t least_of(const DomainsLeft& domains, const std::vector<const Node*>& nodes) {
    std::optional<std::int32_t> least;
    for (const Node* node : nodes) {
        const std::string* value = domains.value_on(*node);
        if (value != nullptr)
            least = std::min(least.value_or(domains.at(*value)), domains.at(*value));
    }
    return least.value_or(0);
}

bool even_enough(const DomainsLeft& domains, std::int32_t least, const Node& node) {
    const std::string* value = domains.value_on(node);
    if (value == nullptr) return false;
    const std::int32_t more = domains.counts_itself() ? 1 : 0;
    return domains.at(*value) + more - least <= domains.term().skew_max;
}

void write(std::string& out, const Selector& selector) {
    for (const Requirement& each : selector) {
        out += each.key + '\x1f' + std::to_string(static_cast<int>(each.op));
        for (const std::string& value : each.values) out += '\x1f' + value;
        out += '\x1e';
    }
}

/// A text that is equal for equal terms only.
std::string text_of(const std::vector<NodeTerm>& terms) {
    std::string out;
    for (const NodeTerm& term : terms) {
        write(out, term.labels);
        out += '\x1d';
        write(out, term.fields);
        out += '\x1c';
    }
    return out;
}

/// `TCP/0.0.0.0/80`: the wildcard address conflicts with every other.
bool same_port(std::string_view a, std::string_view b) {
    const auto parts = [](std::string_view text) {
        const std::size_t first = text.find('/');
        const std::size_t last = text.rfind('/');
        return std::array{text.substr(0, first), text.substr(first + 1, last - first - 1),
                          text.substr(last + 1)};
    };
    const auto x = parts(a);
    const auto y = parts(b);
    constexpr std::string_view kAll = "0.0.0.0";
    return x[0] == y[0] && x[2] == y[2] && (x[1] == y[1] || x[1] == kAll || y[1] == kAll);
}

bool asked_for(const PodTemplate& pod, const Node& node) {
    return matches(pod.node_selector, node.labels) &&
           (!pod.node_terms || matches(*pod.node_terms, node));
}

}  // namespace

void PlaceBook::put(const Uid& uid, Name space, const PodTemplate& what, Name node) {
    const auto kept = templates_.shared(std::make_shared<const PodTemplate>(essence(what)));
    const auto known = pods_.find(uid);
    if (known != pods_.end()) {
        const Kept& before = known->second;
        const bool same = before.what == kept && before.claims == what.claims &&
                          before.space == space && before.node == node;
        if (same) return;
        remove(uid);
    }
    if (minds_others(*kept)) ++with_terms_;
    pods_[uid] = {.what = kept, .claims = what.claims, .space = space, .node = node};
    ungrouped_.insert(uid);
}

void PlaceBook::remove(const Uid& uid) {
    const auto found = pods_.find(uid);
    if (found == pods_.end()) return;
    if (minds_others(*found->second.what)) --with_terms_;
    leave(uid, found->second);
    ungrouped_.erase(uid);
    pods_.erase(found);
}

void PlaceBook::leave(const Uid& uid, Kept& pod) {
    if (!std::exchange(pod.grouped, false)) return;
    const auto group = groups_.find(pod.key);
    group->second.pods.erase(uid);
    if (!group->second.pods.empty()) return;
    if (group->second.id != 0) free_ids_.push_back(group->second.id);
    groups_.erase(group);
}

std::uint32_t PlaceBook::id_of(const Uid& uid) const {
    const auto found = pods_.find(uid);
    if (found == pods_.end() || !found->second.grouped) return 0;
    return groups_.at(found->second.key).id;
}

PlaceBook::VolumeTerms PlaceBook::volumes_of(const Kept& pod, const PlaceWorld& world) {
    std::vector<std::vector<NodeTerm>> all;
    for (const std::string& claim : pod.claims) {
        auto terms = world.volume(pod.space, claim);
        if (!terms) return std::nullopt;
        if (!terms->empty()) all.push_back(std::move(*terms));
    }
    return all;
}

PlaceBook::Key PlaceBook::key_of(const Kept& pod, const PlaceWorld& world,
                                 const VolumeTerms& volumes) {
    Key key{pod.what.get(), speaks_of_pods(*pod.what) ? pod.space : Name(), {}};
    const auto node = world.by_name.find(pod.node);
    for_each_term(*pod.what, [&](const PodTerm& term) {
        // If each node is a domain, it leaves the one to which it may not return anyway.
        const bool there = term.topology != kHostname && node != world.by_name.end();
        const std::string* value = there ? label_of(node->second->labels, term.topology) : nullptr;
        key.own.push_back(value == nullptr ? "" : *value);
    });
    if (!volumes) key.own.emplace_back("?");
    if (volumes) {
        for (const auto& terms : *volumes) key.own.push_back(text_of(terms));
    }
    return key;
}

std::set<Name> PlaceBook::ports_taken(const PodTemplate& pod) const {
    std::set<Name> nodes;
    if (pod.ports.empty()) return nodes;
    for (const auto& [uid, other] : pods_) {
        const auto& held = other.what->ports;
        const auto clashes = [&](const std::string& port) {
            return std::ranges::any_of(
                held, [&](const std::string& theirs) { return same_port(port, theirs); });
        };
        if (std::ranges::any_of(pod.ports, clashes)) nodes.insert(other.node);
    }
    return nodes;
}

bool PlaceBook::must_look(const Key& key, Group& group, const PlaceWorld& world, Look look) {
    const bool others = look.neighbours && minds_others(*group.what);
    if (!group.stale && !look.nodes && !others) return false;
    std::vector<DomainCounts> counts;
    for_each_term(*group.what,
                  [&](const PodTerm& term) { counts.push_back(world.counts(term, key.space)); });
    const bool same = counts == group.counts && group.what->ports.empty();
    group.counts = std::move(counts);
    return group.stale || look.nodes || !same;
}

void PlaceBook::work_out(const Key& key, Group& group, const PlaceWorld& world) const {
    const PodTemplate& pod = *group.what;
    group.bits.assign(world.nodes.size() / 64 + 1, 0);
    group.known = group.volumes && !pod.devices && pod.scheduler.empty();
    if (!group.known) {
        group.bits.clear();
        return;
    }
    std::vector<const Node*> asked;
    for (const auto& [uid, node] : world.nodes) {
        if (asked_for(pod, *node)) asked.push_back(node);
    }
    std::size_t place = 0;
    const auto domains_of = [&](const std::vector<PodTerm>& terms) {
        std::vector<DomainsLeft> out;
        for (const PodTerm& term : terms) {
            out.emplace_back(term, pod, group.counts[place], key.own[place]);
            ++place;
        }
        return out;
    };
    const std::vector<DomainsLeft> near = domains_of(pod.near);
    const std::vector<DomainsLeft> apart = domains_of(pod.apart);
    const std::vector<DomainsLeft> spread = domains_of(pod.spread);
    std::vector<std::int32_t> least;
    for (const DomainsLeft& each : spread) least.push_back(least_of(each, asked));
    const auto taken = ports_taken(pod);
    const auto may = [&](const Node& node) {
        if (!asked_for(pod, node) || !tolerates(pod.tolerations, node)) return false;
        for (const auto& terms : *group.volumes) {
            if (!matches(terms, node)) return false;
        }
        for (const DomainsLeft& each : near) {
            if (!near_enough(each, node)) return false;
        }
        for (const DomainsLeft& each : apart) {
            if (!far_enough(each, node)) return false;
        }
        for (std::size_t i = 0; i < spread.size(); ++i) {
            if (!even_enough(spread[i], least[i], node)) return false;
        }
        return !taken.contains(Name::of(node.meta.name));
    };
    for (std::size_t n = 0; n < world.nodes.size(); ++n) {
        if (may(*world.nodes[n].second)) group.bits[n / 64] |= std::uint64_t{1} << (n % 64);
    }
}

void PlaceBook::join(const Uid& uid, Kept& pod, const PlaceWorld& world) {
    VolumeTerms volumes = volumes_of(pod, world);
    pod.key = key_of(pod, world, volumes);
    pod.grouped = true;
    Group& group = groups_[pod.key];
    group.pods.insert(uid);
    if (group.id != 0) return;
    group.what = pod.what;
    group.volumes = std::move(volumes);
    group.id = free_ids_.empty() ? ++ids_ : free_ids_.back();
    if (!free_ids_.empty()) free_ids_.pop_back();
}

/// Labels of nodes or places of volumes changed, so that groups may have to be split.
void PlaceBook::regroup(const PlaceWorld& world) {
    for (auto& [uid, pod] : pods_) {
        if (pod.claims.empty() && !speaks_of_pods(*pod.what)) continue;
        if (!pod.grouped || pod.key == key_of(pod, world, volumes_of(pod, world))) continue;
        leave(uid, pod);
        ungrouped_.insert(uid);
    }
}

std::vector<Uid> PlaceBook::settle(const PlaceWorld& world, Look look, cluster::Batch& out) {
    if (look.nodes) regroup(world);
    std::vector<Uid> moved;
    for (const Uid& uid : std::exchange(ungrouped_, {})) {
        join(uid, pods_.at(uid), world);
        moved.push_back(uid);
    }
    for (auto& [key, group] : groups_) {
        if (!must_look(key, group, world, look)) continue;
        const std::vector<std::uint64_t> before = group.bits;
        work_out(key, group, world);
        // In another order of nodes the same bits mean something else.
        const bool tell = group.stale || look.nodes || before != group.bits;
        group.stale = false;
        if (!tell) continue;
        out.places.push_back({.id = group.id, .known = group.known, .nodes = group.bits});
    }
    std::ranges::sort(out.places, {}, &cluster::PlacesChange::id);
    if (!out.places.empty()) {
        for (const auto& [uid, node] : world.nodes) out.order.push_back(uid);
    }
    return moved;
}

}  // namespace parley::kube
