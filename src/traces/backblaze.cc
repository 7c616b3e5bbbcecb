#include "traces/backblaze.h"

#include "base/time_text.h"
#include "traces/drive_rows.h"
#include "traces/table.h"

#include <limits>
#include <string>
#include <vector>

namespace parley::traces {
namespace {

enum Field : std::size_t {
    drive,
    maker,
    size_tb,
    min_date,
    min_hours,
    tstart,
    tstop,
    fails,
    readings
};

std::vector<std::string_view> wanted() {
    std::vector<std::string_view> names = {"drive_id",  "manufacturer", "size_tb", "min_date",
                                           "min_hours", "tstart",       "tstop",   "fails"};
    names.insert(names.end(), kDriveReadings.begin(), kDriveReadings.end());
    return names;
}

Result<double> hours_in(const Table& table, std::size_t column) {
    const auto hours = table.number(column);
    if (hours && (*hours < 0 || *hours > kDriveHoursMax))
        return table.refuse("hours are out of range");
    return hours;
}

Result<DriveInterval> interval_of(const Table& table) {
    const auto id = table.whole(drive, 0, std::numeric_limits<std::int32_t>::max());
    const auto failed = table.whole(fails, 0, 1);
    for (const auto* field : {&id, &failed})
        if (!*field) return tl::unexpected(field->error());
    const auto size = table.amount_or_missing(size_tb);
    const auto first = hours_in(table, min_hours);
    const auto now = hours_in(table, tstart);
    for (const auto* field : {&size, &first, &now})
        if (!*field) return tl::unexpected(field->error());
    if (*now < *first) return table.refuse("tstart lies before min_hours");
    const auto since = parse_time(std::string(table.text(min_date)) + "T00:00:00Z");
    if (!since) return table.refuse("min_date must be such as 2015-02-05");
    const auto read = readings_in(table, readings);
    if (!read) return tl::unexpected(read.error());
    // How long it lasted is an outcome: it determines the weight of the row, but is no feature.
    const auto until = hours_in(table, tstop);
    if (!until) return tl::unexpected(until.error());
    if (*until < *now) return table.refuse("tstop lies before tstart");
    const double watched = *now - *first;
    return DriveInterval{
        .drive = static_cast<std::int32_t>(*id),
        .key = static_cast<std::uint64_t>(*id),
        .maker = table.text(maker),
        .size_tb = *size,
        .began = {since->us + static_cast<std::int64_t>(watched * 3.6e9)},
        .age_h = *now,
        .watched_h = watched,
        .readings = *read,
        .failed = *failed == 1,
        .lasted = {static_cast<std::int64_t>((*until - *now) * 3.6e9)},
    };
}

}  // namespace

Result<RiskTrace> import_backblaze(const std::string& file, std::string_view text) {
    auto table = Table::open(file, text, wanted());
    if (!table) return tl::unexpected(table.error());
    DriveRows rows;
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        const auto interval = interval_of(*table);
        if (!interval) return tl::unexpected(interval.error());
        const auto last = rows.last_of(interval->drive);
        if (last && interval->watched_h <= *last) {
            return table->refuse(
                "intervals of a drive must follow each other in time; sort its lines by tstart and "
                "drop what stands twice");
        }
        if (rows.size() == DriveRows::kMax) return table->refuse("it has too many rows");
        rows.add(*interval);
    }
    if (rows.size() == 0) return table->refuse("it has a heading and no line");
    auto trace = rows.finish();
    if (!trace) return within(file, trace.error());
    return trace;
}

}  // namespace parley::traces
