// Traces: a metric of the Numenta anomaly benchmark to a series.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// Lines `timestamp,value` with times such as 2014-04-10 00:04:00. The step is the most frequent
/// distance between lines. `file` names the series.
[[nodiscard]] Result<LoadTrace> import_nab(std::string_view file, std::string_view table);

}  // namespace parley::traces
