#include "traces/backblaze_daily.h"

#include "base/hash.h"
#include "base/time_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

namespace parley::traces {
namespace {

constexpr double kTerabyte = 1e12;
constexpr double kBytesMost = 1e6 * kTerabyte;
constexpr std::size_t kDrivesMax = 10'000'000;

enum Field : std::size_t { date, serial, model_name, capacity, failure, powered_on, readings };

constexpr std::array<std::string_view, 15> kWanted = {
    "date",          "serial_number", "model",         "capacity_bytes", "failure",
    "smart_9_raw",   "smart_5_raw",   "smart_10_raw",  "smart_12_raw",   "smart_187_raw",
    "smart_188_raw", "smart_189_raw", "smart_196_raw", "smart_197_raw",  "smart_198_raw"};
static_assert(kWanted.size() == readings + kDriveReadings.size());

/// The maker as the intervals name it: "HGST" for "HGST HMS5C4040BLE640", "ST" for "ST4000DM000".
std::string_view maker_of(std::string_view model) {
    struct Prefix {
        std::string_view begins;
        std::string_view maker;
    };
    constexpr Prefix kPrefixes[] = {
        {"HGST", "HGST"}, {"Hitachi", "Hitachi"}, {"TOSHIBA", "TOSHIBA"}, {"WDC", "WDC"},
        {"WUH", "WDC"},   {"ST", "ST"},           {"Seagate", "ST"}};
    for (const Prefix& each : kPrefixes) {
        if (model.starts_with(each.begins)) return each.maker;
    }
    return "";
}

/// A drive has the same key in every file.
std::uint64_t key_of(std::string_view serial_number) {
    const Digest digest = sha256(serial_number);
    std::uint64_t key = 0;
    std::memcpy(&key, digest.data(), sizeof key);
    return key;
}

/// A count of hours or bytes; nothing if it is missing or impossible.
Result<std::optional<double>> plausible(const Table& table, std::size_t column, double most) {
    if (table.missing(column)) return std::nullopt;
    const auto value = table.number(column);
    if (!value) return tl::unexpected(value.error());
    return *value >= 0 && *value <= most ? std::optional(*value) : std::nullopt;
}

/// NaN equals NaN here.
bool same(const DriveReadings& a, const DriveReadings& b) {
    return std::ranges::equal(
        a, b, {}, [](float x) { return std::bit_cast<std::uint32_t>(x); },
        [](float x) { return std::bit_cast<std::uint32_t>(x); });
}

}  // namespace

bool BackblazeDays::known(std::string_view text) {
    const std::string_view heading = text.substr(0, text.find('\n'));
    return heading.find("serial_number") != std::string_view::npos;
}

Result<void> BackblazeDays::take(const std::string& file, std::string_view text) {
    auto table = Table::open(file, text, kWanted);
    if (!table) return tl::unexpected(table.error());
    while (true) {
        const auto more = table->next();
        if (!more) return tl::unexpected(more.error());
        if (!*more) return {};
        if (auto done = take_line(*table); !done) return done;
    }
}

Result<void> BackblazeDays::take_line(const Table& table) {
    const auto day = parse_time(std::string(table.text(date)) + "T00:00:00Z");
    if (!day) return table.refuse("date must be such as 2024-01-31");
    if (table.missing(serial)) return table.refuse("serial_number is missing");
    const auto failed = table.whole(failure, 0, 1);
    if (!failed) return tl::unexpected(failed.error());
    const auto now = readings_in(table, readings);
    if (!now) return tl::unexpected(now.error());
    const auto bytes = plausible(table, capacity, kBytesMost);
    // Some drives count in other units; then it is not an age.
    const auto hours_on = plausible(table, powered_on, kDriveHoursMax);
    for (const auto* field : {&bytes, &hours_on})
        if (!*field) return tl::unexpected(field->error());
    if (drives_.size() == kDrivesMax) return table.refuse("there are too many drives");

    const auto [found, is_new] = drives_.try_emplace(std::string(table.text(serial)));
    Drive& drive = found->second;
    if (!is_new && *day <= drive.last) {
        return table.refuse("the days of a drive must follow each other; it was seen on " +
                            print_time(drive.last).substr(0, 10) +
                            " already, so give each day once, in order");
    }
    if (is_new) {
        drive.interval.drive = static_cast<std::int32_t>(drives_.size() - 1);
        drive.interval.key = key_of(table.text(serial));
        drive.interval.maker = maker_of(table.text(model_name));
    }
    const bool begins = is_new || drive.gone;
    if (!begins) drive.interval.lasted = *day - drive.interval.began;
    drive.last = *day;
    if (*failed == 1) {
        drive.gone = true;
        if (begins) return {};
        drive.interval.failed = true;
        auto closed = close(table, drive.interval);
        rows_.forget(drive.interval.drive);
        return closed;
    }
    if (!begins && same(*now, drive.interval.readings)) return {};
    if (!begins) {
        if (auto closed = close(table, drive.interval); !closed) return closed;
    } else {
        drive.first = *day;
        drive.gone = false;
        drive.interval.failed = false;
    }
    drive.interval.began = *day;
    drive.interval.lasted = {};
    drive.interval.watched_h = in_minutes(*day - drive.first) / 60;
    drive.interval.age_h = *hours_on;
    drive.interval.size_tb = bytes->value_or(std::numeric_limits<double>::quiet_NaN()) / kTerabyte;
    drive.interval.readings = *now;
    return {};
}

Result<void> BackblazeDays::close(const Table& table, const DriveInterval& interval) {
    if (rows_.size() == DriveRows::kMax) return table.refuse("there are too many intervals");
    rows_.add(interval);
    return {};
}

Result<RiskTrace> BackblazeDays::finish() {
    std::vector<const DriveInterval*> open;
    for (const auto& [serial_number, drive] : drives_) {
        if (!drive.gone) open.push_back(&drive.interval);
    }
    // Sorted, since a hash map has no defined order.
    std::ranges::sort(open, {}, [](const DriveInterval* each) { return each->drive; });
    for (const DriveInterval* each : open) rows_.add(*each);
    if (rows_.size() == 0) {
        return fail(ErrorCode::malformed, "these files hold no day of a drive before it failed");
    }
    return rows_.finish();
}

}  // namespace parley::traces
