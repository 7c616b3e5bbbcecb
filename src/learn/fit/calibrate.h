// Learn: margins and labels of rows that the trees never saw in, a calibration out.

#pragma once

#include "brain/calibration.h"

#include <cstdint>
#include <span>

namespace parley::learn {

/// By how many independent failures there are: fewer cannot carry more parameters.
inline constexpr double kInterceptEventsMin = 30;
inline constexpr double kPlattEventsMin = 100;
inline constexpr double kIsotonicEventsMin = 500;

/// One entry per row.
struct CalibrationRows {
    std::span<const double> margin;
    std::span<const float> label;
    std::span<const float> weight;
    double events = 0;                       ///< Independent failures, not rows.
    std::span<const std::uint8_t> era = {};  ///< Where rows follow each other in time: which slice.
    std::span<const std::int32_t> event = {};  ///< Which failure; none: each row is its own.
};

struct Calibrated {
    brain::Calibration curve;
    double events = 0;    ///< Independent failures that it was fitted to.
    bool newest = false;  ///< To the newest era alone.
};

/// Under 30 events none: such a risk may not drive actions. Under 100 the intercept, under 500
/// Platt's curve with his targets, else isotonic. Where rows are told apart by eras, failures of
/// one era have causes in common, and what bent the curve in one may not come again: then a richer
/// curve takes the place of the intercept only if, fitted to the eras before, it was better in
/// those that followed, by two standard errors. Likewise the newest era alone takes the place of
/// all, where rates change for good: only if the era before was the better guide to those that
/// followed, by as much, and if it has the failures that an intercept needs. A curve that would
/// fall is no curve: then the intercept alone. The id is a digest of what was fitted.
Calibrated calibrate(const CalibrationRows& rows);

/// Whether a risk so calibrated may drive actions.
bool may_act(const brain::Calibration& calibration);

/// How many failures of equal weight say as much as these (Kish): a failure of a thousand rows
/// beside a hundred of one each is hardly more than one. One entry per row; a positive row of no
/// event is a failure of its own.
double independent_events(std::span<const std::int32_t> event, std::span<const float> label,
                          std::span<const float> weight);

}  // namespace parley::learn
