#include "layers/prediction/demand_forecast.h"

#include "layers/prediction/demand_features.h"
#include "layers/prediction/demand_trail.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace parley::prediction {
namespace {

using model::DemandBy;
using model::DemandOf;
using model::kDemandHorizons;

constexpr double kMiss = 0.1;
constexpr double kGamma = 0.02;
constexpr double kErrorsKept = 0.995;  // Per minute; half of the weight is from the last two hours.
constexpr double kWeightMin = 50;  // Minutes with errors before one forecast may replace the other.
constexpr std::size_t kAgentsHorizon = kDemandHorizons - 1;

/// The outcomes that became known in one minute, over all series.
struct Resolved {
    std::array<double, kDemandHorizons> missed{};
    std::array<double, kDemandHorizons> model_error{};
    std::array<double, kDemandHorizons> standing_error{};
    std::array<double, kDemandHorizons> count{};
};

/// Compares held forecasts with what happened, and drops those that are settled.
void resolve(const model::DemandPast& past, model::DemandHeld& held, Resolved& resolved) {
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        model::HeldDemand& each = held.held[h];
        const std::int64_t length = model::kDemandHorizonsMin[h];
        if (each.made < 0 || each.made + kDemandLeadMin + length > past.newest) continue;
        bool bounded = false;
        const auto truth = peak_after(past, each.made, kDemandLeadMin, length, &bounded);
        const model::HeldDemand was = std::exchange(each, model::HeldDemand{});
        if (!truth || bounded) continue;  // Not known, or only a lower bound.
        const double error = std::fabs(*truth - was.by_model);
        resolved.missed[h] += error > was.half_width ? 1 : 0;
        resolved.model_error[h] += error / was.scale;
        resolved.standing_error[h] += std::fabs(*truth - was.now) / was.scale;
        resolved.count[h] += 1;
    }
}

void learn(const Resolved& resolved, std::array<model::DemandLevel, kDemandHorizons>& levels) {
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        const double count = resolved.count[h];
        if (!(count > 0)) continue;
        model::DemandLevel& level = levels[h];
        level.miss =
            std::clamp(level.miss + kGamma * (kMiss - resolved.missed[h] / count), 0.0, 1.0);
        const auto follow = [&](double& mean, double sum) {
            mean = (kErrorsKept * level.weight * mean + sum / count) /
                   (kErrorsKept * level.weight + 1);
        };
        follow(level.model_error, resolved.model_error[h]);
        follow(level.standing_error, resolved.standing_error[h]);
        level.weight = kErrorsKept * level.weight + 1;
    }
}

/// For one horizon: the scales and rows of all series, so that the trees are walked in one go.
struct Batch {
    std::vector<double> scales;
    std::vector<float> rows;
    std::vector<float> margins;
};

Batch batch_of(const brain::DemandForest& forest, const Table<model::DemandPast>& pasts,
               std::span<const Slot> slots, DemandOf of, std::size_t horizon) {
    const std::size_t columns = demand_feature_count();
    Batch batch{.rows = std::vector<float>(slots.size() * columns),
                .margins = std::vector<float>(slots.size())};
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const model::DemandPast& past = pasts.at(slots[i]);
        batch.scales.push_back(demand_scale(past, horizon));
        demand_features(past, of, horizon, batch.scales.back(),
                        std::span(batch.rows).subspan(i * columns, columns));
    }
    brain::margins(forest.forest, batch.rows, columns, batch.margins);
    return batch;
}

/// One forecast of each series is held at a time. Series take turns, so that outcomes of the hour
/// ahead arrive every minute instead of once an hour.
bool has_turn(const model::DemandPast& past, std::size_t kind, Slot slot, std::size_t horizon) {
    const std::int64_t period = kDemandLeadMin + model::kDemandHorizonsMin[horizon];
    return (past.newest + static_cast<std::int64_t>(kind) + slot) % period == 0;
}

void say(const brain::DemandModel& model, std::size_t kind, std::span<const Slot> slots,
         model::DemandMemory& memory) {
    const auto of = static_cast<DemandOf>(kind);
    for (std::size_t h = 0; h < kDemandHorizons; ++h) {
        const brain::DemandForest& forest = model.horizons[h];
        const Batch batch = batch_of(forest, memory.pasts[kind], slots, of, h);
        const model::DemandLevel& level = memory.levels[h];
        const double width = brain::half_width(forest, level.miss);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const model::DemandPast& past = memory.pasts[kind].at(slots[i]);
            model::DemandHeld& row = memory.helds[kind].edit(slots[i]);
            const double now = *minute_mean(past, 0);
            const double by_model =
                std::max(0.0, now + batch.scales[i] * static_cast<double>(batch.margins[i]));
            const double half = width * batch.scales[i];
            const double value = serving(level) == DemandBy::model ? by_model : now;
            row.said.now = now;
            row.said.ahead[h] = {value, std::max(0.0, value - half), value + half};
            if (row.held[h].made < 0 && has_turn(past, kind, slots[i], h)) {
                row.held[h] = {past.newest, now, batch.scales[i], by_model, half};
            }
        }
    }
}

/// Follows one kind of series through the minutes that ended: resolve, forget, begin. Returns the
/// series to forecast.
std::vector<Slot> followed(std::size_t kind, std::span<const Slot> closed,
                           model::DemandMemory& memory, Resolved& resolved) {
    std::vector<Slot> speak;
    Table<model::DemandHeld>& helds = memory.helds[kind];
    for (const Slot slot : closed) {
        const model::DemandPast& past = memory.pasts[kind].at(slot);
        const model::DemandHeld* known = helds.find(slot);
        if (known != nullptr && known->uid != past.uid) {
            helds.erase(slot);
            known = nullptr;
        }
        if (known != nullptr) resolve(past, helds.edit(slot), resolved);
        if (!can_forecast(past)) continue;
        if (known == nullptr) {
            helds.put(slot,
                      {.uid = past.uid, .said = {.of = static_cast<DemandOf>(kind), .slot = slot}});
        }
        speak.push_back(slot);
    }
    std::vector<Slot> silent;
    helds.for_each([&](Slot slot, const model::DemandHeld& held) {
        const model::DemandPast* past = memory.pasts[kind].find(slot);
        if (past == nullptr || past->uid != held.uid || !can_forecast(*past)) {
            silent.push_back(slot);
        }
    });
    for (const Slot slot : silent) helds.erase(slot);
    return speak;
}

}  // namespace

bool serves_demand(const model::Policy& policy, const Brains& brains) {
    return brains.demand != nullptr && policy.predictor == model::PredictorKind::xgboost &&
           policy.profile == model::Profile::parley;
}

DemandBy serving(const model::DemandLevel& level) {
    const bool standing = level.weight >= kWeightMin && level.standing_error < level.model_error;
    return standing ? DemandBy::standing : DemandBy::model;
}

void fold_demand_forecasts(const model::RoundInput& input, const model::Policy& policy,
                           const brain::DemandModel& model, model::DemandMemory& memory) {
    const Closed closed = fold_demand(input, policy, memory);
    std::array<std::vector<Slot>, model::kDemandKinds> speak;
    Resolved resolved;
    for (std::size_t kind = 0; kind < model::kDemandKinds; ++kind) {
        speak[kind] = followed(kind, closed[kind], memory, resolved);
    }
    learn(resolved, memory.levels);
    for (std::size_t kind = 0; kind < model::kDemandKinds; ++kind) {
        if (!speak[kind].empty()) say(model, kind, speak[kind], memory);
    }
}

void note_demand(const brain::DemandModel& model, const model::DemandMemory& memory,
                 model::Forecast& forecast) {
    model::DemandForecast& out = forecast.demand;
    out.model = model.facts.id;
    out.features = kDemandFeatureVersion;
    for (const model::DemandLevel& level : memory.levels) {
        out.by.push_back(serving(level));
        out.miss.push_back(level.miss);
    }
    for (const Table<model::DemandHeld>& helds : memory.helds) {
        helds.for_each(
            [&](Slot, const model::DemandHeld& held) { out.series.push_back(held.said); });
    }
    for (model::NodeForecast& node : forecast.nodes) {
        const model::DemandHeld* held = memory.helds[0].find(node.node);
        // A node whose demand is not known now (powered down, not seen) gets no forecast.
        if (held != nullptr && node.demand) node.demand = held->said.ahead[kAgentsHorizon].value;
    }
}

std::optional<model::DemandReasons> demand_reasons_of(const brain::DemandModel& model,
                                                      const model::DemandMemory& memory, Slot node,
                                                      std::size_t parts_max) {
    const model::DemandPast* past = memory.pasts[0].find(node);
    const model::DemandHeld* held = memory.helds[0].find(node);
    if (past == nullptr || held == nullptr || !can_forecast(*past)) return std::nullopt;
    if (serving(memory.levels[kAgentsHorizon]) != DemandBy::model) return std::nullopt;
    const brain::DemandForest& forest = model.horizons[kAgentsHorizon];
    const double scale = demand_scale(*past, kAgentsHorizon);
    std::vector<float> row(demand_feature_count());
    demand_features(*past, DemandOf::node, kAgentsHorizon, scale, row);
    std::vector<double> added(row.size() + 1);
    brain::contributions(forest.forest, forest.paths, row, added);
    model::DemandReasons reasons{.of = DemandOf::node,
                                 .slot = node,
                                 .horizon = kAgentsHorizon,
                                 .now = held->said.now,
                                 .base = added.back() * scale};
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        const double x = std::fabs(added[a]);
        const double y = std::fabs(added[b]);
        return x != y ? x > y : a < b;
    });
    const brain::FeatureList names = wanted_demand_features();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t feature = order[i];
        if (i >= parts_max || added[feature] == 0) {
            reasons.others += added[feature] * scale;
            continue;
        }
        model::DemandPart part{.feature = names.features[feature].name,
                               .adds = added[feature] * scale};
        if (std::isfinite(row[feature])) part.value = row[feature];
        reasons.parts.push_back(std::move(part));
    }
    return reasons;
}

}  // namespace parley::prediction
