#include "guard/owner_rules.h"

namespace parley::guard {
namespace {

Ruling maintenance_rule(Question& q) {
    if (!under_maintenance(*q.node)) return pass();
    return refuse(q.node->id.text() + " is under maintenance by someone else");
}

Ruling left_alone_rule(Question& q) {
    if (!q.node->left_alone) return pass();
    return refuse(q.node->id.text() + " asks to be left alone");
}

Ruling control_plane_rule(Question& q) {
    if (q.node->role != model::NodeRole::control_plane) return pass();
    return refuse(q.node->id.text() + " belongs to the control plane");
}

/// Doing it again would take the state that we made for the one to come back to.
Ruling already_rule(Question& q) {
    const std::string name = q.node->id.text();
    const bool out = disrupts(q) && q.node->quarantined;
    const bool throttled = is<model::Throttle>(q) && q.node->avoided;
    if (out || throttled) {
        return refuse(name + " is already " + (out ? "quarantined" : "throttled"));
    }
    const auto* power = std::get_if<model::PowerState>(&q.action);
    if (power != nullptr && enum_name(power->state) == enum_name(q.node->power)) {
        return refuse(name + " is already " + std::string(enum_name(power->state)));
    }
    const auto* dvfs = std::get_if<model::Dvfs>(&q.action);
    if (dvfs != nullptr && q.node->clock_ppm <= dvfs->clock_ppm) {
        return refuse("the clock of " + name + " is already at " +
                      std::to_string(q.node->clock_ppm / 10'000) + "%");
    }
    return pass();
}

/// What we may set of a workload: what nobody sets, or what was left to us by name.
std::string set_by(const model::WorkloadRow& row, model::ScaleOwner owner, const char* what) {
    using enum model::ScaleOwner;
    if (owner == nobody || owner == parley) return {};
    const std::string who = owner == hpa ? "an HPA" : owner == vpa ? "a VPA" : "someone else";
    return "the " + std::string(what) + " of " + row.id.text() + " are set by " + who;
}

/// Replicas and sizes may have different owners: only what is changed is asked about.
Ruling scale_owner_rule(Question& q) {
    const auto& scale = std::get<model::Scale>(q.action);
    const model::WorkloadRow& row = *q.workload;
    std::string why;
    if (scale.replicas.from != scale.replicas.to) why = set_by(row, row.scale_owner, "replicas");
    if (why.empty() && resizes(scale)) why = set_by(row, row.size_owner, "sizes");
    return by(std::move(why));
}

constexpr Rule kRules[] = {
    {"maintenance", acts_on_node, maintenance_rule},
    {"left-alone", acts_on_node, left_alone_rule},
    {"control-plane", acts_on_node, control_plane_rule},
    {"already", acts_on_node, already_rule},
    {"scale-owner", is<model::Scale>, scale_owner_rule},
};

}  // namespace

std::span<const Rule> owner_rules() { return kRules; }

}  // namespace parley::guard
