// Base: points in time and durations, in whole microseconds. Values, never a clock.

#pragma once

#include <compare>
#include <cstdint>

namespace parley {

struct Duration {
    std::int64_t us = 0;

    friend constexpr auto operator<=>(const Duration&, const Duration&) = default;
    friend constexpr Duration operator+(Duration a, Duration b) { return {a.us + b.us}; }
    friend constexpr Duration operator-(Duration a, Duration b) { return {a.us - b.us}; }
    friend constexpr Duration operator*(Duration a, std::int64_t n) { return {a.us * n}; }
    friend constexpr Duration operator/(Duration a, std::int64_t n) { return {a.us / n}; }
};

constexpr Duration microseconds(std::int64_t n) { return {n}; }
constexpr Duration milliseconds(std::int64_t n) { return {n * 1000}; }
constexpr Duration seconds(std::int64_t n) { return {n * 1'000'000}; }
constexpr Duration minutes(std::int64_t n) { return {n * 60'000'000}; }
constexpr Duration hours(std::int64_t n) { return {n * 3'600'000'000}; }

constexpr double in_seconds(Duration d) { return static_cast<double>(d.us) / 1e6; }
constexpr double in_minutes(Duration d) { return static_cast<double>(d.us) / 60e6; }

/// Microseconds since the Unix epoch; a simulated run begins at zero and is shown as T+mm:ss.
struct TimePoint {
    std::int64_t us = 0;

    friend constexpr auto operator<=>(const TimePoint&, const TimePoint&) = default;
    friend constexpr TimePoint operator+(TimePoint t, Duration d) { return {t.us + d.us}; }
    friend constexpr TimePoint operator-(TimePoint t, Duration d) { return {t.us - d.us}; }
    friend constexpr Duration operator-(TimePoint a, TimePoint b) { return {a.us - b.us}; }
};

}  // namespace parley
