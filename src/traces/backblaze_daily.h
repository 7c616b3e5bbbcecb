// Traces: Backblaze's drives, as the files that it publishes, one a day, to the same rows as those
// of backblaze.h.

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
/// its readings. Days in which they stay as they are become one interval, with the age and the
/// readings of its first day. A drive that fails ends the interval that it was in; what was read on
/// that day is not used, since it may come from the failure. A drive that is seen again after it
/// failed begins anew, and one that is seen first when it fails has nothing that was known before.
class BackblazeDays {
public:
    /// Whether a text is such a file.
    static bool known(std::string_view text);

    /// One file. Days of a drive must follow each other; days may be left out.
    [[nodiscard]] Result<void> take(const std::string& file, std::string_view text);
    /// After the last one. Intervals that nothing has ended yet are censored on the last day that
    /// their drive was seen.
    [[nodiscard]] Result<RiskTrace> finish();

private:
    struct Drive {
        DriveInterval interval;  ///< The one that it is in.
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
