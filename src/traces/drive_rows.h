// Traces: drives to rows: intervals in which a drive's SMART readings did not change in; rows with
// what was known at the start of each out.

#pragma once

#include "base/time.h"
#include "learn/rows/censoring.h"
#include "traces/risk_trace.h"
#include "traces/table.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace parley::traces {

/// Attributes that indicate failure, as Backblaze names them.
inline constexpr std::array<std::string_view, 9> kDriveReadings = {
    "smart_5",   "smart_10",  "smart_12",  "smart_187", "smart_188",
    "smart_189", "smart_196", "smart_197", "smart_198"};
/// NaN: missing.
using DriveReadings = std::array<float, kDriveReadings.size()>;

/// More than a century: no drive has run for longer.
inline constexpr double kDriveHoursMax = 1'000'000;

/// The readings of a line, from its wanted column `first` on.
[[nodiscard]] Result<DriveReadings> readings_in(const Table& table, std::size_t first);

inline constexpr std::array<std::string_view, 5> kDriveMakers = {"HGST", "Hitachi", "ST", "TOSHIBA",
                                                                 "WDC"};

struct DriveInterval {
    std::int32_t drive = 0;
    std::uint64_t key = 0;   ///< By which drives are split.
    std::string_view maker;  ///< One of those above, or another.
    double size_tb = 0;
    TimePoint began;
    std::optional<double> age_h;  ///< Hours it had run when the interval began.
    double watched_h = 0;         ///< Since it was seen first.
    DriveReadings readings{};
    bool failed = false;  ///< At the end of the interval.
    Duration lasted;      ///< From its beginning to its end, or as far as it was seen.
};

/// Makes a row of each interval; those of one drive must come in order of time. The last interval
/// of a drive that did not fail is open: what ended it was not seen, so it is censored, not a
/// survival. Intervals that lasted as long and whose end was seen weigh more in its place.
class DriveRows {
public:
    static constexpr std::size_t kMax = 20'000'000;

    DriveRows();

    std::size_t size() const { return rows_.size(); }
    /// When the last interval of this drive began, in hours since it was seen first.
    std::optional<double> last_of(std::int32_t drive) const;
    void add(const DriveInterval& interval);
    /// What follows for this drive is unrelated to what was before.
    void forget(std::int32_t drive) { before_.erase(drive); }
    /// At least one row must have been added.
    [[nodiscard]] Result<RiskTrace> finish();

private:
    struct Before {
        double watched_h = 0;
        DriveReadings readings{};
    };

    learn::Rows rows_;
    std::vector<std::uint64_t> keys_;
    std::vector<learn::Watched> watched_;
    std::map<std::int32_t, Before> before_;
    std::map<std::int32_t, std::size_t> newest_;  ///< Row of each drive.
    std::int32_t failures_ = 0;
};

}  // namespace parley::traces
