// Traces: CPU of whole data centres (Google 2019, Azure 2017, Alibaba 2018) to one series.

#pragma once

#include "traces/load_trace.h"

#include <string_view>

namespace parley::traces {

/// Distinguished by headings: `avg_cpu` is Google's, `cpu_usage` Azure's, `cpu_util_percent`
/// Alibaba's. Steps are five minutes; Azure's times are checked against that. `file` only tells
/// whether Alibaba's file has steps of 30 seconds, by `30s` in its name.
[[nodiscard]] Result<LoadTrace> import_datacenter(const std::string& file, std::string_view table);

}  // namespace parley::traces
