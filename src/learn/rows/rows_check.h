// Learn: data sets checked and joined: a row without a key, a label or a known feature is an error.

#pragma once

#include "base/result.h"
#include "learn/rows/rows.h"

#include <string>

namespace parley::learn {

inline constexpr std::size_t kRowsMax = 50'000'000;
inline constexpr std::size_t kColumnsMax = 4'096;

/// What a trainer may rely on: at least one row, all vectors as long as they should be, columns
/// with names of their own and units, finite labels and weights, no negative weight, entity and
/// group present. Says which row is wrong.
[[nodiscard]] Result<void> check_rows(const Rows& rows);

/// As check_rows; labels are 0 or 1, and both classes are there.
[[nodiscard]] Result<void> check_risk_rows(const Rows& rows);

/// SHA-256 over columns and rows: equal fingerprints are equal data.
std::string fingerprint(const Rows& rows);

}  // namespace parley::learn
