// Layer 2, prediction: one series of demand as a trained model sees it: a row of numbers, the same
// for every horizon, in units of the series' own scale.

#pragma once

#include "brain/model.h"
#include "model/demand.h"

#include <cstdint>
#include <optional>
#include <span>

namespace parley::prediction {

/// Raised with any change of what a feature means. A model names the version it was trained with.
inline constexpr std::uint32_t kDemandFeatureVersion = 1;

/// A forecast begins this many minutes after it is made: no decision takes effect sooner.
inline constexpr std::int64_t kDemandLeadMin = 1;

/// The features in the order of a row, as a model must want them. Time of day is left out: daily
/// patterns of other clusters do not carry over, and the row holds yesterday's values.
brain::FeatureList wanted_demand_features();
std::size_t demand_feature_count();

/// Whether enough of a series is known for a forecast: its last minute, and fifteen minutes in all.
bool can_forecast(const model::DemandPast& past);

/// How much a series usually moves over a horizon: the median of |change|, but at least 1 % of its
/// value. Above 0. `horizon` is an index into kDemandHorizonsMin.
double demand_scale(const model::DemandPast& past, std::size_t horizon);

/// One row, in scales; NaN where something is not known. can_forecast() must be true.
void demand_features(const model::DemandPast& past, model::DemandOf of, std::size_t horizon,
                     double scale, std::span<float> out);

}  // namespace parley::prediction
