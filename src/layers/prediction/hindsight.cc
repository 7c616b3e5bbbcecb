#include "layers/prediction/hindsight.h"

#include "base/math.h"
#include "brain/recalibrate.h"
#include "model/sources.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace parley::prediction {
namespace {

using model::Hindsight;
using model::NodeRow;
using model::OpenRisk;
using model::RiskWatch;

constexpr Duration kDownLasts = seconds(60);  // Shorter times of not Ready are not failures.
constexpr Duration kShowsAfter = minutes(2);  // From the last renewal to a failure that counts.
constexpr Duration kSettled = minutes(10);    // Ready for this long, as for rows of training.
constexpr double kHeightStep = 0.25;          // Of log-odds; each tally keeps its own mean.
constexpr double kStandsForMost = 20;

/// What the model claims, and the weight of one forecast.
struct Claim {
    Duration gap;
    Duration horizon;
    double weight = 1;
};

Claim claim_of(const brain::Model& model, Duration step) {
    Claim claim{.gap = {static_cast<std::int64_t>(model.facts.gap_s * 1e6)},
                .horizon = {static_cast<std::int64_t>(model.facts.horizons_s.front() * 1e6)}};
    // One failure makes all forecasts within its horizon come true: together they count as 1.
    const Duration every = std::max(kFollowedEvery, step);
    const double seen_by =
        static_cast<double>((claim.horizon - claim.gap).us) / static_cast<double>(every.us);
    claim.weight = 1 / std::max(1.0, seen_by);
    return claim;
}

bool taken_away(const NodeRow& node) { return model::set_aside(node) || node.quarantined; }
bool treated(const NodeRow& node) { return taken_away(node) || node.avoided; }

model::RiskTally& tally_at(std::vector<model::RiskTally>& tallies, std::int64_t slice,
                           std::int32_t height) {
    const auto place = std::ranges::lower_bound(
        tallies, std::pair(slice, height), {},
        [](const model::RiskTally& each) { return std::pair(each.slice, each.height); });
    if (place != tallies.end() && place->slice == slice && place->height == height) return *place;
    return *tallies.insert(place, {.slice = slice, .height = height});
}

void count(const OpenRisk& risk, const Claim& claim, Hindsight& hindsight) {
    const auto height =
        static_cast<std::int32_t>(std::floor(brain::logit(risk.calibrated) / kHeightStep));
    model::RiskTally& tally =
        tally_at(hindsight.tallies, risk.at.us / model::kTallySlice.us, height);
    const double weight = risk.weight * claim.weight;
    (risk.failed ? tally.failed : tally.survived) += weight;
    tally.calibrated += weight * risk.calibrated;
    tally.served += weight * risk.served;
}

/// The node failed: forecasts too late to be useful are dropped, the earlier ones are now settled.
void fail(RiskWatch& watch, TimePoint onset, const Claim& claim) {
    std::erase_if(watch.open, [&](const OpenRisk& each) { return onset - each.at <= claim.gap; });
    for (OpenRisk& each : watch.open) {
        if (each.known) continue;
        each.known = true;
        each.failed = onset - each.at <= claim.horizon;
    }
}

/// Counts forecasts that are old enough. Failures wait as long as survivors do: counted at once,
/// they would be too frequent among the newest.
void settle(RiskWatch& watch, TimePoint now, const Claim& claim, Hindsight& hindsight) {
    const bool up = watch.down_from == TimePoint{};
    std::erase_if(watch.open, [&](const OpenRisk& each) {
        const bool due = now - each.at >= claim.horizon + kShowsAfter && (each.known || up);
        if (due) count(each, claim, hindsight);
        return due;
    });
}

void follow(const NodeRow& node, TimePoint now, const Claim& claim, RiskWatch& watch) {
    watch.away = taken_away(node);
    const auto unknown = [](const OpenRisk& each) { return !each.known; };
    const bool owed_to_us = treated(node) && now < watch.load_until;
    if (model::set_aside(node) || owed_to_us) std::erase_if(watch.open, unknown);
    if (model::set_aside(node) || node.ready == model::Readiness::yes) {
        watch.down_from = {};
        watch.failed = false;
        return;
    }
    if (watch.down_from == TimePoint{}) watch.down_from = now;
    if (watch.failed || now - watch.down_from < kDownLasts) return;
    watch.failed = true;
    const TimePoint* renewed = node.lease.value();
    fail(watch, renewed != nullptr ? *renewed : watch.down_from, claim);
}

/// The node is gone: lost, unless it was set aside before. It will not be seen again, so everything
/// is counted now.
void end_of(RiskWatch watch, TimePoint last_seen, const Claim& claim, Hindsight& hindsight) {
    if (!watch.away && !watch.failed) fail(watch, last_seen, claim);
    for (const OpenRisk& each : watch.open) {
        if (each.known) count(each, claim, hindsight);
    }
}

void follow_all(const model::RoundInput& input, const Claim& claim, Duration step,
                Hindsight& hindsight) {
    std::vector<Slot> watched;
    hindsight.nodes.for_each([&](Slot slot, const RiskWatch&) { watched.push_back(slot); });
    for (const Slot slot : watched) {
        const NodeRow* node = input.snapshot.nodes.find(slot);
        const RiskWatch& before = hindsight.nodes.at(slot);
        if (node == nullptr || node->uid != before.uid) {
            end_of(before, input.now - step, claim, hindsight);
            hindsight.nodes.erase(slot);
            continue;
        }
        RiskWatch watch = before;
        follow(*node, input.now, claim, watch);
        settle(watch, input.now, claim, hindsight);
        if (watch != before) hindsight.nodes.put(slot, std::move(watch));
    }
}

brain::Recalibration in_force(const Hindsight& hindsight) {
    if (!hindsight.correction) return {};
    return {hindsight.correction->id, hindsight.correction->a, hindsight.correction->b};
}

void correct(TimePoint now, Hindsight& hindsight) {
    std::vector<brain::Resolved> rows;
    for (const model::RiskTally& each : hindsight.tallies) {
        const double all = each.failed + each.survived;
        if (!(all > 0)) continue;
        rows.push_back({.at = {each.slice * model::kTallySlice.us},
                        .probability = each.calibrated / all,
                        .failed = each.failed,
                        .survived = each.survived});
    }
    if (const auto next = brain::recalibrate(rows, in_force(hindsight))) {
        hindsight.correction = {.id = next->id, .a = next->a, .b = next->b, .since = now};
    }
}

/// The calibrated risk behind a served one.
double uncorrected(double served, const brain::Recalibration& correction) {
    if (correction.id.empty()) return served;
    return math::logistic((brain::logit(served) - correction.a) / correction.b);
}

void open_risk(const Round& round, const model::NodeForecast& forecast, const NodeRow& node,
               Hindsight& hindsight) {
    const TimePoint now = round.input.now;
    const bool settled = now - node.ready_since >= kSettled;
    if (!forecast.risk || !settled || treated(node) || !model_speaks_of(node)) return;
    const RiskWatch* known = hindsight.nodes.find(forecast.node);
    if (known == nullptr) hindsight.nodes.put(forecast.node, {.uid = node.uid});
    known = &hindsight.nodes.at(forecast.node);
    if (!known->open.empty() && now - known->open.back().at < kFollowedEvery) return;
    RiskWatch& watch = hindsight.nodes.edit(forecast.node);
    const bool stands_for = now < watch.withheld_until && now < watch.load_until;
    const double share = round.policy.risk.holdout;
    watch.open.push_back(
        {.at = now,
         .served = *forecast.risk,
         .calibrated = uncorrected(*forecast.risk, in_force(hindsight)),
         .weight = stands_for && share > 0 ? std::min(kStandsForMost, 1 / share) : 1});
}

const model::RiskReasons* reasons_in(const model::Forecast& forecast, Slot node) {
    const auto found = std::ranges::find(forecast.reasons, node, &model::RiskReasons::node);
    return found == forecast.reasons.end() ? nullptr : &*found;
}

/// The verdict on a safety action: acted on because of load, or withheld.
void note_verdict(const Round& round, const model::Judged& judged, Slot slot,
                  const model::Forecast& forecast, Hindsight& hindsight) {
    if (!hindsight.nodes.has(slot)) return;
    const auto* refused = std::get_if<model::Refused>(&judged.fate);
    const bool withheld = refused != nullptr && refused->rule == model::kHoldoutRule;
    const bool acted = std::holds_alternative<model::Accepted>(judged.fate) &&
                       round.input.controls.mode == model::Mode::act;
    if (!withheld && !acted) return;
    const TimePoint now = round.input.now;
    const model::RiskReasons* reasons = reasons_in(forecast, slot);
    const bool load = reasons != nullptr && by_load(*reasons);
    RiskWatch& watch = hindsight.nodes.edit(slot);
    if (load) watch.load_until = now + forecast.horizon + kActingTakes;
    if (!withheld || now < watch.withheld_until) return;
    watch.withheld_until = now + forecast.horizon;
    for (OpenRisk& each : watch.open) {
        if (load && !each.known) each.weight = std::min(kStandsForMost, 1 / judged.probability);
    }
}

}  // namespace

bool has_hindsight(const model::Policy& policy, const Brains& brains) {
    const bool staged = !brains.staged.told.empty() || brains.staged.permuted_by;
    return policy.predictor == model::PredictorKind::xgboost && brains.risk != nullptr && !staged;
}

void fold_hindsight(const model::RoundInput& input, const model::Policy& policy,
                    const Brains& brains, model::Derived& derived) {
    if (!has_hindsight(policy, brains)) return;
    Hindsight& hindsight = derived.hindsight;
    if (hindsight.model != brains.risk->facts.id) {
        hindsight = {.model = brains.risk->facts.id, .looked = input.now};
    }
    if (!policy.risk.recalibrate) hindsight.correction.reset();
    if (!model::delivers(input.snapshot, model::Source::api, input.now, policy.guard.api_age_max)) {
        return;
    }
    follow_all(input, claim_of(*brains.risk, derived.step), derived.step, hindsight);
    if (input.now - hindsight.looked < kCorrectedEvery) return;
    hindsight.looked = input.now;
    const std::int64_t oldest =
        (input.now - brain::kRecalibrationWindow).us / model::kTallySlice.us;
    std::erase_if(hindsight.tallies,
                  [&](const model::RiskTally& each) { return each.slice < oldest; });
    if (policy.risk.recalibrate) correct(input.now, hindsight);
}

void note_served(const Round& round, const model::Decision& decision, model::Derived& derived) {
    if (!has_hindsight(round.policy, round.brains) || !round.api_fresh) return;
    const auto& nodes = round.input.snapshot.nodes;
    for (const model::NodeForecast& each : decision.forecast.nodes) {
        open_risk(round, each, nodes.at(each.node), derived.hindsight);
    }
    for (const model::Judged& judged : decision.verdict.judged) {
        const auto* id = std::get_if<model::NodeId>(&judged.proposal.target);
        const bool acts = judged.proposal.role == model::Role::safety &&
                          !model::changes_nothing(judged.proposal.action);
        if (id == nullptr || !acts) continue;
        for (const model::NodeForecast& each : decision.forecast.nodes) {
            if (nodes.at(each.node).id != *id) continue;
            note_verdict(round, judged, each.node, decision.forecast, derived.hindsight);
        }
    }
}

}  // namespace parley::prediction
