// Traces: requests per second of a web service to a series by minutes.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// One line per second under the heading `rps`. A minute or more of zeros is an outage of the
/// collector, not of the service: those seconds are missing, and a minute with more than half of it
/// missing is missing, too.
[[nodiscard]] Result<LoadTrace> import_web_rates(const std::string& file, std::string_view table);

}  // namespace parley::traces
