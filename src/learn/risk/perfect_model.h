// Learn: how a perfectly calibrated model would do on the same rows, to know what a bar can tell.

#pragma once

#include "learn/risk/risk_quality.h"

#include <vector>

namespace parley::learn {

inline constexpr int kPerfectDraws = 200;

/// Takes the forecasts as the truth and draws outcomes from them. Sets in each bar of calibration
/// how often it was met, and how often the figure was as far off as the measured one (for two-sided
/// figures twice the rarer side, so that none of 200 draws reads under 1 %). If failures span
/// several rows, those of an entity within one horizon are drawn together, or the whole entity if
/// rows are not spaced in time; otherwise each row is drawn alone. Entities are drawn
/// independently, so if they have causes in common even a perfect model does worse than this says.
/// The bar of skill asks for more than calibration and is left alone.
void note_perfect(const RiskTest& test, std::vector<Bar>& bars);

}  // namespace parley::learn
