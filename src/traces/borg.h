// Traces: a sample of Google's Borg in 2019 to rows: does a task fail?

#pragma once

#include "base/result.h"
#include "traces/risk_trace.h"

#include <string_view>

namespace parley::traces {

/// A line per instance with what it requested and used. The label is `fail_official`, by Google's
/// own numbering of events. Never read: the types of events, which are the outcome, ids, and times
/// since the trace began. Split by a hash of the collection: instances of one collection share
/// their usage and nearly always their fate.
[[nodiscard]] Result<RiskTrace> import_borg(const std::string& file, std::string_view table);

}  // namespace parley::traces
