#include "layers/execution/prototype_reward.h"

#include "base/math.h"
#include "model/utilisation.h"
#include "model/watched.h"

#include <algorithm>
#include <cmath>

namespace parley::execution {

using namespace model;

namespace {

double as_double(std::int64_t n) { return static_cast<double>(n); }

bool any_dead(const Snapshot& snapshot, const Policy& policy) {
    bool dead = false;
    snapshot.pods.for_each_glance([&](Slot, const PodRow::Glance& pod) {
        if (!pod.terminating && pod.phase != PodPhase::failed) return;
        const WorkloadRow* row = snapshot.workloads.find(pod.workload);
        dead = dead || (row != nullptr && watched(policy.namespaces, row->id.space));
    });
    return dead;
}

/// The prototype has no gaps: what it cannot see is zero.
std::int64_t or_zero(const Reading<std::int64_t>& reading) {
    const std::int64_t* value = reading.value();
    return value != nullptr ? *value : 0;
}

const PrototypeNode* target_of(const PrototypeRow& row, const Proposal& chosen) {
    const auto* id = std::get_if<NodeId>(&chosen.target);
    if (id == nullptr) return nullptr;
    const auto node = std::ranges::find(row.nodes, *id, &PrototypeNode::id);
    return node == row.nodes.end() ? nullptr : &*node;
}

/// What a safety action earns at risk r.
double safety_term(const Action& action, double r) {
    if (std::holds_alternative<Migrate>(action)) {
        if (r >= 0.70) return 10;
        return r < 0.40 ? -20 : 0;
    }
    if (std::holds_alternative<Replicate>(action)) return r >= 0.83 ? 8 : 0;
    if (std::holds_alternative<Throttle>(action)) return r >= 0.50 ? 3 : 0;
    return 0;
}

double safety_of(const PrototypeRow& row, const Proposal* chosen, bool live) {
    double reward = 1;
    const double n = as_double(row.violations);
    if (chosen != nullptr && chosen->role == Role::safety) {
        const PrototypeNode* node = target_of(row, *chosen);
        const double term = node != nullptr ? safety_term(chosen->action, node->risk) : 0;
        reward += term;
        if (term > 0 && row.violations > 0 && live) reward += std::min(16.0, 4 + 0.1 * n);
    }
    if (row.dead_task) reward -= 100;
    if (row.violations > 0 && live) reward -= std::min(35.0, 5 + 5 * math::log(1 + n));
    return reward;
}

bool saves_energy(const Action& action) {
    return std::holds_alternative<PowerState>(action) || std::holds_alternative<Dvfs>(action) ||
           std::holds_alternative<MemoryBalloon>(action);
}

double efficiency_of(const PrototypeRow& row, const Proposal* chosen, bool live) {
    double reward = 1;
    if (chosen != nullptr && chosen->role == Role::efficiency && saves_energy(chosen->action)) {
        double demand = 0;
        for (const PrototypeNode& node : row.nodes) demand = std::max(demand, node.demand);
        if (demand < 0.35) reward += 5;
        if (demand > 0.75) reward -= 30;
    }
    if (live) reward += std::max(0.0, (500 - row.watts) / 100);
    return reward;
}

double admission_term(const Action& action, std::int64_t queue) {
    if (std::holds_alternative<ResourceCap>(action)) return queue >= 80 ? 4 : 0;
    const auto* admission = std::get_if<Admission>(&action);
    if (admission == nullptr) return 0;
    switch (admission->decision) {
        case AdmissionWish::admit:
            if (queue > 120) return -50;
            return queue < 80 ? 5 : 0;
        case AdmissionWish::deprioritize:
            return queue >= 80 ? 3 : 0;
        case AdmissionWish::reject:
            return queue < 60 ? -20 : 0;
        case AdmissionWish::queue:
            break;
    }
    return 0;
}

double admission_of(const PrototypeRow& row, const Proposal* chosen, bool live) {
    double reward = 1;
    if (chosen != nullptr && chosen->role == Role::admission) {
        reward += admission_term(chosen->action, row.queue);
    }
    if (live) reward += std::min(10.0, as_double(row.completed) / 10);
    return reward;
}

}  // namespace

PrototypeRow prototype_row(const RoundInput& input, const Forecast& forecast,
                           const Policy& policy) {
    const Snapshot& snapshot = input.snapshot;
    PrototypeRow row{.queue = or_zero(snapshot.queue),
                     .violations = or_zero(snapshot.violations),
                     .completed = or_zero(snapshot.completed),
                     .dead_task = any_dead(snapshot, policy)};
    for (const NodeForecast& node : forecast.nodes) {
        const NodeRow* shown = snapshot.nodes.find(node.node);
        if (shown == nullptr) continue;
        const Utilisation use =
            prototype_utilisation(*shown, input.now, policy.guard.metrics_age_max);
        row.nodes.push_back({.id = shown->id,
                             .cpu = use.cpu ? *use.cpu : 0,
                             .memory = use.memory ? *use.memory : 0,
                             .net = as_double(or_zero(shown->net_used_ppm)) / 1e6,
                             .risk = node.risk ? *node.risk : 0,
                             .demand = node.demand ? *node.demand : 0});
    }
    std::ranges::sort(row.nodes, {}, &PrototypeNode::id);
    for (const PrototypeNode& node : row.nodes) {
        row.watts += policy.power.idle_w + policy.power.cpu_w * node.cpu +
                     policy.power.memory_w * node.memory;
    }
    return row;
}

PrototypeReward prototype_reward(const PrototypeRow& row, const Proposal* chosen,
                                 const Weights& weights) {
    const bool live = row.violations > 0 || row.completed > 0 || row.watts > 0;
    PrototypeReward reward{.safety = safety_of(row, chosen, live),
                           .efficiency = efficiency_of(row, chosen, live),
                           .admission = admission_of(row, chosen, live)};
    reward.total = weights[Role::safety] * reward.safety +
                   weights[Role::efficiency] * reward.efficiency +
                   weights[Role::admission] * reward.admission;
    return reward;
}

}  // namespace parley::execution
