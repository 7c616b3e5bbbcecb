// Learn: what each row weighs where some were watched for too short a time.

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
    survived,  ///< Watched to the end of the horizon without one.
    censored,  ///< Removed in order, or the record ended, before either.
};
BOOST_DESCRIBE_ENUM(Ending, failed, survived, censored)

/// What is known of one row.
struct Watched {
    Ending ending = Ending::survived;
    Duration after;  ///< From the row to the onset or the censoring; the horizon if survived.
    double shown_risk = 0;  ///< Whoever is shown a high risk may take the node away: see below.
};

inline constexpr double kCensoringWeightMax = 20;
inline constexpr std::size_t kRiskDeciles = 10;

/// Inverse probability of not being censored, by Kaplan and Meier with censorings as the events,
/// within deciles of the risk that was shown: a failure weighs 1/G(just before its onset), a
/// survivor 1/G(just before the horizon), a censored row 0; cut at 20. A row that is censored at
/// the moment of another's onset counts as still watched there. A row without a finite risk, or
/// with a negative time, is malformed.
[[nodiscard]] Result<std::vector<float>> censoring_weights(std::span<const Watched> rows);

}  // namespace parley::learn
