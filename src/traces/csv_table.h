// Traces: somebody's own table: a line per entity and time, in any step. A text and the names of
// its columns in, series or rows of risk out.

#pragma once

#include "traces/load_trace.h"
#include "traces/risk_trace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::traces {

/// Which columns say what.
struct CsvColumns {
    std::string time;    ///< RFC 3339, or seconds, milliseconds or microseconds since 1970.
    std::string entity;  ///< Node, drive, service; empty: all lines are of one.
    std::string value;   ///< What is used, or 0 and 1: whether it failed.
};

/// A column that becomes a feature of somebody else's list.
struct CsvFeature {
    std::string column;
    std::size_t place = 0;  ///< In that list.
    double times = 1;       ///< From the column's unit to the list's.
};

struct CsvOptions {
    CsvColumns columns;
    std::optional<Duration> step;      ///< Nothing: as most lines have it.
    std::optional<Duration> horizon;   ///< Of risk; nothing: kCsvHorizonSteps.
    std::vector<CsvFeature> features;  ///< Empty: every column of numbers is one.
    std::vector<learn::Column> list;   ///< What `features` point into.
};

inline constexpr std::int64_t kCsvHorizonSteps = 24;

/// One series per entity. A step without a line, and a line without a value, is a gap. A time that
/// stands there twice is an error with its line.
[[nodiscard]] Result<LoadTrace> import_csv_demand(const std::string& file, std::string_view text,
                                                  const CsvOptions& options);

/// One row per line on which the entity has not failed: does it within the horizon? Lines of 1 that
/// follow each other are one failure. Where a line or its event is missing nobody knows what came:
/// rows before it are censored, and so are those whose horizon ends behind the last line. Features
/// are the numbers of the line, what they changed since the line before, how long ago the entity
/// failed last and how often it did; with a list, what the list names alone.
[[nodiscard]] Result<RiskTrace> import_csv_risk(const std::string& file, std::string_view text,
                                                const CsvOptions& options);

/// A time in one of the forms above.
[[nodiscard]] std::optional<TimePoint> csv_time(std::string_view text);

}  // namespace parley::traces
