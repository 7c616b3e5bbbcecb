// Layer 6, explanation: what came of served risks in, whether a risk model can still be trusted
// out. Pure.

#pragma once

#include "model/memory.h"

#include <string>
#include <vector>

namespace parley::explanation {

/// The ratio of seen to expected failures is suspicious above this or below its inverse ...
inline constexpr double kRiskRatioMax = 2;
/// ... if at least this many were expected and a 95 % interval excludes chance.
inline constexpr double kRiskExpectedMin = 10;
/// The recent past, which is compared with the time before.
inline constexpr Duration kRiskLately = hours(24);

struct RiskSuspicion {
    model::AlarmKind kind = model::AlarmKind::risk_off;
    std::string sentence;
};

/// risk_off: since its last correction, the model has been wrong by more than a factor of two.
/// risk_drift: its calibrated risks come true at a different rate in the last day than before.
std::vector<RiskSuspicion> suspect_risk(const model::Hindsight& hindsight, TimePoint now);

}  // namespace parley::explanation
