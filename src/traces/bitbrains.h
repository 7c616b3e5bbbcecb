// Traces: virtual machines of Bitbrains to one series of CPU each.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// A line per machine and five minutes: vm, timestamp_s, cpu_usage_mhz. Files of the archive itself
/// (GWA-T-12), one for each machine, can be read, too; the name of such a file is that of its
/// machine.
[[nodiscard]] Result<LoadTrace> import_bitbrains(const std::string& file, std::string_view table);

}  // namespace parley::traces
