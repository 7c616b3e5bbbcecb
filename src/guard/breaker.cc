#include "guard/breaker.h"

#include "guard/hard_limits.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace parley::guard {
namespace {

using model::NodeRow;
using model::OpenAction;

bool on_node(const OpenAction& action, const NodeRow& node) {
    const auto* id = std::get_if<model::NodeId>(&action.target);
    return id != nullptr && *id == node.id;
}

/// It has, or may yet have, its effect on the cluster.
bool still_holds(const OpenAction& action) {
    switch (action.state) {
        case model::ActionState::moot:
        case model::ActionState::expired:
        case model::ActionState::failed:
        case model::ActionState::would_send:
            return false;
        default:
            return true;
    }
}

void count_in(std::vector<Group>& groups, Name name, bool zone, bool bad) {
    if (name.empty()) return;
    auto group = std::ranges::find_if(
        groups, [&](const Group& g) { return g.name == name && g.zone == zone; });
    if (group == groups.end()) group = groups.insert(groups.end(), {.name = name, .zone = zone});
    ++group->nodes;
    if (bad) ++group->bad;
}

bool exceeds(int bad, int nodes, const model::GuardRules& rules) {
    return bad >= rules.breaker_bad_min && ppm(bad) > ppm(rules.breaker_share) * nodes;
}

/// Where too many nodes are bad, and how many.
struct Excess {
    int bad;
    int nodes;
    const Group* group;  ///< Null: in the whole cluster.
};

/// Whether the bad nodes without `target` are too many; a null target leaves none out.
std::optional<Excess> excess_besides(const Census& census, const NodeRow* target,
                                     const model::GuardRules& rules) {
    const int bad = census.bad - (target != nullptr ? 1 : 0);
    if (exceeds(bad, census.counted, rules)) return Excess{bad, census.counted, nullptr};
    for (const Group& group : census.groups) {
        const bool inside =
            target != nullptr && (group.zone ? target->zone : target->pool) == group.name;
        const int bad_here = group.bad - (inside ? 1 : 0);
        if (group.nodes >= rules.breaker_group_min && exceeds(bad_here, group.nodes, rules)) {
            return Excess{bad_here, group.nodes, &group};
        }
    }
    return std::nullopt;
}

/// Whether too many nodes are bad, whichever of them is left out as the target.
bool too_many_whoever(const Census& census, const model::Snapshot& snapshot,
                      const model::GuardRules& rules) {
    return !census.bad_nodes.empty() && std::ranges::all_of(census.bad_nodes, [&](Slot target) {
        return excess_besides(census, &snapshot.nodes.at(target), rules).has_value();
    });
}

std::string rises_too_fast(const Census& census, const model::Derived& last,
                           const model::GuardRules& rules) {
    // Without nodes before or now, both sides below are zero: there is nothing to compare with.
    const std::int64_t before = last.nodes_counted;
    const std::int64_t after = census.counted;
    const std::int64_t rise = census.bad - last.bad_nodes;
    const std::int64_t points = census.bad * before - last.bad_nodes * after;
    if (rise < rules.breaker_rise_min ||
        points * ppm(1) <= ppm(rules.breaker_rise) * before * after) {
        return {};
    }
    return "bad nodes rose from " + std::to_string(last.bad_nodes) + " of " +
           std::to_string(before) + " to " + std::to_string(census.bad) + " of " +
           std::to_string(after) + " in one round, by more than " +
           std::to_string(ppm(rules.breaker_rise) / 10'000) + " points";
}

}  // namespace

std::int64_t ppm(double share) { return static_cast<std::int64_t>(std::floor(share * 1e6 + 0.5)); }

std::string percent(double share) { return std::to_string(ppm(share) / 10'000) + "%"; }

bool under_maintenance(const NodeRow& node) { return node.maintenance || node.cordoned; }

bool powered_by_us(const NodeRow& node, const model::Ledger& ledger) {
    if (node.power == model::Power::on) return false;
    return node.mark || std::ranges::any_of(ledger.open, [&](const OpenAction& action) {
               return on_node(action, node) && still_holds(action) &&
                      std::holds_alternative<model::PowerState>(action.action);
           });
}

bool counts(const NodeRow& node, const model::Ledger& ledger) {
    return !under_maintenance(node) && !powered_by_us(node, ledger);
}

bool has_samples(const NodeRow& node, TimePoint now, Duration limit) {
    return node.cpu_used_m.fresh(now, limit) != nullptr &&
           node.memory_used.fresh(now, limit) != nullptr;
}

bool disrupted_by_us(const NodeRow& node, const model::Ledger& ledger) {
    // Emptied and asleep, it has left the pool in an orderly way: nothing runs there that could
    // suffer.
    if (powered_by_us(node, ledger)) return false;
    if (node.quarantined) return true;
    return std::ranges::any_of(ledger.open, [&](const OpenAction& action) {
        return on_node(action, node) && still_holds(action) && disruptive(action.action);
    });
}

/// A kubelet renews its lease every 10 s, so that one of 11 s is usual: by now it missed a renewal.
constexpr Duration kLeaseMissed = seconds(20);

bool lease_lost(const NodeRow& node, TimePoint now, const model::Policy& policy) {
    const TimePoint* renewed = node.lease.value();
    return renewed != nullptr && now - *renewed > policy.evidence.lease_lost_after;
}

bool over_limit(const model::NodeForecast& node) { return node.risk && *node.risk > node.limit; }

/// Whether somebody set what counts as trouble, or how much of it is too much. Taking less for
/// trouble makes agents act less, but would also keep the breaker from seeing how many nodes ail.
bool is_set_by_hand(const model::Policy& policy) {
    return policy.evidence != model::EvidenceRules{} || policy.stakes != model::StakesRules{};
}

/// Signs of trouble that are there whatever a policy makes of them.
bool ails(const NodeRow& node, TimePoint now) {
    const TimePoint* renewed = node.lease.value();
    const bool slow = renewed != nullptr && now - *renewed > kLeaseMissed;
    return slow || node.memory_pressure || node.disk_pressure;
}

Census take_census(const model::RoundInput& input, const model::Forecast& forecast,
                   const model::Memory& memory, const model::Policy& policy) {
    Census census;
    const bool by_signs = is_set_by_hand(policy);
    auto risk = forecast.nodes.begin();  // By slot, as the nodes are: both are walked once.
    input.snapshot.nodes.for_each([&](Slot slot, const NodeRow& node) {
        while (risk != forecast.nodes.end() && risk->node < slot) ++risk;
        const bool risky = risk != forecast.nodes.end() && risk->node == slot && over_limit(*risk);
        ++(powered_by_us(node, memory.ledger) ? census.asleep : census.nodes);
        if (node.ready == model::Readiness::yes) ++census.ready;
        if (disrupted_by_us(node, memory.ledger)) ++census.disrupted;
        if (!counts(node, memory.ledger)) return;
        ++census.counted;
        if (has_samples(node, input.now, policy.guard.metrics_age_max)) ++census.sampled;
        if (node.lease.value() == nullptr) ++census.lease_missing;
        const bool bad = node.ready != model::Readiness::yes ||
                         lease_lost(node, input.now, policy) || risky ||
                         (by_signs && ails(node, input.now));
        count_in(census.groups, node.zone, true, bad);
        count_in(census.groups, node.pool, false, bad);
        if (!bad) return;
        ++census.bad;
        census.bad_nodes.push_back(slot);
    });
    std::ranges::sort(census.groups, {}, [](const Group& g) { return std::pair(!g.zone, g.name); });
    return census;
}

std::string too_many_bad(const Census& census, const model::Snapshot& snapshot, Slot target,
                         const model::GuardRules& rules) {
    const bool left_out = std::ranges::binary_search(census.bad_nodes, target);
    const NodeRow* row = left_out ? &snapshot.nodes.at(target) : nullptr;
    const auto excess = excess_besides(census, row, rules);
    if (!excess) return {};
    std::string where;
    if (const Group* group = excess->group) {
        where = (group->zone ? " of zone " : " of pool ") + group->name.str();
    }
    if (row != nullptr) where += " besides " + row->id.text();
    return std::to_string(excess->bad) + " of " + std::to_string(excess->nodes) + " nodes" + where +
           " are bad, more than " + percent(rules.breaker_share);
}

model::Breaker next_breaker(const model::RoundInput& input, const model::Forecast& forecast,
                            const model::Memory& memory, const model::Policy& policy) {
    const model::Policy held = bounded(policy);
    const Census census = take_census(input, forecast, memory, held);
    const model::Breaker& last = memory.ledger.breaker;
    std::string why = rises_too_fast(census, memory.derived, held.guard);
    if (too_many_whoever(census, input.snapshot, held.guard)) {
        why = too_many_bad(census, input.snapshot, kNoSlot, held.guard);
    }
    if (!why.empty()) {
        return {.tripped = true,
                .since = last.tripped ? last.since : input.now,
                .quiet = {},
                .calm = false,
                .because = why};
    }
    if (!last.tripped) return {};
    const TimePoint quiet = last.calm ? last.quiet : input.now;
    if (input.now - quiet >= held.guard.breaker_quiet) return {};
    return {.tripped = true,
            .since = last.since,
            .quiet = quiet,
            .calm = true,
            .because = last.because};
}

int allowance(int nodes, bool all_others_ready, const model::GuardRules& rules) {
    constexpr int kFewest = 3;  // With fewer nodes, losing one leaves no spare.
    if (nodes < kFewest) return 0;
    if (nodes >= rules.allowance_one_in) return nodes / rules.allowance_one_in;
    return all_others_ready ? 1 : 0;
}

}  // namespace parley::guard
