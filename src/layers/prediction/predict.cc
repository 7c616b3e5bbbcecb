#include "layers/prediction/predict.h"

#include "base/number.h"
#include "layers/prediction/demand.h"
#include "layers/prediction/demand_forecast.h"
#include "layers/prediction/evidence.h"
#include "layers/prediction/formula.h"
#include "layers/prediction/stakes.h"
#include "layers/prediction/trained.h"

#include <algorithm>
#include <string>

namespace parley::prediction {
namespace {

using model::NodeForecast;
using model::PredictorKind;

// The prototype's agent A acts from here, whatever is at stake: its risk is no probability.
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

/// The node that counts as over its limit with the highest risk; of equals, the first by name.
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

/// Lets one predictor judge every node; forecasts keep what they hold of stakes.
void judge_all(PredictorKind kind, const Round& round, std::vector<NodeForecast>& nodes) {
    if (kind == PredictorKind::xgboost) return judge_by_brain(round, nodes);
    const Predictor& predictor = predictor_of(kind);
    for (NodeForecast& node : nodes) predictor.judge(round.view_of(node.node), node);
}

/// Moved pods meet the risk of wherever they go: what acting averts is the risk above that. A
/// trained model gives every node some, so its limits begin at what is usual.
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

void note_over(const model::Forecast& forecast, const model::Policy& policy,
               model::Derived& derived) {
    for (const NodeForecast& node : forecast.nodes) {
        const model::NodeFold* fold = derived.nodes.find(node.node);
        if (fold == nullptr) continue;
        const unsigned now = is_over(node, fold->over, policy.stakes.release_share) ? 1U : 0U;
        const auto next =
            static_cast<std::uint8_t>((static_cast<unsigned>(fold->over) << 1U) | now);
        if (next != fold->over) derived.nodes.edit(node.node).over = next;
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
                           (breaker.because.empty() ? "" : " (" + breaker.because + ")"));
    }
    if (rising(memory.derived.violations)) {
        append(causes, "violations rose for 3 rounds, to " +
                           std::to_string(memory.derived.violations.back()));
    }
    forecast.danger = !causes.empty();
    forecast.danger_because = causes;
}

}  // namespace parley::prediction
