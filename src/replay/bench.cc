#include "replay/bench.h"

#include "base/number.h"
#include "base/time_text.h"
#include "guard/guard.h"
#include "layers/execution/ledger_fold.h"
#include "layers/explanation/wording/configured.h"
#include "layers/explanation/wording/wording.h"
#include "layers/prediction/demand_forecast.h"
#include "layers/prediction/features.h"
#include "layers/prediction/node_trail.h"
#include "layers/prediction/predict.h"
#include "layers/prediction/stakes.h"
#include "layers/proposal/propose.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace parley::replay {

using namespace model;

namespace {

/// A setting that is not as it is by default.
struct Changed {
    std::string key;  ///< "policy.evidence.pressure".
    std::string is;
    std::string usual;
    std::function<void(Policy&)> reset;
};

std::string shown(double value) { return print_double(value); }
std::string shown(std::int32_t count) { return std::to_string(count); }
std::string shown(Duration value) { return print_duration(value); }

template <auto Part>
void add_changed(const std::string& part, const Policy& policy, std::vector<Changed>& out) {
    const Policy defaults;
    using Rules = std::remove_cvref_t<decltype(defaults.*Part)>;
    boost::mp11::mp_for_each<MembersOf<Rules>>([&](auto member) {
        const auto is = member.of(policy.*Part);
        const auto usual = member.of(defaults.*Part);
        if (is == usual) return;
        const auto reset = [member, usual](Policy& other) { member.of(other.*Part) = usual; };
        out.push_back({"policy." + part + "." + member.name, shown(is), shown(usual), reset});
    });
}

std::vector<Changed> changed_in(const Policy& policy) {
    std::vector<Changed> out;
    add_changed<&Policy::evidence>("evidence", policy, out);
    add_changed<&Policy::stakes>("stakes", policy, out);
    const PredictorKind usual = Policy{}.predictor;
    if (policy.predictor != usual) {
        out.push_back({"policy.predictor", std::string(enum_name(policy.predictor)),
                       std::string(enum_name(usual)),
                       [usual](Policy& other) { other.predictor = usual; }});
    }
    return out;
}

/// "risk 0.39 would have been above 0.29".
std::string reached(const proposal::Distance& distance) {
    const auto [value, limit] = explanation::beside(distance.value, distance.limit);
    return distance.what + " " + value + " would have been " + distance.bound + " " + limit;
}

Obstacle together(const std::vector<const Changed*>& all, const proposal::Distance& usual) {
    std::string keys;
    std::vector<std::string> is;
    std::vector<std::string> by_default;
    for (const Changed* each : all) {
        keys += (keys.empty() ? "" : ", ") + each->key;
        is.push_back(each->is);
        by_default.push_back(each->usual);
    }
    return {"configuration", keys,
            explanation::listed(is) + " by configuration (defaults " +
                explanation::listed(by_default) + "): at the defaults " + reached(usual)};
}

/// The risk that these signs speak of, each by its weight.
double risk_of(SignalSet spoke, const EvidenceRules& rules) {
    const std::pair<Signal, double> weights[] = {
        {Signal::lease_slow, rules.lease_slow}, {Signal::lease_lost, rules.lease_lost},
        {Signal::not_ready, rules.not_ready},   {Signal::pressure, rules.pressure},
        {Signal::restarts, rules.restarts},     {Signal::flaps, rules.flaps}};
    double spared = 1 - rules.base;
    for (const auto& [signal, weight] : weights) {
        if (spoke.has(signal)) spared *= 1 - weight;
    }
    return 1 - spared;
}

}  // namespace

bool is_changed(const Wanted& wanted, const Policy& policy) {
    if (policy.profile == Profile::prototype) return false;
    if (std::holds_alternative<NodeId>(wanted.target)) return !changed_in(policy).empty();
    return !policy.namespaces.empty() || policy.admission != AdmissionRules{};
}

std::optional<double> gap_by_default(const Wanted& wanted, const RoundInput& input,
                                     const Forecast& forecast, const Policy& policy) {
    Policy usual = policy;
    const auto gap_in = [&](const Forecast& believed) {
        const auto distance =
            proposal::agent_of(wanted.role).distance(wanted, {input, believed, usual});
        return distance ? std::optional(distance->gap) : std::nullopt;
    };
    if (!std::holds_alternative<NodeId>(wanted.target)) {
        usual.namespaces.clear();
        usual.admission = {};
        return gap_in(forecast);
    }
    const proposal::AskedNode asked = proposal::node_of(wanted, {input, forecast, policy});
    if (asked.row == nullptr || !asked.forecast->risk) return std::nullopt;
    usual.evidence = {};
    usual.stakes = {};
    const auto all = prediction::stakes_of(input.snapshot, usual, usual.evidence.horizon);
    const prediction::Stakes& stakes = all.at(asked.forecast->node);
    NodeForecast node = *asked.forecast;
    node.loss = stakes.loss;
    node.remedies = stakes.remedies;
    node.limit = stakes.limit;
    const bool by_signs = policy.predictor == PredictorKind::evidence;
    if (by_signs) node.risk = risk_of(node.spoke, usual.evidence);
    return gap_in({.horizon = usual.evidence.horizon, .nodes = {node}});
}

Bench bench_of(const RoundInput& input, Memory memory, const Policy& policy,
               const prediction::Brains& brains) {
    Bench bench{std::move(memory), {}};
    execution::remember(input, bench.memory);
    prediction::fold(input, policy, bench.memory.derived);
    if (prediction::sees_trails(policy, brains)) {
        prediction::fold_trails(input, policy, bench.memory.derived);
    }
    if (prediction::serves_demand(policy, brains)) {
        prediction::fold_demand_forecasts(input, policy, *brains.demand,
                                          bench.memory.derived.demand);
    }
    bench.forecast = prediction::predict(input, bench.memory, policy, brains);
    prediction::note_over(bench.forecast, input, policy, bench.memory.derived);
    prediction::note_idle(bench.forecast, input, policy, bench.memory.derived);
    bench.memory.ledger.breaker = guard::next_breaker(input, bench.forecast, bench.memory, policy);
    prediction::judge_danger(bench.forecast, input, bench.memory, policy);
    return bench;
}

std::vector<Obstacle> by_prediction(const Wanted& wanted, const RoundInput& input,
                                    const Bench& bench, const Policy& policy,
                                    const prediction::Brains& brains) {
    if (policy.profile == Profile::prototype) return {};  // Its bounds and predictor are fixed.
    const proposal::Agent& agent = proposal::agent_of(wanted.role);
    const auto is = agent.distance(wanted, {input, bench.forecast, policy});
    if (!is || is->gap <= 0) return {};
    const auto by_reset = [&](const std::vector<const Changed*>& settings) {
        Policy other = policy;
        for (const Changed* each : settings) each->reset(other);
        const Forecast forecast = prediction::predict(input, bench.memory, other, brains);
        return agent.distance(wanted, {input, forecast, other});
    };
    const std::vector<Changed> changed = changed_in(policy);
    std::vector<Obstacle> out;
    std::vector<const Changed*> all;
    std::vector<const Changed*> nearer;  // Those that make a difference alone.
    for (const Changed& each : changed) {
        all.push_back(&each);
        const auto usual = by_reset({&each});
        if (!usual || usual->gap >= is->gap) continue;
        nearer.push_back(&each);
        if (usual->gap > 0) continue;
        out.push_back(
            {"configuration", each.key,
             explanation::set_text(each.is, each.usual) + ": at the default " + reached(*usual)});
    }
    for (const auto& settings : {nearer, all}) {
        if (!out.empty() || settings.size() < 2) continue;
        const auto usual = by_reset(settings);
        if (usual && usual->gap <= 0) out.push_back(together(settings, *usual));
    }
    return out;
}

}  // namespace parley::replay
