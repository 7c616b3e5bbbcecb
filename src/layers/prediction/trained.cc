#include "layers/prediction/trained.h"

#include "base/math.h"
#include "base/random.h"
#include "layers/prediction/demand.h"
#include "layers/prediction/evidence.h"
#include "layers/prediction/node_features.h"
#include "model/sources.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace parley::prediction {
namespace {

using model::NodeForecast;

void name_missing(std::span<const float> row, NodeForecast& forecast) {
    const auto features = node_feature_list();
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!std::isfinite(row[i])) forecast.missing.add(features[i].signal);
    }
}

/// Everything besides the model's risk: demand, signals, and nodes that the model does not judge.
void judge_around(const NodeView& view, NodeForecast& forecast) {
    static const Evidence evidence;
    evidence.judge(view, forecast);
}

/// Gives each node the risk of another one, the same in every round: as many actions, but on the
/// wrong nodes.
void permute(const model::Snapshot& snapshot, std::uint64_t seed,
             std::vector<NodeForecast*>& spoken_of) {
    const auto key = [&](const NodeForecast* node) {
        const std::string name = snapshot.nodes.at(node->node).id.text();
        return std::pair(draw(seed, Stream::policy, entity_of(name), 0), name);
    };
    std::ranges::sort(spoken_of, {}, key);
    if (spoken_of.size() < 2) return;
    const auto first = spoken_of.front()->risk;
    for (std::size_t i = 0; i + 1 < spoken_of.size(); ++i) {
        spoken_of[i]->risk = spoken_of[i + 1]->risk;
    }
    spoken_of.back()->risk = first;
}

/// Factors from contributions to the log-odds, the strongest first.
void put_factors(std::span<const double> added, std::span<const float> row, std::size_t most,
                 model::RiskReasons& reasons) {
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const double x = std::fabs(added[a]);
        const double y = std::fabs(added[b]);
        return x != y ? x > y : a < b;
    });
    double rest = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t feature = order[i];
        if (i >= most || added[feature] == 0) {
            rest += added[feature];
            continue;
        }
        model::RiskFactor factor{.feature = std::string(node_feature_list()[feature].name),
                                 .factor = math::exp(added[feature])};
        if (std::isfinite(row[feature])) factor.value = row[feature];
        reasons.factors.push_back(std::move(factor));
    }
    reasons.others = math::exp(rest);
}

Duration horizon_of(const brain::Model& model) {
    return {static_cast<std::int64_t>(model.facts.horizons_s.front() * 1e6)};
}

double odds(double probability) { return probability / (1.0 - probability); }

/// The correction learned while this model was served; identity if there is none.
brain::Recalibration correction_of(const Round& round) {
    const model::Hindsight& past = round.memory.derived.hindsight;
    const bool its_own = round.brains.risk != nullptr && past.model == round.brains.risk->facts.id;
    if (!its_own || !past.correction) return {};
    return {past.correction->id, past.correction->a, past.correction->b};
}

/// Also keeps the probability within its limits if there is nothing to correct.
double corrected(const brain::Recalibration& correction, double probability) {
    return correction.id.empty() ? probability : brain::apply(correction, probability);
}

}  // namespace

bool model_speaks_of(const model::NodeRow& node) {
    return !model::set_aside(node) && node.ready == model::Readiness::yes;
}

bool by_load(const model::RiskReasons& reasons) {
    using model::Signal;
    const auto features = node_feature_list();
    for (const model::RiskFactor& factor : reasons.factors) {
        if (!(factor.factor > 1)) continue;
        const auto found = std::ranges::find(features, factor.feature, &Feature::name);
        if (found == features.end()) return false;
        return found->signal == Signal::cpu || found->signal == Signal::memory ||
               found->signal == Signal::net;
    }
    return false;
}

Round::Round(const model::RoundInput& of, const model::Memory& with, const model::Policy& by,
             const Brains& and_by)
    : input(of),
      memory(with),
      policy(by),
      brains(and_by),
      api_fresh(model::delivers(of.snapshot, model::Source::api, of.now, by.guard.api_age_max)),
      restarts(of.snapshot, model::restarts_in(with.derived.nodes), by.evidence.restarts_window,
               of.now) {}

NodeView Round::view_of(Slot slot) const {
    const model::NodeRow& node = input.snapshot.nodes.at(slot);
    const model::NodeFold* past = memory.derived.nodes.find(slot);
    if (past != nullptr && past->uid != node.uid) past = nullptr;
    return {node, past, input.now, api_fresh, policy, restarts.on(slot)};
}

bool speaks(const Brains& brains) { return brains.risk != nullptr || !brains.staged.told.empty(); }

std::string name_of(model::PredictorKind kind, const Brains& brains) {
    if (kind != model::PredictorKind::xgboost) return std::string(predictor_of(kind).name());
    if (!brains.staged.told.empty()) return "oracle";
    return brains.risk == nullptr ? "xgboost" : brains.risk->facts.id;
}

void note_brain(const Round& round, model::Forecast& forecast) {
    const brain::Model* brain = round.brains.risk.get();
    if (brain == nullptr) return;
    forecast.horizon = horizon_of(*brain);
    forecast.calibration = brain->calibration.id;
    forecast.features = kNodeFeatureVersion;
    const model::Hindsight& past = round.memory.derived.hindsight;
    if (past.model == brain->facts.id) forecast.correction = past.correction;
}

void judge_by_brain(const Round& round, std::vector<NodeForecast>& nodes) {
    std::vector<NodeForecast*> spoken_of;
    for (NodeForecast& node : nodes) {
        const NodeView view = round.view_of(node.node);
        judge_around(view, node);
        if (round.api_fresh && model_speaks_of(view.node)) spoken_of.push_back(&node);
    }
    if (!round.brains.staged.told.empty()) {
        const auto& told = round.brains.staged.told;
        for (NodeForecast* node : spoken_of) {
            node->risk = node->node < told.size() ? told[node->node] : std::nullopt;
        }
        return;
    }
    const brain::Model& brain = *round.brains.risk;
    const std::size_t columns = node_feature_list().size();
    const Neighbours neighbours(round.input, round.policy, round.memory.derived.fleet);
    std::vector<float> rows(spoken_of.size() * columns);
    for (std::size_t i = 0; i < spoken_of.size(); ++i) {
        const Slot slot = spoken_of[i]->node;
        const auto row = std::span(rows).subspan(i * columns, columns);
        node_features(round.view_of(slot), round.memory.derived.trails.find(slot), neighbours, row);
        name_missing(row, *spoken_of[i]);
    }
    std::vector<float> margins(spoken_of.size());
    brain::margins(brain.forest, rows, columns, margins);
    const brain::Recalibration correction = correction_of(round);
    for (std::size_t i = 0; i < spoken_of.size(); ++i) {
        spoken_of[i]->risk = corrected(correction, brain::apply(brain.calibration, margins[i]));
    }
    if (round.brains.staged.permuted_by) {
        permute(round.input.snapshot, *round.brains.staged.permuted_by, spoken_of);
    }
}

double usual_risk(const Round& round, const std::vector<NodeForecast>& nodes) {
    std::vector<double> risks;
    for (const NodeForecast& node : nodes) {
        const model::NodeRow& row = round.input.snapshot.nodes.at(node.node);
        if (node.risk && model_speaks_of(row)) risks.push_back(*node.risk);
    }
    if (risks.empty()) return 0;
    const auto middle = risks.begin() + static_cast<std::ptrdiff_t>((risks.size() - 1) / 2);
    std::ranges::nth_element(risks, middle);
    return *middle;
}

std::optional<model::RiskReasons> reasons_of(const Round& round, Slot node,
                                             std::size_t factors_max) {
    const brain::Model* brain = round.brains.risk.get();
    if (brain == nullptr || !round.api_fresh || !round.input.snapshot.nodes.has(node)) return {};
    const NodeView view = round.view_of(node);
    if (!model_speaks_of(view.node)) return {};
    std::vector<float> row(node_feature_list().size());
    node_features(view, round.memory.derived.trails.find(node),
                  Neighbours(round.input, round.policy, round.memory.derived.fleet), row);
    std::vector<double> added(row.size() + 1);
    brain::contributions(brain->forest, brain->paths, row, added);
    model::RiskReasons reasons{.node = node, .base = math::exp(added.back())};
    put_factors(std::span(added).first(row.size()), row, factors_max, reasons);
    const double margin = brain::margin(brain->forest, row);
    const double calibrated = brain::apply(brain->calibration, margin);
    reasons.calibration = odds(calibrated) / math::exp(margin);
    reasons.correction = odds(corrected(correction_of(round), calibrated)) / odds(calibrated);
    return reasons;
}

}  // namespace parley::prediction
