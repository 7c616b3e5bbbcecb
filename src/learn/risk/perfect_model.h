// Learn: how a model that is right would do on the same rows, so that a bar says what it can tell.

#pragma once

#include "learn/risk/risk_quality.h"

#include <vector>

namespace parley::learn {

inline constexpr int kPerfectDraws = 200;

/// Takes the forecasts for the truth, draws what comes true from them, and sets in each bar of
/// calibration how often it was met, and how often the figure was as far off as the one measured
/// (of what may be off to both sides, twice the rarer side, so that none of 200 draws reads under
/// 1 %). Where failures are of several rows each, those of an entity
/// within one horizon are drawn together, or all of it where rows are not spaced in time; else each
/// row has a fate of its own. Fates of different entities are drawn apart, so that where they have
/// causes in common even a model that is right does worse than said here. The bar of skill asks for
/// more than calibration and is left alone.
void note_perfect(const RiskTest& test, std::vector<Bar>& bars);

}  // namespace parley::learn
