// Layer 6, explanation: what came of served risks in, whether a model of risk is still to be
// believed out. Pure.

#pragma once

#include "model/memory.h"

#include <string>
#include <vector>

namespace parley::explanation {

/// Failures seen over failures expected are suspicious outside this and one over it ...
inline constexpr double kRiskRatioMax = 2;
/// ... with so many expected, and an interval of 95 % that excludes chance.
inline constexpr double kRiskExpectedMin = 10;
/// What counts as lately, when it is compared with before.
inline constexpr Duration kRiskLately = hours(24);

struct RiskSuspicion {
    model::AlarmKind kind = model::AlarmKind::risk_off;
    std::string sentence;
};

/// risk_off: since its last correction, a model has been wrong by more than a factor of two.
/// risk_drift: its calibrated risks came true at one rate before, and at another in the last day.
std::vector<RiskSuspicion> suspect_risk(const model::Hindsight& hindsight, TimePoint now);

}  // namespace parley::explanation
