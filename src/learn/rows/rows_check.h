// Learn: data sets checked and joined: a row without a key, a label or a known feature is an error.

#pragma once

#include "base/result.h"
#include "learn/rows/rows.h"

#include <string>

namespace parley::learn {

inline constexpr std::size_t kRowsMax = 50'000'000;
inline constexpr std::size_t kColumnsMax = 4'096;

/// What a trainer may rely on: at least one row, all vectors of the right length, columns with
/// distinct names and units, finite labels and weights, no negative weight, entity and group
/// present. The error names the row.
[[nodiscard]] Result<void> check_rows(const Rows& rows);

/// Like check_rows; also, labels are 0 or 1 and both occur.
[[nodiscard]] Result<void> check_risk_rows(const Rows& rows);

/// SHA-256 over columns and rows: equal fingerprints mean equal data.
std::string fingerprint(const Rows& rows);

}  // namespace parley::learn
