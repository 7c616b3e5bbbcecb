// Traces: Backblaze's drives, as intervals, to rows: does a drive fail before its readings change
// again?

#pragma once

#include "base/result.h"
#include "traces/risk_trace.h"

#include <string_view>

namespace parley::traces {

/// A line per drive and interval in which its SMART readings did not change. The label is `fails`:
/// the interval ends with a failure. Features are what was known when it began: readings, age,
/// size, maker, and how readings changed since the interval before. `tstop` and `max_date` are
/// outcomes and not used as features. Split by a hash of the drive. Daily files: backblaze_daily.h.
[[nodiscard]] Result<RiskTrace> import_backblaze(const std::string& file, std::string_view table);

}  // namespace parley::traces
