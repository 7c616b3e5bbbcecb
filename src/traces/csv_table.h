// Traces: a user's own table with a line per entity and time, at any step: text and names of
// columns in; series, or rows of risk, out.

#pragma once

#include "traces/load_trace.h"
#include "traces/risk_trace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::traces {

/// The meaning of columns.
struct CsvColumns {
    std::string time;    ///< RFC 3339, or seconds, milliseconds or microseconds since 1970.
    std::string entity;  ///< Node, drive, service; empty: all lines belong to one.
    std::string value;   ///< What is used; or 0 and 1 for whether it failed.
};

/// A column that becomes a feature of a given list.
struct CsvFeature {
    std::string column;
    std::size_t place = 0;  ///< In that list.
    double times = 1;       ///< From the column's unit to that of the list.
};

struct CsvOptions {
    CsvColumns columns;
    std::optional<Duration> step;      ///< Nothing: the usual distance of lines.
    std::optional<Duration> horizon;   ///< For risk; nothing: kCsvHorizonSteps.
    std::vector<CsvFeature> features;  ///< Empty: every numeric column is one.
    std::vector<learn::Column> list;   ///< The list that `features` refers to.
};

inline constexpr std::int64_t kCsvHorizonSteps = 24;

/// One series per entity. A step without a line, or a line without a value, is a gap. A time that
/// occurs twice is an error that names its line.
[[nodiscard]] Result<LoadTrace> import_csv_demand(const std::string& file, std::string_view text,
                                                  const CsvOptions& options);

/// One row per line on which the entity has not failed: does it fail within the horizon?
/// Consecutive lines of 1 are one failure. If a line or its event is missing, the outcome is
/// unknown: rows before it are censored, and so are those whose horizon ends after the last line.
/// Features are the numbers of the line, their change since the line before, how long ago the
/// entity last failed and how often; with a list, only what the list names.
[[nodiscard]] Result<RiskTrace> import_csv_risk(const std::string& file, std::string_view text,
                                                const CsvOptions& options);

/// A time in one of the forms above.
[[nodiscard]] std::optional<TimePoint> csv_time(std::string_view text);

}  // namespace parley::traces
