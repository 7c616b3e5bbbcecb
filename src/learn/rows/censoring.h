// Learn: the weight of each row if some were watched for too short a time.

#pragma once

#include "base/describe.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <span>
#include <vector>

namespace parley::learn {

enum class Ending : std::uint8_t {
    failed,    ///< An onset within the horizon.
    survived,  ///< Watched to the end of its horizon or interval without one.
    censored,  ///< Removed in order, or the record ended, before either.
};
BOOST_DESCRIBE_ENUM(Ending, failed, survived, censored)

/// What we did about the risk within a row's horizon.
enum class Treatment : std::uint8_t {
    none,
    acted,     ///< Drained or throttled, and watched since.
    withheld,  ///< Would have been acted on, but the hold-out withheld it.
};
BOOST_DESCRIBE_ENUM(Treatment, none, acted, withheld)

/// What is known of one row.
struct Watched {
    Ending ending = Ending::survived;
    Duration after;  ///< From the row to its end or censoring; the whole horizon if it survived.
    double shown_risk = 0;  ///< Nodes shown with a high risk may be removed by people: see below.
    Treatment treatment = Treatment::none;
    /// The probability that its end could be seen: 1, or the hold-out's share if acting would have
    /// hidden it. A row that acting did hide has the same and is censored.
    double probability = 1;
};

inline constexpr double kCensoringWeightMax = 20;
inline constexpr std::size_t kRiskDeciles = 10;

/// Inverse probability of not being censored, by Kaplan and Meier with censorings as the events,
/// within deciles of the shown risk: a failure weighs 1/G(just before its onset), a survivor
/// 1/G(just before its end), a censored row 0; cut at 20. A row censored at the moment of another's
/// end counts as still watched there. Rows that a draw decided about are separate: one that was
/// left alone weighs 1/probability, and stands for those that were not. A row without a finite
/// risk, with a negative time or an impossible probability is malformed.
[[nodiscard]] Result<std::vector<float>> censoring_weights(std::span<const Watched> rows);

}  // namespace parley::learn
