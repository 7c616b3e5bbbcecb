// Layer 2, prediction: one series of demand as a trained model sees it: a row of numbers, the same
// for every horizon, over a scale of its own.

#pragma once

#include "brain/model.h"
#include "model/demand.h"

#include <cstdint>
#include <optional>
#include <span>

namespace parley::prediction {

/// Raised with any change of what a feature means. A model names the version it was trained with.
inline constexpr std::uint32_t kDemandFeatureVersion = 1;

/// A forecast begins this many minutes after it is made: nothing that is decided works sooner.
inline constexpr std::int64_t kDemandLeadMin = 1;

/// In the order of a row, as a model must want them. No time of day: clocks of other clusters say
/// nothing about this one, and yesterday stands in the row.
brain::FeatureList wanted_demand_features();
std::size_t demand_feature_count();

/// Whether enough of a series is known to speak of it: its last minute, and fifteen in all.
bool can_forecast(const model::DemandPast& past);

/// How much a series usually moves over a horizon: the median of |change|, and at least 1 % of what
/// it is. Above 0. `horizon` is a place in kDemandHorizonsMin.
double demand_scale(const model::DemandPast& past, std::size_t horizon);

/// One row, in scales; NaN where something is not known. can_forecast() must hold.
void demand_features(const model::DemandPast& past, model::DemandOf of, std::size_t horizon,
                     double scale, std::span<float> out);

}  // namespace parley::prediction
