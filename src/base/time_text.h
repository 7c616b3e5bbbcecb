// Base: times and durations as text: RFC 3339 from and to Kubernetes, durations of the
// configuration, ages and simulated time for people.

#pragma once

#include "base/result.h"
#include "base/time.h"

#include <string>
#include <string_view>

namespace parley {

/// Strict RFC 3339: "2025-03-01T12:00:00Z", with 1 to 9 digits of a fraction, cut to microseconds,
/// and "Z" or an offset such as "+02:00"; years 0001 to 9999, capital T and Z. A leap second
/// (23:59:60 UTC) becomes the last microsecond before midnight, so that order is kept.
[[nodiscard]] Result<TimePoint> parse_time(std::string_view text);

/// In UTC: without a fraction if it is whole seconds, else with six digits. A time outside the
/// years 0001 to 9999 reads as the nearest inside.
std::string print_time(TimePoint time);

/// Always with six digits, as the API server wants it in a Lease (MicroTime).
std::string print_micro_time(TimePoint time);

/// A duration of the configuration: whole or decimal numbers with d, h, m, s, ms, us, largest
/// first, each at most once: "3s", "1m30s", "500ms", "1.5h"; also "0". Malformed: a sign, a number
/// without unit, a part of a microsecond, more than int64 microseconds.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

/// Reads back as the same duration: "1m30s", "500ms", "0s". With a minus sign if negative, which
/// parse_duration refuses.
std::string print_duration(Duration duration);

/// An age at a glance, cut, never rounded up: "0.4s", "47s", "4m12s", "3h05m", "5d". Below zero
/// "0.0s".
std::string print_age(Duration age);

/// Simulated time since the run began: "T+07:06", from one hour "T+1:02:03". Before it "T-00:05".
std::string print_simulated(TimePoint time);

}  // namespace parley
