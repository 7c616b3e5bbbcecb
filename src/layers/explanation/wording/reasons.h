// Layer 6, explanation: why a trained model gives a node its risk or its demand, in words.

#pragma once

#include "model/forecast.h"

#include <string>
#include <vector>

namespace parley::explanation {

/// One line for the factors, which multiply the base odds: "Odds 0.036 of a node of which nothing
/// is known, x6.1 disk_excess 0.47, x0.9 the rest". A second one for calibration if it changes the
/// risk by 0.01 or more, and one for a correction in force. Empty if no reasons were recorded for
/// the node.
std::vector<std::string> reasons_of(const model::Forecast& forecast,
                                    const model::NodeForecast& node);

/// Why a trained model forecasts a node's demand as it does: "Demand now 0.17; at most 0.21 within
/// 60 min (0.15 to 0.27 in 9 of 10), by demand-...", and what adds to it. Empty if no model
/// forecast it.
std::vector<std::string> demand_reasons_of(const model::Forecast& forecast,
                                           const model::NodeForecast& node);

}  // namespace parley::explanation
