#include "base/time_text.h"

#include "base/check.h"
#include "base/number.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace parley {
namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;

constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();

__extension__ using Wide = __int128;  // A count of any unit in microseconds.

struct Date {
    std::int64_t year;
    std::int64_t month;
    std::int64_t day;
};

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

std::int64_t days_in(std::int64_t year, std::int64_t month) {
    constexpr std::array<std::int64_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// Days from 0001-01-01 to the first day of `year`, which is at least 1.
constexpr std::int64_t days_before_year(std::int64_t year) {
    const std::int64_t past = year - 1;
    return past * 365 + past / 4 - past / 100 + past / 400;
}

constexpr std::int64_t kEpochDay = days_before_year(1970);
constexpr std::int64_t kEarliest = -kEpochDay * kDay;
constexpr std::int64_t kLatest = (days_before_year(10'000) - kEpochDay) * kDay - 1;

std::int64_t day_number(const Date& date) {
    std::int64_t days = days_before_year(date.year) + date.day - 1;
    for (std::int64_t month = 1; month < date.month; ++month) days += days_in(date.year, month);
    return days - kEpochDay;
}

Date date_of(std::int64_t day) {
    day += kEpochDay;
    std::int64_t year = day / 366 + 1;  // Never too late; at most seven years too early.
    while (days_before_year(year + 1) <= day) ++year;
    day -= days_before_year(year);
    std::int64_t month = 1;
    while (day >= days_in(year, month)) day -= days_in(year, month++);
    return {year, month, day + 1};
}

/// Takes the parts of a strict format from the front of a text, and remembers whether all were
/// there.
class Taker {
public:
    explicit Taker(std::string_view text) : rest_(text) {}

    /// Exactly `count` digits with a value from lo to hi.
    std::int64_t number(std::size_t count, std::int64_t lo, std::int64_t hi) {
        std::int64_t value = 0;
        for (std::size_t i = 0; i < count; ++i) value = value * 10 + digit();
        ok_ = ok_ && value >= lo && value <= hi;
        return value;
    }

    void letter(char wanted) { ok_ = optional(wanted) && ok_; }

    bool optional(char wanted) {
        if (!rest_.starts_with(wanted)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    /// 1 to 9 digits after the point, cut to microseconds.
    std::int64_t fraction() {
        std::int64_t value = 0;
        int count = 0;
        while (ok_ && !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
            const std::int64_t next = digit();
            if (++count <= 6) value = value * 10 + next;
        }
        ok_ = ok_ && count >= 1 && count <= 9;
        for (int i = count; i < 6; ++i) value *= 10;
        return value;
    }

    bool complete() const { return ok_ && rest_.empty(); }

private:
    std::int64_t digit() {
        if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') {
            ok_ = false;
            return 0;
        }
        const std::int64_t value = rest_[0] - '0';
        rest_.remove_prefix(1);
        return value;
    }

    std::string_view rest_;
    bool ok_ = true;
};

std::string padded(std::int64_t value, std::size_t width) {
    const std::string digits = std::to_string(value);
    return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

/// Whether there is a fraction depends on the time as shown, after it was moved into the printable
/// years.
std::string print(TimePoint time, bool always_fraction) {
    const std::int64_t us = std::clamp(time.us, kEarliest, kLatest);
    const std::int64_t since = us - kEarliest;  // Not negative, so that division cuts downwards.
    const Date date = date_of(since / kDay - kEpochDay);
    const std::int64_t in_day = since % kDay;
    std::string text = padded(date.year, 4) + "-" + padded(date.month, 2) + "-" +
                       padded(date.day, 2) + "T" + padded(in_day / kHour, 2) + ":" +
                       padded(in_day / kMinute % 60, 2) + ":" + padded(in_day / kSecond % 60, 2);
    if (always_fraction || in_day % kSecond != 0) text += "." + padded(in_day % kSecond, 6);
    return text + "Z";
}

struct Unit {
    std::string_view name;
    std::int64_t us;
};
constexpr std::array<Unit, 6> kUnits = {
    {{"d", kDay}, {"h", kHour}, {"m", kMinute}, {"s", kSecond}, {"ms", 1000}, {"us", 1}}};

std::string_view take(std::string_view& text, std::string_view characters) {
    const std::size_t end = std::min(text.find_first_not_of(characters), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(end);
    return taken;
}

/// whole.fraction units in microseconds, exact; none if it is not whole or too large.
std::optional<std::int64_t> amount(std::string_view whole, std::string_view fraction,
                                   std::int64_t unit) {
    while (fraction.ends_with('0')) fraction.remove_suffix(1);
    if (fraction.size() > 15) return std::nullopt;
    Wide scaled = 0;  // In units of the last digit of the fraction.
    Wide places = 1;
    for (const char c : fraction) {
        scaled = scaled * 10 + (c - '0');
        places *= 10;
    }
    scaled *= unit;
    const Result<std::int64_t> count = parse_int64(whole);
    if (!count || scaled % places != 0) return std::nullopt;
    const Wide us = Wide{*count} * unit + scaled / places;
    if (us > kLongest) return std::nullopt;
    return static_cast<std::int64_t>(us);
}

}  // namespace

Result<TimePoint> parse_time(std::string_view text) {
    Taker taker(text);
    Date date{};
    date.year = taker.number(4, 1, 9999);
    taker.letter('-');
    date.month = taker.number(2, 1, 12);
    taker.letter('-');
    date.day = taker.number(2, 1, 31);
    taker.letter('T');
    std::int64_t in_day = taker.number(2, 0, 23) * kHour;
    taker.letter(':');
    in_day += taker.number(2, 0, 59) * kMinute;
    taker.letter(':');
    const std::int64_t second = taker.number(2, 0, 60);
    const std::int64_t fraction = taker.optional('.') ? taker.fraction() : 0;
    std::int64_t offset = 0;
    if (!taker.optional('Z')) {
        const bool west = taker.optional('-');
        if (!west) taker.letter('+');
        offset = taker.number(2, 0, 23) * kHour;
        taker.letter(':');
        offset += taker.number(2, 0, 59) * kMinute;
        if (west) offset = -offset;
    }
    const auto malformed = [text] {
        return fail(ErrorCode::malformed,
                    in_quotes(text) + " is not a time such as 2025-03-01T12:00:00Z");
    };
    if (!taker.complete() || date.day > days_in(date.year, date.month)) return malformed();
    std::int64_t us = day_number(date) * kDay + in_day - offset;
    if (second == 60) {
        if ((us - kEarliest + 2 * kDay) % kDay != kDay - kMinute) return malformed();
        return TimePoint{us + kMinute - 1};
    }
    us += second * kSecond + fraction;
    if (us < kEarliest || us > kLatest) return malformed();  // Its offset moved it outside.
    return TimePoint{us};
}

std::string print_time(TimePoint time) { return print(time, false); }

std::string print_micro_time(TimePoint time) { return print(time, true); }

Result<Duration> parse_duration(std::string_view text) {
    const auto malformed = [text](const char* what) {
        return fail(ErrorCode::malformed, in_quotes(text) + " " + what);
    };
    constexpr const char* kShape = "is not a duration such as 500ms, 3s, 1m30s or 2h";
    if (text.empty() || text.size() > kNumberTextMax) return malformed(kShape);
    if (text == "0") return Duration{};
    std::int64_t total = 0;
    std::size_t next_unit = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view whole = take(rest, "0123456789");
        const bool point = rest.starts_with('.');
        if (point) rest.remove_prefix(1);
        const std::string_view fraction = point ? take(rest, "0123456789") : "";
        const std::string_view name = take(rest, "abcdefghijklmnopqrstuvwxyz");
        if (whole.empty() || (point && fraction.empty())) return malformed(kShape);
        const auto* unit = std::find_if(kUnits.begin() + next_unit, kUnits.end(),
                                        [name](const Unit& u) { return u.name == name; });
        if (unit == kUnits.end()) return malformed(kShape);
        next_unit = static_cast<std::size_t>(unit - kUnits.begin()) + 1;
        const auto us = amount(whole, fraction, unit->us);
        if (!us || total > kLongest - *us) {
            return malformed("is too long, or finer than a microsecond");
        }
        total += *us;
    }
    return Duration{total};
}

std::string print_duration(Duration duration) {
    if (duration.us == 0) return "0s";
    std::string text = duration.us < 0 ? "-" : "";
    std::int64_t rest = duration.us;
    for (const Unit& unit : kUnits) {
        const std::int64_t count = rest / unit.us;
        rest %= unit.us;
        if (count != 0) text += std::to_string(count < 0 ? -count : count).append(unit.name);
    }
    return text;
}

std::string print_age(Duration age) {
    const std::int64_t us = std::max<std::int64_t>(age.us, 0);
    if (us < kSecond) return "0." + std::to_string(us / (kSecond / 10)) + "s";
    if (us < kMinute) return std::to_string(us / kSecond) + "s";
    if (us < kHour) return std::to_string(us / kMinute) + "m" + padded(us / kSecond % 60, 2) + "s";
    if (us < kDay) return std::to_string(us / kHour) + "h" + padded(us / kMinute % 60, 2) + "m";
    return std::to_string(us / kDay) + "d";
}

std::string print_simulated(TimePoint time) {
    std::int64_t seconds = time.us / kSecond;
    const std::string start = seconds < 0 ? "T-" : "T+";
    if (seconds < 0) seconds = -seconds;
    const std::string tail = padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2);
    return start + (seconds < 3600 ? tail : std::to_string(seconds / 3600) + ":" + tail);
}

}  // namespace parley
