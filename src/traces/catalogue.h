// Traces: the public traces that can be read, by name: files in, rows or series out.

#pragma once

#include "base/file.h"
#include "traces/load_trace.h"
#include "traces/risk_trace.h"

#include <span>
#include <string>
#include <vector>

namespace parley::traces {

struct Entry {
    const char* name;
    const char* what;      ///< For --help.
    bool several = false;  ///< It may have more than one file.
};
std::span<const Entry> risk_traces();
std::span<const Entry> load_traces();

/// Refuses an unknown name; suggests the nearest one, or lists all.
[[nodiscard]] Result<void> check_name(const std::string& name, std::span<const Entry> known);
/// Refuses no files, and more than the trace of that name can have.
[[nodiscard]] Result<void> check_count(const std::string& name, std::span<const Entry> known,
                                       std::size_t files);

/// The files that a command names, each once; a folder stands for its files that end with .csv or
/// .csv.gz.
[[nodiscard]] Result<std::vector<std::string>> trace_files(Disk& disk,
                                                           const std::vector<std::string>& from);

/// Reads one file, or for Backblaze as many as there are days. For an unknown name the error
/// suggests the nearest one and lists all.
[[nodiscard]] Result<RiskTrace> read_risk_trace(Disk& disk, const std::string& name,
                                                const std::vector<std::string>& files);
/// Reads one file or several of the same kind; each adds its series.
[[nodiscard]] Result<LoadTrace> read_load_trace(Disk& disk, const std::string& name,
                                                const std::vector<std::string>& files);

}  // namespace parley::traces
