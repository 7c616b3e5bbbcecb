// Traces: drives to rows: intervals in which a drive's SMART readings stayed as they are in, rows
// with what was known when each began out.

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

/// Attributes that say something of failing, as Backblaze names them.
inline constexpr std::array<std::string_view, 9> kDriveReadings = {
    "smart_5",   "smart_10",  "smart_12",  "smart_187", "smart_188",
    "smart_189", "smart_196", "smart_197", "smart_198"};
/// Not a number: missing.
using DriveReadings = std::array<float, kDriveReadings.size()>;

/// More than a century: nothing that ran for longer.
inline constexpr double kDriveHoursMax = 1'000'000;

/// The readings of a line, which stand in its wanted columns from `first` on.
[[nodiscard]] Result<DriveReadings> readings_in(const Table& table, std::size_t first);

inline constexpr std::array<std::string_view, 5> kDriveMakers = {"HGST", "Hitachi", "ST", "TOSHIBA",
                                                                 "WDC"};

struct DriveInterval {
    std::int32_t drive = 0;
    std::uint64_t key = 0;   ///< By which drives are split.
    std::string_view maker;  ///< One of the above, or another.
    double size_tb = 0;
    TimePoint began;
    std::optional<double> age_h;  ///< Hours it ran when the interval began.
    double watched_h = 0;         ///< Since it was seen first.
    DriveReadings readings{};
    bool failed = false;  ///< At its end.
    Duration lasted;      ///< From its beginning to its end, or as far as anybody saw.
};

/// Makes a row of each interval, those of one drive in order of time. The last of a drive that did
/// not fail is open: nobody saw what ended it, so it is censored and no survival. Those that lasted
/// as long and whose end was seen weigh more in its place.
class DriveRows {
public:
    static constexpr std::size_t kMax = 20'000'000;

    DriveRows();

    std::size_t size() const { return rows_.size(); }
    /// When the last interval of this drive began, in hours since it was seen first.
    std::optional<double> last_of(std::int32_t drive) const;
    void add(const DriveInterval& interval);
    /// What follows of this drive has nothing to do with what was.
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
