#include "kube/provider/book.h"

#include <algorithm>

namespace parley::kube {

using model::Power;

namespace {

constexpr Duration kAgainAfter = seconds(60);
/// A server may take this long from power-on to Ready; after it, that it is not Ready is a failure.
constexpr Duration kBootMax = minutes(10);

bool is_down(std::int64_t power) {
    return power == static_cast<std::int64_t>(Power::sleep) ||
           power == static_cast<std::int64_t>(Power::off);
}

/// By the names that their charts and manifests give them. Where a cloud runs one out of sight,
/// nothing in the cluster shows it.
bool is_node_autoscaler(const model::WorkloadId& id) {
    const std::string_view name = id.name.view();
    return id.kind == model::WorkloadKind::deployment &&
           (name.find("cluster-autoscaler") != std::string_view::npos || name == "karpenter");
}

}  // namespace

ProviderBook::ProviderBook(std::vector<Provider> providers) : providers_(std::move(providers)) {}

void ProviderBook::begin() {
    autoscalers_.clear();
    for (auto& [name, entry] : nodes_) entry.told.reset();
}

void ProviderBook::saw(const model::NodeRow& node, Duration at) {
    const std::string name = node.id.text();
    const bool power = command_for(providers_, Ability::power, name) != nullptr;
    const bool clock = command_for(providers_, Ability::clock, name) != nullptr;
    if (!power && !clock) return;
    Entry& entry = nodes_[name];
    if (entry.uid != node.uid) {
        entry = {.uid = node.uid, .ready = node.ready};
        entry.power = {.served = power, .due = power};
        entry.clock = {.served = clock, .due = clock};
        return;
    }
    if (entry.ready == node.ready) return;
    entry.ready = node.ready;
    if (node.ready == model::Readiness::yes) entry.woken.reset();
    for (Fact* fact : {&entry.power, &entry.clock}) {
        fact->due = fact->served;
        fact->not_before = at;
    }
}

void ProviderBook::saw(const model::WorkloadRow& workload) {
    if (is_node_autoscaler(workload.id)) autoscalers_[workload.uid] = workload.wanted > 0;
}

void ProviderBook::gone(const model::Uid& uid) {
    autoscalers_.erase(uid);
    std::erase_if(nodes_, [&](const auto& each) { return each.second.uid == uid; });
}

std::optional<ProviderBook::Errand> ProviderBook::next(Duration at) {
    for (auto& [name, entry] : nodes_) {
        for (const Ability ability : {Ability::power, Ability::clock}) {
            Fact& fact = ability == Ability::power ? entry.power : entry.clock;
            if (!fact.due || fact.under_way || at < fact.not_before) continue;
            fact.due = false;
            fact.under_way = true;
            return Errand{ability, name, entry.uid, fact.turn};
        }
    }
    return std::nullopt;
}

/// A node that was switched on boots until it is Ready.
void ProviderBook::take(Entry& entry, Fact& fact, std::optional<std::int64_t> value, Duration at) {
    if (&fact == &entry.power && value) {
        const bool on = *value == static_cast<std::int64_t>(Power::on);
        const bool was_down = fact.value && is_down(*fact.value);
        if (on && was_down && entry.ready != model::Readiness::yes) entry.woken = at;
        if (is_down(*value)) entry.woken.reset();
    }
    fact.known = value.has_value();
    if (value) fact.value = value;
}

void ProviderBook::note(Entry& entry, Fact& fact, const Result<std::int64_t>& value, Duration at) {
    take(entry, fact, value ? std::optional(*value) : std::nullopt, at);
    if (value) return;
    // A refusal says that it is not served after all.
    fact.due = value.error().code != ErrorCode::denied;
    fact.not_before = at + kAgainAfter;
}

void ProviderBook::read(const Errand& errand, const Result<std::int64_t>& value, Duration at) {
    const auto found = nodes_.find(errand.node);
    if (found == nodes_.end() || found->second.uid != errand.uid) return;
    Entry& entry = found->second;
    Fact& fact = errand.ability == Ability::power ? entry.power : entry.clock;
    fact.under_way = false;
    if (fact.turn == errand.turn) note(entry, fact, value, at);
}

ProviderBook::Fact* ProviderBook::fact_of(Ability ability, std::string_view node) {
    const auto found = nodes_.find(node);
    if (found == nodes_.end()) return nullptr;
    return ability == Ability::power ? &found->second.power : &found->second.clock;
}

void ProviderBook::changed(Ability ability, std::string_view node,
                           std::optional<std::int64_t> value, Duration at) {
    Fact* fact = fact_of(ability, node);
    if (fact == nullptr) return;
    ++fact->turn;
    take(nodes_.find(node)->second, *fact, value, at);
    fact->due = fact->served;
    fact->not_before = at;
}

void ProviderBook::noticed(Ability ability, std::string_view node,
                           const Result<std::int64_t>& value, Duration at) {
    Fact* fact = fact_of(ability, node);
    if (fact == nullptr) return;
    note(nodes_.find(node)->second, *fact, value, at);
}

NodePower ProviderBook::shown(const Entry& entry) const {
    const bool owned =
        std::ranges::any_of(autoscalers_, [](const auto& each) { return each.second; });
    NodePower out{.can_power = entry.power.served && entry.power.known && !owned,
                  .can_clock = entry.clock.served && entry.clock.known,
                  .clock_ppm = entry.clock.value};
    if (entry.power.value) out.power = static_cast<Power>(*entry.power.value);
    if (entry.woken && out.power == Power::on) out.power = Power::booting;
    return out;
}

std::vector<std::pair<std::string, NodePower>> ProviderBook::news(Duration at) {
    std::vector<std::pair<std::string, NodePower>> out;
    for (auto& [name, entry] : nodes_) {
        if (entry.woken && at - *entry.woken > kBootMax) entry.woken.reset();
        const NodePower now = shown(entry);
        if (entry.told.value_or(NodePower{}) == now) continue;
        entry.told = now;
        out.emplace_back(name, now);
    }
    return out;
}

}  // namespace parley::kube
