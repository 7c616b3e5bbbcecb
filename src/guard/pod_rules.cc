#include "guard/pod_rules.h"

#include "model/opt_in.h"

#include <algorithm>

namespace parley::guard {
namespace {

Ruling opted_in_at(const Question& q, std::string_view space) {
    const model::ActionKind kind = kind_of(q.action);
    if (opted_in(q.facts.policy(), kind, space)) return pass();
    return refuse(std::string(enum_name(kind)) + " is not allowed in namespace " +
                  std::string(space));
}

/// A node action concerns every namespace with pods on the node; protected ones are never touched.
Ruling opted_in_on_node(Question& q) {
    for (const Tenant& tenant : q.tenants()) {
        if (tenant.row == nullptr) return refuse("a pod on " + text_of(q.target) + " is of nobody");
        if (tenant.row->protect) continue;
        Ruling ruling = opted_in_at(q, tenant.row->id.space.view());
        if (ruling.refused) return ruling;
    }
    return pass();
}

/// The namespaces that an action of agent C names; null: it is not such an action.
const std::vector<Name>* spaces_of(const model::Action& action) {
    if (const auto* order = std::get_if<model::Admission>(&action)) return &order->spaces;
    if (const auto* cap = std::get_if<model::ResourceCap>(&action)) return &cap->spaces;
    return nullptr;
}

/// An order applies in those of its namespaces that allow it; at least one must.
Ruling opted_in_of(const Question& q, const std::vector<Name>& spaces) {
    Ruling first = pass();
    for (const Name& space : spaces) {
        Ruling ruling = opted_in_at(q, space.view());
        if (!ruling.refused) return ruling;
        if (!first.refused) first = std::move(ruling);
    }
    return first;
}

Ruling opt_in_rule(Question& q) {
    if (const auto* id = std::get_if<model::WorkloadId>(&q.target)) {
        return opted_in_at(q, id->space.view());
    }
    if (const auto* space = std::get_if<model::NamespaceId>(&q.target)) {
        return opted_in_at(q, space->name.view());
    }
    const std::vector<Name>* spaces = spaces_of(q.action);
    if (spaces != nullptr && !spaces->empty()) return opted_in_of(q, *spaces);
    const model::ActionKind kind = kind_of(q.action);
    const model::Policy& policy = q.facts.policy();
    if (!opted_in_somewhere(policy, kind)) {
        return refuse(std::string(enum_name(kind)) + " is allowed in no namespace");
    }
    return opted_in_everywhere(policy, kind) || !acts_on_node(q) ? pass() : opted_in_on_node(q);
}

bool needs_opt_in(const Question& q) { return q.facts.controls().mode != model::Mode::observe; }

/// Evictions on a node that is unreachable leave pods Terminating for ever.
Ruling unreachable_rule(Question& q) {
    const bool lost = lease_lost(*q.node, q.facts.now(), q.facts.policy());
    if (!lost && q.node->ready != model::Readiness::unknown) return pass();
    return refuse(q.node->id.text() +
                  " cannot be reached, so that evicted pods would stay Terminating");
}

/// The rule by which a tenant's pods have to stay, and why; empty: they may move.
struct Stay {
    std::string_view rule;
    std::string reason;
};

Stay stay_of(const Tenant& t) {
    if (t.row == nullptr) return {"unmovable", "must not be evicted"};
    if (t.row->protect) return {"protected", "is protected"};
    if (t.unmovable > 0) {
        return {"unmovable",
                "has " + std::to_string(t.unmovable) + " pods that must not be evicted"};
    }
    if (t.row->quorum) return {"quorum", "may lose its quorum"};
    // A Job serves nobody: its pod simply starts again elsewhere.
    const bool last = !t.row->batch && t.ready > 0 && t.row->ready <= 1;
    if (last) return {"last-replica", "has its last ready replica there"};
    if (!t.row->has_budget || t.row->disruptions_allowed > 0) return {};
    return {"budget", "has a disruption budget that allows 0 now"};
}

std::string why_it_stays(const Tenant& tenant) { return stay_of(tenant).reason; }

/// Powering down empties the node, so every tenant must be able to leave.
Ruling all_may_go(Question& q, std::string_view rule) {
    for (const Tenant& tenant : q.tenants()) {
        const Stay stay = stay_of(tenant);
        if (stay.rule != rule) continue;
        return refuse(name_of(tenant) + " on " + q.node->id.text() + " " + stay.reason);
    }
    return pass();
}

/// Refuses only if `why_not` has a reason for every tenant; a tenant with a reason is merely left
/// alone.
Ruling somebody(Question& q, const char* verb, std::string (*why_not)(const Tenant&)) {
    std::string reasons;
    for (const Tenant& tenant : q.tenants()) {
        const std::string why = why_not(tenant);
        if (why.empty()) return pass();
        reasons += (reasons.empty() ? ": " : "; ") + name_of(tenant) + " " + why;
    }
    return refuse("nothing on " + q.node->id.text() + " can be " + verb + reasons);
}

Ruling movable_rule(Question& q) { return somebody(q, "moved", why_it_stays); }
Ruling replicable_rule(Question& q) { return somebody(q, "replicated", cannot_replicate); }

/// Pods that a replicate adds for a tenant: as many as it has there, at most a quarter of it.
int copies_of(const Tenant& tenant) {
    if (!cannot_replicate(tenant).empty()) return 0;
    return std::min(tenant.pods, (tenant.row->wanted + 3) / 4);
}

Ruling fits_rule(Question& q) {
    std::vector<Need> needs;
    for (const Tenant& tenant : q.tenants()) {
        const bool stays = is<model::Migrate>(q) && !why_it_stays(tenant).empty();
        const int pods = stays ? 0 : drains(q) ? tenant.pods : copies_of(tenant);
        for (int i = 0; i < pods; ++i)
            needs.push_back(need_of(tenant, static_cast<std::size_t>(i)));
        if (drains(q)) continue;
        // Copies are new pods of the same kind.
        for (Need& need : needs) need.pod.clear();
    }
    return by(nowhere_to_go(q.facts, q.slot, std::move(needs)));
}

constexpr Rule kRules[] = {
    {"unreachable", drains, unreachable_rule},
    {"opt-in", needs_opt_in, opt_in_rule},
    {"protected", powers_down, [](Question& q) { return all_may_go(q, "protected"); }},
    {"unmovable", powers_down, [](Question& q) { return all_may_go(q, "unmovable"); }},
    {"quorum", powers_down, [](Question& q) { return all_may_go(q, "quorum"); }},
    {"last-replica", powers_down, [](Question& q) { return all_may_go(q, "last-replica"); }},
    {"budget", powers_down, [](Question& q) { return all_may_go(q, "budget"); }},
    {"movable", is<model::Migrate>, movable_rule},
    {"replicable", is<model::Replicate>, replicable_rule},
    {"fits-elsewhere", disrupts, fits_rule},
};

}  // namespace

std::span<const Rule> pod_rules() { return kRules; }

std::string cannot_replicate(const Tenant& tenant) {
    if (tenant.row == nullptr) return "is unknown";
    const model::WorkloadRow& row = *tenant.row;
    if (row.id.kind != model::WorkloadKind::deployment) return "is no Deployment";
    if (row.protect) return "is protected";
    if (row.wanted < 2) return "wants fewer than 2 replicas";
    if (row.recreate) return "has strategy Recreate";
    if (row.rwo_volume) return "holds a volume that one node may mount";
    if (row.scale_owner != model::ScaleOwner::nobody) return "is scaled by someone else";
    return "";
}

}  // namespace parley::guard
