#include "layers/proposal/prototype.h"

#include "base/number.h"
#include "model/aside.h"
#include "model/utilisation.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace parley::proposal {

using model::AdmissionWish;
using model::NodeForecast;
using model::NodeRow;

namespace {

constexpr double kReplicateFrom = 0.83;
constexpr double kMigrateFrom = 0.70;
constexpr double kThrottleFrom = 0.50;
constexpr double kThrottleUseless = 0.72;
constexpr double kOverloaded = 0.85;
constexpr const model::EfficiencyRules& kBounds = model::kPrototypeEfficiency;
constexpr std::int64_t kAdmitsFreelyBelow = 20;
constexpr std::int64_t kQueueFrom = kPrototypeAdmission.queue_from;
constexpr std::int64_t kDeprioritizeFrom = kPrototypeAdmission.deprioritize_from;
constexpr std::int64_t kCapFrom = kPrototypeAdmission.cap_from;

const std::int64_t* queue_of(const View& view) {
    return view.input.snapshot.queue.fresh(view.input.now, view.policy.guard.api_age_max);
}

const std::int64_t* violations_of(const View& view) {
    return view.input.snapshot.violations.fresh(view.input.now, view.policy.guard.api_age_max);
}

model::Utilisation use_of(const View& view, const NodeRow& node) {
    return model::prototype_utilisation(node, view.input.now, view.policy.guard.metrics_age_max);
}

std::string count_text(const std::int64_t* count) { return count ? std::to_string(*count) : "?"; }

/// The node with the most extreme figure, by `more`; among equals the first by name. Nodes whose
/// figure is missing or not finite are left out.
template <class Figure, class More>
const NodeForecast* extreme(const View& view, Figure figure, More more) {
    const auto& nodes = view.input.snapshot.nodes;
    const NodeForecast* best = nullptr;
    for (const NodeForecast& node : view.forecast.nodes) {
        const std::optional<double>& value = node.*figure;
        if (!value || !std::isfinite(*value) || !nodes.has(node.node)) continue;
        if (best == nullptr || more(*value, *(best->*figure)) ||
            (*value == *(best->*figure) && nodes.at(node.node).id < nodes.at(best->node).id)) {
            best = &node;
        }
    }
    return best;
}

/// Whether throttling would not help: the cluster is under pressure, and not from this node's load.
bool throttle_is_useless(const View& view, const NodeRow& node) {
    const std::int64_t* violations = violations_of(view);
    const std::int64_t* queue = queue_of(view);
    const bool pressed =
        violations == nullptr || queue == nullptr || *violations > 0 || *queue >= kDeprioritizeFrom;
    const model::Utilisation use = use_of(view, node);
    return pressed && use.cpu && use.memory && std::max(*use.cpu, *use.memory) < kThrottleUseless;
}

model::Action safety_action(const View& view, double risk, const NodeRow& node) {
    if (risk >= kReplicateFrom) return model::Replicate{};
    if (risk >= kMigrateFrom) return model::Migrate{};
    if (risk >= kThrottleFrom && !throttle_is_useless(view, node)) return model::Throttle{};
    return model::Noop{};
}

model::Action efficiency_action(double demand) {
    if (demand < kBounds.sleep_below) return model::PowerState{.state = model::PowerWish::sleep};
    if (demand < kBounds.dvfs_below) return model::Dvfs{.clock_ppm = 650'000};
    if (demand < kBounds.balloon_below) return model::MemoryBalloon{.scale_ppm = 750'000};
    return model::Noop{};
}

/// Figures of agents B and C about the cluster as a whole.
struct Totals {
    std::int64_t nodes = 0;
    std::int64_t known = 0;
    std::int64_t overloaded = 0;
    double cpu = 0;     ///< Sum over known nodes.
    double memory = 0;  ///< Sum over known nodes.
    double watts = 0;   ///< Estimated, over known nodes.
    const NodeRow* fullest = nullptr;
    double fullest_at = 0;
};

/// Summed in order of names: in order of slots, the last bit would depend on the slots.
Totals totals_of(const View& view) {
    std::vector<const NodeRow*> nodes;
    nodes.reserve(view.input.snapshot.nodes.size());
    view.input.snapshot.nodes.for_each([&](Slot, const NodeRow& node) { nodes.push_back(&node); });
    std::ranges::sort(nodes, {}, [](const NodeRow* node) { return node->id; });
    Totals totals;
    totals.nodes = static_cast<std::int64_t>(nodes.size());
    const model::PowerRules& power = view.policy.power;
    for (const NodeRow* node : nodes) {
        const model::Utilisation use = use_of(view, *node);
        if (!use.cpu || !use.memory) continue;
        ++totals.known;
        totals.cpu += *use.cpu;
        totals.memory += *use.memory;
        totals.watts += power.idle_w + power.cpu_w * *use.cpu + power.memory_w * *use.memory;
        if (*use.cpu > kOverloaded || *use.memory > kOverloaded) ++totals.overloaded;
        const double full = *use.cpu + *use.memory;
        if (totals.fullest == nullptr || full > totals.fullest_at) {
            totals.fullest = node;
            totals.fullest_at = full;
        }
    }
    return totals;
}

model::Proposal admit(AdmissionWish decision, double score) {
    return {.role = model::Role::admission,
            .action = model::Admission{.decision = decision},
            .score = score};
}

model::Proposal cap(const Totals& totals) {
    model::Proposal out{.role = model::Role::admission,
                        .action = model::ResourceCap{.cpu_ppm = 850'000, .memory_ppm = 850'000},
                        .score = 1.0};
    if (totals.fullest != nullptr) out.target = totals.fullest->id;
    return out;
}

model::Proposal admission_rule(const std::int64_t* queue, const std::int64_t* violations,
                               const Totals& totals) {
    if (queue == nullptr) return admit(AdmissionWish::admit, 0.5);
    if (*queue >= kCapFrom) return cap(totals);
    if (*queue >= kDeprioritizeFrom) return admit(AdmissionWish::deprioritize, 0.95);
    if (*queue >= kQueueFrom) return admit(AdmissionWish::queue, 0.90);
    if (violations != nullptr && *violations > 0 && *queue > 0) {
        return admit(AdmissionWish::reject, 0.85);
    }
    const std::int64_t many = std::max<std::int64_t>(1, totals.nodes / 2);
    if (totals.overloaded >= many) return cap(totals);
    if (*queue < kAdmitsFreelyBelow && totals.overloaded == 0) {
        return admit(AdmissionWish::admit, 1.0);
    }
    return admit(AdmissionWish::admit, 0.5);
}

}  // namespace

double prototype_risk_from(model::ActionKind kind) {
    if (kind == model::ActionKind::replicate) return kReplicateFrom;
    return kind == model::ActionKind::migrate ? kMigrateFrom : kThrottleFrom;
}

model::Proposal prototype_safety(const View& view) {
    const NodeForecast* worst = extreme(view, &NodeForecast::risk, std::greater<>{});
    model::Proposal out{.role = model::Role::safety, .action = model::Noop{}};
    if (worst == nullptr) {
        out.because = "risk unknown for every node";
        return out;
    }
    const NodeRow& node = view.input.snapshot.nodes.at(worst->node);
    out.action = safety_action(view, *worst->risk, node);
    out.target = node.id;
    out.score = *worst->risk;
    out.evidence = {.what = "risk",
                    .value = *worst->risk,
                    .bound = "from",
                    .limit = kThrottleFrom,
                    .measure = model::Measure::risk};
    out.because = "risk " + fixed(*worst->risk, 3) + " on " + node.id.text() + ", " +
                  count_text(violations_of(view)) + " SLA violations";
    return out;
}

model::Proposal prototype_efficiency(const View& view) {
    const NodeForecast* least = extreme(view, &NodeForecast::demand, std::less<>{});
    model::Proposal out{.role = model::Role::efficiency, .action = model::Noop{}};
    if (least == nullptr) {
        out.because = "demand unknown for every node";
        return out;
    }
    const NodeRow& node = view.input.snapshot.nodes.at(least->node);
    out.action = efficiency_action(*least->demand);
    out.target = node.id;
    out.score = 1 - *least->demand;
    out.evidence = {.what = "demand",
                    .value = *least->demand,
                    .bound = "below",
                    .limit = kBounds.balloon_below,
                    .measure = model::Measure::demand};
    out.because = "demand " + fixed(*least->demand, 3) + " on " + node.id.text() + ", about " +
                  fixed(totals_of(view).watts, 0) + " W in all" +
                  model::estimated_aside(view.policy.power.source);
    return out;
}

model::Proposal prototype_admission(const View& view) {
    const std::int64_t* queue = queue_of(view);
    const Totals totals = totals_of(view);
    model::Proposal out = admission_rule(queue, violations_of(view), totals);
    const auto mean = [&](double sum) {
        return totals.known > 0 ? fixed(sum / static_cast<double>(totals.known), 3) : "?";
    };
    if (queue != nullptr) {
        out.evidence = {.what = "pending pods",
                        .value = static_cast<double>(*queue),
                        .bound = "from",
                        .limit = kQueueFrom,
                        .measure = model::Measure::count};
    }
    out.because = "queue " + count_text(queue) + ", mean cpu " + mean(totals.cpu) + ", mean mem " +
                  mean(totals.memory);
    return out;
}

}  // namespace parley::proposal
