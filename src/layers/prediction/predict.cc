#include "layers/prediction/predict.h"

#include "base/number.h"
#include "layers/prediction/demand.h"
#include "layers/prediction/evidence.h"
#include "layers/prediction/formula.h"
#include "layers/prediction/stakes.h"
#include "model/sources.h"

#include <string>

namespace parley::prediction {
namespace {

using model::NodeForecast;

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

model::Forecast predict(const model::RoundInput& input, const model::Memory& memory,
                        const model::Policy& policy) {
    const model::Snapshot& snapshot = input.snapshot;
    const Predictor& predictor = predictor_of(policy.predictor);
    const bool api_fresh =
        model::delivers(snapshot, model::Source::api, input.now, policy.guard.api_age_max);
    const std::vector<Stakes> stakes = stakes_of(snapshot, policy);

    model::Forecast forecast;
    forecast.model = predictor.name();
    forecast.horizon = policy.evidence.horizon;
    forecast.nodes.reserve(snapshot.nodes.size());
    snapshot.nodes.for_each([&](Slot slot, const model::NodeRow& node) {
        NodeForecast& out = forecast.nodes.emplace_back(with_stakes(slot, stakes[slot], policy));
        const model::NodeFold* past = memory.derived.nodes.find(slot);
        if (past != nullptr && past->uid != node.uid) past = nullptr;
        predictor.judge({node, past, input.now, api_fresh, policy}, out);
    });
    forecast.workloads = workload_demands(snapshot, input.now, policy.guard.metrics_age_max);
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
