// Traces: virtual machines of Bitbrains to one series of CPU each.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// A line per machine and five minutes, machine after machine, times rising: vm, timestamp_s,
/// cpu_usage_mhz.
[[nodiscard]] Result<LoadTrace> import_bitbrains(std::string_view table);

}  // namespace parley::traces
