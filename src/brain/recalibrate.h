// Brain: outcomes of forecasts in, a correction of future ones out.

#pragma once

#include "base/time.h"
#include "brain/calibration.h"

#include <optional>
#include <span>

namespace parley::brain {

/// Forecasts of one probability with known outcomes, by weight.
struct Resolved {
    TimePoint at;            ///< When they were made.
    double probability = 0;  ///< As calibrated, without any correction.
    double failed = 0;
    double survived = 0;
};

inline constexpr Duration kRecalibrationWindow = hours(672);  // 28 days.
inline constexpr double kRecalibrationEventsMin = 10;

/// How a correction would have worked on rows that it was not fitted to.
struct Rehearsal {
    Recalibration correction;  ///< Fitted to the older four fifths.
    std::size_t older = 0;     ///< Number of those rows.
    double loss_before = 0;    ///< Log-loss of the newest fifth without the correction, summed.
    double loss_after = 0;     ///< The same with the correction.
};

/// Nothing if fewer than ten failures were seen or fewer than ten expected. Pure.
std::optional<Rehearsal> rehearse(std::span<const Resolved> rows, const Recalibration& current);

/// logit p' = a + b * logit p, most likely given the rows and a prior that little is wrong: a
/// around 0 (deviation 0.5), b around 1 (0.2). `rows` are in order of time, of the last 28 days. If
/// the failures of days scatter more than chance, rows count that much less. The fit to the older
/// four fifths must give the newest fifth a lower log-loss than `current` does; then the fit to all
/// is returned, with a new id. Nothing if fewer than ten failures were seen or fewer than ten
/// expected. Pure.
std::optional<Recalibration> recalibrate(std::span<const Resolved> rows,
                                         const Recalibration& current);

}  // namespace parley::brain
