// Traces: Backblaze's drives as published, one file a day, to the same rows as backblaze.h.

#pragma once

#include "base/result.h"
#include "base/time.h"
#include "traces/drive_rows.h"
#include "traces/table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace parley::traces {

/// A line per drive and day: date, serial number, model, capacity, whether it failed that day, and
/// its readings. Days without a change become one interval, with the age and the readings of its
/// first day. A failure ends the drive's interval; readings of that day are not used, since they
/// may come from the failure. A drive seen again after a failure starts from scratch, and one first
/// seen when it fails has nothing that was known before.
class BackblazeDays {
public:
    /// Whether a text is such a file.
    static bool known(std::string_view text);

    /// Takes one file. The days of a drive must be in order; days may be missing.
    [[nodiscard]] Result<void> take(const std::string& file, std::string_view text);
    /// Call it after the last file. Intervals that have not ended are censored on the last day that
    /// their drive was seen.
    [[nodiscard]] Result<RiskTrace> finish();

private:
    struct Drive {
        DriveInterval interval;  ///< The current interval.
        TimePoint first;
        TimePoint last;
        bool gone = false;
    };

    Result<void> take_line(const Table& table);
    Result<void> close(const Table& table, const DriveInterval& interval);

    DriveRows rows_;
    std::unordered_map<std::string, Drive> drives_;  ///< By serial number.
};

}  // namespace parley::traces
