// Learn: margins and labels of the calibration slice in, a calibration out.

#pragma once

#include "brain/calibration.h"

#include <cstdint>
#include <span>

namespace parley::learn {

/// By how many failures the slice holds: fewer cannot carry more parameters.
inline constexpr std::uint64_t kInterceptEventsMin = 30;
inline constexpr std::uint64_t kPlattEventsMin = 100;
inline constexpr std::uint64_t kIsotonicEventsMin = 500;

/// The calibration slice; one entry per row.
struct CalibrationRows {
    std::span<const double> margin;
    std::span<const float> label;
    std::span<const float> weight;
    std::uint64_t events = 0;  ///< Failures, not rows.
};

/// Under 30 events none: such a risk may not drive actions. Under 100 the intercept, under 500
/// Platt's curve with his targets, else isotonic: one knot per level of the closest curve that
/// never falls, joined until each holds 200 rows or five of both classes, at the mean margin of its
/// rows, and one at either end, clipped as probabilities are. A curve that would fall is no curve:
/// then the intercept alone. The id is a digest of what was fitted.
brain::Calibration calibrate(const CalibrationRows& rows);

/// Whether a risk so calibrated may drive actions.
bool may_act(const brain::Calibration& calibration);

}  // namespace parley::learn
