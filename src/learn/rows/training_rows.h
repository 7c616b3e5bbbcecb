// Learn: the rows that a forest of failures is grown on, and where boosting begins.

#pragma once

#include "learn/rows/rows.h"

#include <cstdint>
#include <vector>

namespace parley::learn {

struct TrainingRows {
    std::vector<std::uint32_t> numbers;
    std::vector<float> margin;  ///< Empty if all rows are used.
    double base_score = 0.5;    ///< The prevalence.
    double kept = 1;            ///< Share of the negatives that is used.
};

/// All positives and, above `rows_max`, a share q of the negatives. Odds among the kept rows are
/// 1/q times too high, so boosting starts that much higher, and what it adds holds for all rows.
TrainingRows training_rows(const Rows& rows, std::vector<std::uint32_t> numbers,
                           std::size_t rows_max, std::uint64_t seed);

}  // namespace parley::learn
