// Traces: Grid'5000's record of nodes up and down to rows: is a node down within a day?

#pragma once

#include "base/result.h"
#include "traces/risk_trace.h"

#include <string_view>

namespace parley::traces {

/// `events` has a line per interval (node_id,event_type,event_start_time,event_stop_time; type 1 is
/// up), in order of time for each node. One row per node and day on which it is up; the label is 1
/// if a down of at least ten minutes begins within the following day. Shorter ones are mostly
/// reboots between reservations. Features use only the past: a down counts once it has lasted ten
/// minutes. A row whose following day is not completely recorded is left out, unless a down came
/// before. Split by time with an embargo of a day.
[[nodiscard]] Result<RiskTrace> import_grid5000(const std::string& file, std::string_view events);

}  // namespace parley::traces
