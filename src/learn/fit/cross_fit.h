// Learn: margins of the rows that train, each from a forest that never saw it.

#pragma once

#include "base/result.h"
#include "learn/fit/booster.h"
#include "learn/rows/split.h"

#include <cstdint>
#include <vector>

namespace parley::learn {

struct CrossFit {
    BoosterParameters trees;  ///< As many rounds as the forest has that will serve.
    std::size_t training_rows_max = 0;
    std::uint64_t seed = 0;  ///< Of what is left out above it.
    Watch watch;             ///< Told after each round of any fold.
};

struct HeldOut {
    std::vector<std::uint32_t> numbers;  ///< Of rows, fold by fold.
    std::vector<double> margin;
    std::vector<std::uint8_t> fold;
};

/// Holds out each fold of the rows that train in turn and grows a forest on the others: a tenth of
/// the rows set aside for calibration says little where failures are few, and this makes all of
/// them speak. Where folds follow each other in time, rows within the embargo of the one held out
/// are left out too. A fold whose others have one label only is skipped. Empty without folds.
[[nodiscard]] Result<HeldOut> cross_fit(const Rows& rows, const Split& split,
                                        const CrossFit& options);

}  // namespace parley::learn
