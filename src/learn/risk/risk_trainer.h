// Learn: rows of failures in; trees, a calibration and an honest report out.

#pragma once

#include "brain/calibration.h"
#include "learn/fit/booster.h"
#include "learn/report/report.h"
#include "learn/rows/split.h"

#include <cstdint>
#include <string>

namespace parley::learn {

/// With fewer failures a model would learn coincidences; recalibrate_risk() needs less.
inline constexpr std::uint64_t kEventsMin = 50;
inline constexpr std::uint64_t kEntitiesMin = 20;
/// With more rows, only a share of those without a failure is used for training.
inline constexpr std::size_t kTrainingRowsMax = 5'000'000;

struct RiskOptions {
    std::string name;         ///< Of the data.
    std::string what;         ///< What a 1 means, as part of a sentence.
    std::string entity;       ///< What an entity is.
    Duration step;            ///< Between two rows of an entity; zero: not spaced in time.
    Duration horizon;         ///< How far ahead a label looks; zero: not known.
    BoosterParameters trees;  ///< Its base_score is set to the prevalence.
    std::uint64_t seed = 0;   ///< Of trees, subsampling and bootstrap.
    int resamples = 200;
    std::size_t training_rows_max = kTrainingRowsMax;
    Watch watch;  ///< Called after each round, out of rounds_told().
    Duration
        resolved_after;  ///< When a row's outcome is known; zero: serving is not played through.
};

struct RiskModel {
    Booster booster;
    brain::Calibration calibration;
    RiskReport report;
    std::vector<std::uint32_t> test_rows;
    std::vector<double> test_probability;  ///< One per test row.
};

/// The total that the watch counts to: half for the forest, half for the folds that calibrate it.
inline int rounds_told(const BoosterParameters& trees) { return 2 * trees.rounds_max; }

/// Trains on one part of the rows, stops by the next, calibrates on rows before the test with
/// margins of trees that were not grown on them, and reports on the last part, which nothing has
/// seen. Refuses, with the reason, what check_risk_rows refuses, fewer than 50 failures or 20
/// entities, and a part without both classes.
[[nodiscard]] Result<RiskModel> train_risk(const Rows& rows, const Split& split,
                                           const RiskOptions& options);

}  // namespace parley::learn
