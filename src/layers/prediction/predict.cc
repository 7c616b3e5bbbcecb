#include "layers/prediction/predict.h"

#include "base/number.h"
#include "layers/prediction/demand.h"
#include "layers/prediction/demand_forecast.h"
#include "layers/prediction/evidence.h"
#include "layers/prediction/formula.h"
#include "layers/prediction/stakes.h"
#include "layers/prediction/trained.h"
#include "model/aside.h"
#include "model/sources.h"

#include <algorithm>
#include <map>
#include <string>

namespace parley::prediction {
namespace {

using model::NodeForecast;
using model::PredictorKind;

// The prototype's agent A acts from this risk on, whatever is at stake: its risk is not a
// probability.
constexpr double kPrototypeLimit = 0.50;
constexpr std::size_t kRisesForDanger = 3;

NodeForecast with_stakes(Slot slot, const Stakes& stakes, const model::Policy& policy) {
    NodeForecast forecast;
    forecast.node = slot;
    forecast.loss = stakes.loss;
    forecast.remedies = stakes.remedies;
    const bool prototype = policy.profile == model::Profile::prototype;
    forecast.limit = prototype ? kPrototypeLimit : stakes.limit;
    return forecast;
}

bool is_over(const NodeForecast& node, std::uint8_t before, double release_share) {
    const bool was = (before & 1U) != 0;
    if (!node.risk) return was;
    if (*node.risk > node.limit) return true;
    return was && *node.risk >= release_share * node.limit;
}

/// The time of the newest evidence for a risk: what the API last showed and, for predictors that
/// look at use, the oldest sample they saw.
TimePoint evidence_at(const model::RoundInput& input, const model::Policy& policy, Slot slot,
                      bool by_samples) {
    const model::SourceState* api = model::state_of(input.snapshot, model::Source::api);
    TimePoint at = api != nullptr ? api->last_success : TimePoint{};
    if (!by_samples) return at;
    const model::NodeRow& row = input.snapshot.nodes.at(slot);
    for (const auto* reading :
         {&row.cpu_used_m, &row.memory_used, &row.disk_used_ppm, &row.net_used_ppm}) {
        if (reading->fresh(input.now, policy.guard.metrics_age_max) == nullptr) continue;
        at = std::min(at, reading->from().measured);
    }
    return at;
}

/// The upper ends of node demand, where a demand model serves.
std::map<Slot, double> upper_ends(const model::Forecast& forecast) {
    std::map<Slot, double> out;
    for (const model::SeriesDemand& series : forecast.demand.series) {
        if (series.of == model::DemandOf::node) out[series.slot] = series.ahead.back().high;
    }
    return out;
}

/// The node with the highest risk among those that count as over their limit; among equals the
/// first by name.
const NodeForecast* worst_over(const model::Forecast& forecast, const model::Snapshot& snapshot,
                               const model::Derived& derived) {
    const NodeForecast* worst = nullptr;
    for (const NodeForecast& node : forecast.nodes) {
        const model::NodeFold* fold = derived.nodes.find(node.node);
        if (fold == nullptr || (fold->over & 1U) == 0) continue;
        if (worst == nullptr || node.risk > worst->risk ||
            (node.risk == worst->risk &&
             snapshot.nodes.at(node.node).id < snapshot.nodes.at(worst->node).id)) {
            worst = &node;
        }
    }
    return worst;
}

std::string over_text(const NodeForecast& node, const std::string& name, double release_share) {
    if (!node.risk) return name + " was over its own limit and its risk is unknown now";
    const std::string risk = fixed(*node.risk, 2);
    const std::string limit = fixed(node.limit, 2);
    if (*node.risk > node.limit) {
        return name + " is over its own limit: risk " + risk + ", acts above " + limit;
    }
    return name + " was over its own limit " + limit + ", and its risk " + risk +
           " is not yet below " + fixed(release_share * node.limit, 2);
}

bool rising(const std::vector<std::int64_t>& counts) {
    if (counts.size() < kRisesForDanger + 1) return false;
    for (std::size_t i = counts.size() - kRisesForDanger; i < counts.size(); ++i) {
        if (counts[i] <= counts[i - 1]) return false;
    }
    return true;
}

void append(std::string& sentence, const std::string& cause) {
    if (!sentence.empty()) sentence += "; ";
    sentence += cause;
}

}  // namespace

const Predictor& predictor_of(model::PredictorKind kind) {
    static const Evidence evidence;
    static const Formula formula;
    if (kind == model::PredictorKind::formula) return formula;
    return evidence;
}

bool sees_trails(const model::Policy& policy, const Brains& brains) {
    return brains.risk != nullptr &&
           (policy.predictor == PredictorKind::xgboost ||
            std::ranges::count(policy.brains.shadow, PredictorKind::xgboost) > 0);
}

namespace {

/// Lets one predictor judge every node; the stakes in the forecasts are kept.
void judge_all(PredictorKind kind, const Round& round, std::vector<NodeForecast>& nodes) {
    if (kind == PredictorKind::xgboost) return judge_by_brain(round, nodes);
    const Predictor& predictor = predictor_of(kind);
    for (NodeForecast& node : nodes) predictor.judge(round.view_of(node.node), node);
}

/// A moved pod meets the risk of its new node, so acting averts only the risk above that. A trained
/// model gives every node some risk, so limits are counted from the usual one.
void begin_limits_at(double usual, std::vector<NodeForecast>& nodes) {
    for (NodeForecast& node : nodes) {
        for (model::Remedy& remedy : node.remedies) {
            if (remedy.limit <= 1) remedy.limit += usual;
        }
        if (node.limit <= 1) node.limit += usual;
    }
}

model::Shadow shadow_of(PredictorKind kind, const Round& round,
                        const std::vector<NodeForecast>& nodes) {
    std::vector<NodeForecast> own;
    own.reserve(nodes.size());
    for (const NodeForecast& node : nodes) own.push_back({.node = node.node});
    judge_all(kind, round, own);
    model::Shadow shadow{.model = name_of(kind, round.brains)};
    shadow.risks.reserve(own.size());
    for (const NodeForecast& node : own) shadow.risks.push_back(node.risk);
    return shadow;
}

}  // namespace

model::Forecast predict(const model::RoundInput& input, const model::Memory& memory,
                        const model::Policy& policy, const Brains& brains) {
    const model::Snapshot& snapshot = input.snapshot;
    const Round round(input, memory, policy, brains);
    const bool lacking = policy.predictor == PredictorKind::xgboost && !speaks(brains);
    const PredictorKind kind = lacking ? PredictorKind::evidence : policy.predictor;

    model::Forecast forecast;
    forecast.model = name_of(kind, brains);
    forecast.horizon = policy.evidence.horizon;
    if (kind == PredictorKind::xgboost) note_brain(round, forecast);
    if (lacking) forecast.instead = "xgboost was asked for and no model is loaded";
    const std::vector<Stakes> stakes = stakes_of(snapshot, policy, forecast.horizon);
    forecast.nodes.reserve(snapshot.nodes.size());
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow&) {
        forecast.nodes.push_back(with_stakes(slot, stakes[slot], policy));
    });
    judge_all(kind, round, forecast.nodes);
    if (kind == PredictorKind::xgboost && policy.profile == model::Profile::parley) {
        forecast.usual = usual_risk(round, forecast.nodes);
        begin_limits_at(forecast.usual, forecast.nodes);
    }
    for (const PredictorKind other : policy.brains.shadow) {
        if (other == kind || (other == PredictorKind::xgboost && !speaks(brains))) continue;
        forecast.shadows.push_back(shadow_of(other, round, forecast.nodes));
    }
    forecast.workloads = workload_demands(snapshot, input.now, policy.guard.metrics_age_max);
    if (serves_demand(policy, brains)) {
        note_demand(*brains.demand, memory.derived.demand, forecast);
    }
    return forecast;
}

void note_over(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived) {
    const bool by_samples = policy.predictor != PredictorKind::evidence && forecast.instead.empty();
    for (const NodeForecast& node : forecast.nodes) {
        const model::NodeFold* fold = derived.nodes.find(node.node);
        if (fold == nullptr) continue;
        const TimePoint newest = evidence_at(input, policy, node.node, by_samples);
        if (newest <= fold->over_at) continue;  // Already counted.
        const unsigned now = is_over(node, fold->over, policy.stakes.release_share) ? 1U : 0U;
        const auto next =
            static_cast<std::uint8_t>((static_cast<unsigned>(fold->over) << 1U) | now);
        if (next == fold->over) continue;
        model::NodeFold& edited = derived.nodes.edit(node.node);
        edited.over = next;
        edited.over_at = newest;
    }
}

void note_idle(const model::Forecast& forecast, const model::RoundInput& input,
               const model::Policy& policy, model::Derived& derived) {
    const double bound = model::efficiency_of(policy).sleep_below;
    const std::map<Slot, double> upper = upper_ends(forecast);
    for (const NodeForecast& node : forecast.nodes) {
        const model::NodeRow* row = input.snapshot.nodes.find(node.node);
        const model::NodeFold* fold = derived.nodes.find(node.node);
        if (row == nullptr || fold == nullptr || !row->can_power) continue;
        const Duration age_max = policy.guard.metrics_age_max;
        const bool seen = node.demand && row->cpu_used_m.fresh(input.now, age_max) != nullptr &&
                          row->memory_used.fresh(input.now, age_max) != nullptr;
        if (!seen) {
            if (fold->idle != 0) derived.nodes.edit(node.node).idle = 0;
            continue;
        }
        const TimePoint measured =
            std::min(row->cpu_used_m.from().measured, row->memory_used.from().measured);
        if (measured <= fold->idle_at) continue;
        const auto high = upper.find(node.node);
        const double demand =
            high != upper.end() ? std::max(high->second, *node.demand) : *node.demand;
        model::NodeFold& edited = derived.nodes.edit(node.node);
        edited.idle = static_cast<std::uint8_t>((static_cast<unsigned>(edited.idle) << 1U) |
                                                (demand < bound ? 1U : 0U));
        edited.idle_at = measured;
    }
}

void judge_danger(model::Forecast& forecast, const model::RoundInput& input,
                  const model::Memory& memory, const model::Policy& policy) {
    std::string causes;
    if (const NodeForecast* worst = worst_over(forecast, input.snapshot, memory.derived)) {
        append(causes, over_text(*worst, input.snapshot.nodes.at(worst->node).id.text(),
                                 policy.stakes.release_share));
    }
    const model::Breaker& breaker = memory.ledger.breaker;
    if (breaker.tripped) {
        append(causes, "the breaker is tripped" +
                           (breaker.because.empty() ? "" : model::breaker_aside(breaker.because)));
    }
    if (rising(memory.derived.violations)) {
        append(causes, "violations rose for 3 rounds, to " +
                           std::to_string(memory.derived.violations.back()));
    }
    forecast.danger = !causes.empty();
    forecast.danger_because = causes;
}

}  // namespace parley::prediction
