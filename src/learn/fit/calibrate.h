// Learn: margins and labels of rows that the trees never saw in, a calibration out.

#pragma once

#include "brain/calibration.h"

#include <cstdint>
#include <span>

namespace parley::learn {

/// Chosen by the number of independent failures: few cannot support many parameters.
inline constexpr double kInterceptEventsMin = 30;
inline constexpr double kPlattEventsMin = 100;
inline constexpr double kIsotonicEventsMin = 500;

/// One entry per row.
struct CalibrationRows {
    std::span<const double> margin;
    std::span<const float> label;
    std::span<const float> weight;
    double events = 0;                       ///< Independent failures, not rows.
    std::span<const std::uint8_t> era = {};  ///< If rows follow each other in time: in which slice.
    std::span<const std::int32_t> event = {};  ///< Which failure; empty: each row is its own.
};

struct Calibrated {
    brain::Calibration curve;
    double events = 0;    ///< Independent failures that it was fitted to.
    bool newest = false;  ///< Fitted to the newest era only.
};

/// Under 30 events none: such a risk may not drive actions. Under 100 the intercept, under 500
/// Platt's curve with his targets, else isotonic. If rows are divided into eras, failures of one
/// era have causes in common that may not return: then a richer curve replaces the intercept only
/// if, fitted to earlier eras, it was better in the following ones by two standard errors. Likewise
/// the newest era alone replaces all eras, for rates that change for good: only if the era before
/// was the better guide by as much, and it has the failures that an intercept needs. If a curve
/// would fall, the intercept is used. The id is a digest of the result.
Calibrated calibrate(const CalibrationRows& rows);

/// Whether a risk with this calibration may drive actions.
bool may_act(const brain::Calibration& calibration);

/// The number of equally weighted failures that say as much as these (Kish): a failure of a
/// thousand rows beside a hundred of one row each counts hardly more than one. One entry per row; a
/// positive row without an event is a failure of its own.
double independent_events(std::span<const std::int32_t> event, std::span<const float> label,
                          std::span<const float> weight);

}  // namespace parley::learn
