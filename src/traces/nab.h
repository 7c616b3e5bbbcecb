// Traces: a metric of the Numenta anomaly benchmark to a series.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// Lines `timestamp,value` with times such as 2014-04-10 00:04:00, in UTC unless they end with a
/// zone. The step is the most frequent distance between lines. The file's name is that of the
/// series.
[[nodiscard]] Result<LoadTrace> import_nab(const std::string& file, std::string_view table);

}  // namespace parley::traces
