// Config: a series from a CSV file: lines of `seconds,value` to points in order of time.

#pragma once

#include "base/time.h"
#include "config/source.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace parley::config {

inline constexpr std::uint64_t kCsvBytesMax = std::uint64_t{32} << 20;
inline constexpr std::size_t kCsvPointsMax = 1'000'000;

struct CsvPoint {
    Duration at;
    double value = 0;

    friend bool operator==(const CsvPoint&, const CsvPoint&) = default;
};

/// One point a line: a time in seconds from 0, rising from line to line, and a finite number. The
/// first line may be a heading, empty lines and those that begin with # are skipped, columns after
/// the second are ignored; spaces around a number too. Refuses everything else with its place.
[[nodiscard]] Result<std::vector<CsvPoint>> parse_csv(const Source& source);

}  // namespace parley::config
