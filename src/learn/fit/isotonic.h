// Learn: the closest curve that never falls, as knots of a calibration.

#pragma once

#include "learn/fit/calibrate.h"

#include <vector>

namespace parley::learn {

/// One knot per level of the closest curve that never falls; levels are joined until each holds 200
/// rows or five of both classes. Knots are at the mean margin of their rows, plus one at either
/// end, clipped like all probabilities. Each level expects what was observed in it.
std::vector<brain::Knot> isotonic_knots(const CalibrationRows& rows);

}  // namespace parley::learn
