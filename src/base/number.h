// Base: numbers that come from outside as text, and numbers shown to people. One parser for all of
// them.

#pragma once

#include "base/result.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace parley {

/// Numbers, quantities and times are never longer; longer text is refused unread.
inline constexpr std::size_t kNumberTextMax = 64;

/// `text` in quotes for a message: at most 40 characters, what cannot be printed as '?'.
std::string in_quotes(std::string_view text);

/// A finite decimal number with lo <= value <= hi, such as 12, -0.5 or 1e-3. Everything else is
/// malformed: NaN, infinities, hexadecimal, a plus sign, spaces, what a double cannot hold.
[[nodiscard]] Result<double> parse_double(std::string_view text,
                                          double lo = std::numeric_limits<double>::lowest(),
                                          double hi = std::numeric_limits<double>::max());

/// A whole decimal number with lo <= value <= hi; a fraction, an exponent or a plus sign is
/// malformed.
[[nodiscard]] Result<std::int64_t> parse_int64(
    std::string_view text, std::int64_t lo = std::numeric_limits<std::int64_t>::min(),
    std::int64_t hi = std::numeric_limits<std::int64_t>::max());
[[nodiscard]] Result<std::uint64_t> parse_uint64(
    std::string_view text, std::uint64_t lo = 0,
    std::uint64_t hi = std::numeric_limits<std::uint64_t>::max());

/// The shortest text that reads back as the same bits; "nan", "inf" and "-inf" if not finite.
std::string print_double(double value);

/// With exactly `decimals` (0 to 17) digits after the point, correctly rounded, ties to even; never
/// "-0.00". Not finite reads "?", as everything unknown does.
std::string fixed(double value, int decimals);

/// Like fixed(), with a plus sign if the rounded value is above zero; for scores.
std::string signed_fixed(double value, int decimals);

/// 5000 reads "5,000".
std::string thousands(std::int64_t value);

}  // namespace parley
