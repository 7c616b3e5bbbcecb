// Brain: what came of forecasts in, a correction of those to come out.

#pragma once

#include "base/time.h"
#include "brain/calibration.h"

#include <optional>
#include <span>

namespace parley::brain {

/// Forecasts of one probability whose outcomes are known, by weight.
struct Resolved {
    TimePoint at;            ///< When they were made.
    double probability = 0;  ///< As calibrated, without any correction.
    double failed = 0;
    double survived = 0;
};

inline constexpr Duration kRecalibrationWindow = hours(672);  // 28 days.
inline constexpr double kRecalibrationEventsMin = 10;

/// What a correction would have done to rows that it was not fitted to.
struct Rehearsal {
    Recalibration correction;  ///< Fitted to the older four fifths.
    std::size_t older = 0;     ///< How many rows those are.
    double loss_before = 0;    ///< Log-loss of the newest fifth as it is, summed.
    double loss_after = 0;     ///< The same with the correction.
};

/// Nothing while fewer than ten failures were either seen or expected. Pure.
std::optional<Rehearsal> rehearse(std::span<const Resolved> rows, const Recalibration& current);

/// logit p' = a + b * logit p, most likely given the rows and the belief that little is wrong: a
/// around 0 (deviation 0.5), b around 1 (0.2). `rows` in order of time, of the last 28 days. Where
/// failures of days scatter more than chance, rows count that much less. The fit to the older four
/// fifths must lower the log-loss of the newest fifth below what `current` gives; then the fit to
/// all is returned, under an id of its own. Nothing while fewer than ten failures were either seen
/// or expected. Pure.
std::optional<Recalibration> recalibrate(std::span<const Resolved> rows,
                                         const Recalibration& current);

}  // namespace parley::brain
