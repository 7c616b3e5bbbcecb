#include "replay/own_bound.h"

#include "base/number.h"
#include "layers/explanation/wording/wording.h"
#include "layers/proposal/shortage.h"
#include "model/sources.h"

#include <algorithm>

namespace parley::replay {

using namespace model;
using explanation::beside;
using explanation::pod_minutes;
using explanation::share_text;

namespace {

constexpr double kOutOfReach = 10;  // More than any share can be from its bound.

const NodeForecast* node_of(const Wanted& wanted, const RoundInput& input,
                            const Forecast& forecast) {
    const auto* id = std::get_if<NodeId>(&wanted.target);
    if (id == nullptr) return nullptr;
    return explanation::forecast_of(forecast, explanation::slot_of(input.snapshot, *id));
}

/// From which risk the prototype's agent A proposes an action.
double prototype_risk(ActionKind kind) {
    if (kind == ActionKind::replicate) return 0.83;
    return kind == ActionKind::migrate ? 0.70 : 0.50;
}

const Remedy* remedy_of(const NodeForecast& node, ActionKind kind) {
    const auto found = std::ranges::find(node.remedies, kind, &Remedy::kind);
    return found == node.remedies.end() ? nullptr : &*found;
}

double gain_of(const NodeForecast& node, const Remedy& remedy, double margin) {
    return *node.risk * node.loss * remedy.efficacy * remedy.timeliness - margin * remedy.cost;
}

std::optional<Distance> safety_distance(const Wanted& wanted, const NodeForecast& node,
                                        const Policy& policy) {
    if (!node.risk) return std::nullopt;
    const ActionKind kind = kind_of(wanted.action);
    const std::string name = text_of(wanted.target);
    Distance out{.what = "risk", .value = *node.risk, .bound = "above"};
    if (policy.profile == Profile::prototype) {
        out.bound = "from";
        out.limit = prototype_risk(kind);
        const auto [risk, limit] = beside(out.value, out.limit);
        out.sentence = "For " + name + ": risk " + risk + ", acts from " + limit + ".";
        out.gap = out.limit - out.value;
        return out;
    }
    const Remedy* remedy = remedy_of(node, kind);
    if (remedy == nullptr) return std::nullopt;
    out.limit = remedy->limit;
    out.gap = out.limit - out.value;
    if (remedy->efficacy <= 0) {
        out.gap += kOutOfReach;
        out.sentence = "For " + name + ": " + std::string(enum_name(kind)) +
                       " could have helped nothing that runs there.";
        return out;
    }
    const auto [risk, limit] = beside(out.value, out.limit);
    out.sentence = "For " + name + ": " + pod_minutes(*node.risk * node.loss) +
                   " pod-minutes (risk " + risk + " x " + pod_minutes(node.loss) + ") against " +
                   pod_minutes(remedy->cost) + ".";
    out.sentence += explanation::never_reached(out.value, out.limit)
                        ? " It would not have paid at any risk."
                        : " It would have from risk " + limit + ".";
    return out;
}

double demand_bound(const Wanted& wanted, const Policy& policy) {
    const EfficiencyRules& rules = efficiency_of(policy);
    switch (kind_of(wanted.action)) {
        case ActionKind::power_state:
            return rules.sleep_below;
        case ActionKind::dvfs:
            return rules.dvfs_below;
        default:
            return rules.balloon_below;
    }
}

bool wakes(const Wanted& wanted) {
    const auto* power = std::get_if<PowerState>(&wanted.action);
    return power != nullptr && power->state == PowerWish::on;
}

std::optional<Distance> efficiency_distance(const Wanted& wanted, const NodeForecast& node,
                                            const Policy& policy) {
    if (!node.demand || wakes(wanted)) return std::nullopt;
    Distance out{.what = "demand",
                 .value = *node.demand,
                 .bound = "below",
                 .limit = demand_bound(wanted, policy)};
    out.gap = out.value - out.limit;
    if (out.limit <= 0) {
        out.gap += kOutOfReach;
        out.sentence = "No demand is low enough for it: the policy sets its bound to 0.";
        return out;
    }
    const auto [demand, limit] = beside(out.value, out.limit);
    out.sentence =
        "For " + text_of(wanted.target) + ": demand " + demand + ", acts below " + limit + ".";
    return out;
}

std::int64_t pods_bound(const Wanted& wanted, const Policy& policy) {
    if (kind_of(wanted.action) == ActionKind::resource_cap) return policy.admission.cap_from;
    const auto* admission = std::get_if<Admission>(&wanted.action);
    const bool lower = admission != nullptr && admission->decision == AdmissionWish::deprioritize;
    return lower ? policy.admission.deprioritize_from : policy.admission.queue_from;
}

std::optional<Distance> admission_distance(const Wanted& wanted, const RoundInput& input,
                                           const Policy& policy) {
    if (!delivers(input.snapshot, Source::api, input.now, policy.guard.api_age_max)) {
        return std::nullopt;
    }
    // Each namespace counts for itself: the one that is shortest is nearest to an order.
    proposal::Shortage shortage;
    std::string where;
    for (const proposal::SpaceShortage& there : proposal::shortages_of(input.snapshot, policy)) {
        if (there.shortage.pods <= shortage.pods) continue;
        shortage = there.shortage;
        where = " in " + there.space.str();
    }
    std::int64_t pods = shortage.pods;
    std::string what = model::short_name(short_of(shortage)) + where;
    if (policy.profile == Profile::prototype) {
        const std::int64_t* queue = input.snapshot.queue.value();
        if (queue == nullptr) return std::nullopt;
        pods = *queue;
        what = "pending pods";
    }
    const std::int64_t bound = pods_bound(wanted, policy);
    Distance out{.what = what,
                 .value = static_cast<double>(pods),
                 .bound = "from",
                 .limit = static_cast<double>(bound),
                 .gap = static_cast<double>(bound - pods)};
    out.sentence = "There were " + std::to_string(pods) + " " + what + "; it acts from " +
                   std::to_string(bound) + ".";
    return out;
}

void safety_hindrances(const Wanted& wanted, const NodeForecast& node, const NodeRow& row,
                       const Policy& policy, std::vector<std::string>& out) {
    const std::string name = row.id.text();
    if (row.ready != Readiness::yes) out.push_back(name + " was lost already.");
    if (row.quarantined) out.push_back(name + " was under our quarantine already.");
    const Remedy* mine = remedy_of(node, kind_of(wanted.action));
    if (!node.risk || mine == nullptr || policy.profile == Profile::prototype) return;
    const double gain = gain_of(node, *mine, policy.stakes.margin);
    if (gain <= 0) return;
    const Remedy* best = mine;
    for (const Remedy& other : node.remedies) {
        if (gain_of(node, other, policy.stakes.margin) >
            gain_of(node, *best, policy.stakes.margin)) {
            best = &other;
        }
    }
    if (best == mine) return;
    out.push_back("It would have paid by " + pod_minutes(gain) + " pod-minutes, but " +
                  std::string(enum_name(best->kind)) + " by " +
                  pod_minutes(gain_of(node, *best, policy.stakes.margin)) + ".");
}

void efficiency_hindrances(const Wanted& wanted, const NodeForecast& node, const NodeRow& row,
                           const RoundInput& input, const Forecast& forecast, const Policy& policy,
                           std::vector<std::string>& out) {
    const std::string name = row.id.text();
    const Duration age_max = policy.guard.metrics_age_max;
    const ActionKind kind = kind_of(wanted.action);
    if (row.role == NodeRole::control_plane) out.push_back(name + " is a control plane.");
    if (row.ready != Readiness::yes) out.push_back(name + " was not Ready.");
    if (!wakes(wanted) && (row.cpu_used_m.fresh(input.now, age_max) == nullptr ||
                           row.memory_used.fresh(input.now, age_max) == nullptr)) {
        out.push_back("There was no fresh sample of what it uses.");
    }
    if (kind == ActionKind::power_state && !row.can_power) {
        out.push_back("No provider can switch " + name + ".");
    }
    if (kind == ActionKind::dvfs && !row.can_clock) {
        out.push_back("No provider can set the clock of " + name + ".");
    }
    if (!node.demand || wakes(wanted)) return;
    const NodeForecast* lowest = &node;
    for (const NodeForecast& other : forecast.nodes) {
        if (other.demand && *other.demand < *lowest->demand) lowest = &other;
    }
    if (lowest == &node) return;
    out.push_back("It takes the node of lowest demand for which there is something to do; " +
                  explanation::node_name(input.snapshot, lowest->node) + " had " +
                  share_text(*lowest->demand) + ".");
}

}  // namespace

std::optional<Distance> distance_of(const Wanted& wanted, const RoundInput& input,
                                    const Forecast& forecast, const Policy& policy) {
    if (wanted.role == Role::admission) return admission_distance(wanted, input, policy);
    const NodeForecast* node = node_of(wanted, input, forecast);
    if (node == nullptr) return std::nullopt;
    if (wanted.role == Role::safety) {
        auto out = safety_distance(wanted, *node, policy);
        const NodeRow* row = input.snapshot.nodes.find(node->node);
        // Nothing is nearer than a lost node's risk, and nothing further from being proposed.
        if (out && row != nullptr && row->ready != Readiness::yes) out->gap += kOutOfReach;
        return out;
    }
    return efficiency_distance(wanted, *node, policy);
}

std::optional<double> gain_at(const Wanted& wanted, const RoundInput& input,
                              const Forecast& forecast, double margin) {
    const NodeForecast* node = node_of(wanted, input, forecast);
    if (wanted.role != Role::safety || node == nullptr || !node->risk) return std::nullopt;
    const Remedy* remedy = remedy_of(*node, kind_of(wanted.action));
    if (remedy == nullptr) return std::nullopt;
    return gain_of(*node, *remedy, margin);
}

std::string rule_of(const Wanted& wanted, const Policy& policy) {
    const std::string agent = "Agent " + std::string(title_of(wanted.role));
    const std::string action = text_of(wanted.action);
    switch (wanted.role) {
        case Role::safety:
            if (policy.profile == Profile::prototype) {
                return agent +
                       " proposes for the node of highest risk: throttle from 0.50, "
                       "migrate from 0.70, replicate from 0.83.";
            }
            return agent + " proposes " + action + " when waiting costs more than acting, in " +
                   std::to_string(policy.stakes.rounds_over) + " of " +
                   std::to_string(policy.stakes.rounds_of) + " rounds.";
        case Role::efficiency:
            if (wakes(wanted)) return agent + " wakes a node when pods are short of room.";
            if (demand_bound(wanted, policy) <= 0) {
                return agent + " never proposes " + action + ": its bound of demand is 0.";
            }
            return agent + " proposes " + action + " for a node with demand below " +
                   share_text(demand_bound(wanted, policy)) + ".";
        case Role::admission:
            if (changes_nothing(wanted.action)) {
                return agent + " lifts an order when less than half of its bound waits.";
            }
            return agent + " proposes " + action + " from " +
                   std::to_string(pods_bound(wanted, policy)) + " pods that wait for room.";
        case Role::scaling:
            break;
    }
    return agent + " is not in this build.";
}

std::vector<std::string> hindrances(const Wanted& wanted, const RoundInput& input,
                                    const Forecast& forecast, const Policy& policy) {
    std::vector<std::string> out;
    const NodeForecast* node = node_of(wanted, input, forecast);
    const NodeRow* row = node != nullptr ? input.snapshot.nodes.find(node->node) : nullptr;
    if (row == nullptr) {
        if (std::holds_alternative<NodeId>(wanted.target)) {
            out.push_back(text_of(wanted.target) + " was not in the cluster then.");
        }
        return out;
    }
    if (set_aside(*row)) out.push_back(row->id.text() + " was set aside on purpose.");
    if (wanted.role == Role::safety) {
        if (!node->risk) {
            out.push_back(
                "Its risk was unknown: " +
                why_silent(input.snapshot, Source::api, input.now, policy.guard.api_age_max) + ".");
        }
        safety_hindrances(wanted, *node, *row, policy, out);
    } else if (wanted.role == Role::efficiency) {
        efficiency_hindrances(wanted, *node, *row, input, forecast, policy, out);
    }
    return out;
}

}  // namespace parley::replay
