// Learn: margins of training rows, each from a forest that never saw the row.

#pragma once

#include "base/result.h"
#include "learn/fit/booster.h"
#include "learn/rows/split.h"

#include <cstdint>
#include <vector>

namespace parley::learn {

struct CrossFit {
    BoosterParameters trees;  ///< With as many rounds as the forest that will serve.
    std::size_t training_rows_max = 0;
    std::uint64_t seed = 0;  ///< For what is left out above the limit.
    Watch watch;             ///< Called after each round of any fold.
};

struct HeldOut {
    std::vector<std::uint32_t> numbers;  ///< Of rows, fold by fold.
    std::vector<double> margin;
    std::vector<std::uint8_t> fold;
};

/// Holds out each fold of the training rows in turn and grows a forest on the others. A tenth of
/// the rows set aside for calibration says little if failures are few; this way all rows
/// contribute. If folds follow each other in time, rows within the embargo of the held-out fold are
/// left out, too. A fold whose others have only one label is skipped. Empty without folds.
[[nodiscard]] Result<HeldOut> cross_fit(const Rows& rows, const Split& split,
                                        const CrossFit& options);

}  // namespace parley::learn
