// Learn: test rows and their probabilities in, the figures of a risk report out.

#pragma once

#include "learn/report/report.h"
#include "learn/rows/rows.h"

#include <span>

namespace parley::learn {

/// Test rows with their forecasts.
struct RiskTest {
    const Rows& rows;
    std::span<const std::uint32_t> numbers;  ///< Rows of the test slice.
    std::span<const double> probability;     ///< One per number.
    Duration step;           ///< Between rows of an entity; zero: they are not spaced in time.
    Duration horizon;        ///< How far ahead a label looks; zero: not known.
    std::uint64_t seed = 0;  ///< Of the bootstrap.
    int resamples = 200;
};

/// Intervals come from resampling entities and days.
RiskQuality judge_risk(const RiskTest& test);
/// Observed over expected for the `n` highest forecasts. Rows are sorted by forecast, highest
/// first; `event` is the failure that each belongs to.
Interval among_highest(const Judged& rows, std::span<const std::int32_t> event, std::size_t n);
/// The one bar that asks for more than calibration.
inline constexpr const char* kSkillBar = "log-loss skill over the base rate";
/// The bars of a risk model on these figures.
std::vector<Bar> risk_bars(const RiskQuality& quality);
/// Thirds of the test by time, and halves by each of the most important features.
std::vector<RiskSlice> risk_slices(const RiskTest& test, std::span<const Importance> importance);
/// The surest forecasts that did not come true, and the least expected failures.
std::vector<WorstError> worst_risks(const RiskTest& test, std::span<const Importance> importance,
                                    std::size_t each);
/// Each single feature used as a ranking, in either direction, best first; at most `most`.
std::vector<RiskBaseline> feature_baselines(const RiskTest& test, std::size_t most);

}  // namespace parley::learn
