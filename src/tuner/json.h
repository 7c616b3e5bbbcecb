// Tuner: JSON as Python writes it, with NaN and Infinity, to values and back. Optuna's files hold
// it, and neither simdjson nor Boost.JSON takes those literals.

#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley::tuner {

inline constexpr int kJsonDepthMax = 64;

/// A value that was read. `raw` points into the text it came from, which must outlive it.
struct Json {
    enum class Kind { null, boolean, number, text, list, object };

    Kind kind = Kind::null;
    bool boolean = false;
    bool whole = false;  ///< A number without point and exponent: Python's int.
    double number = 0;
    std::string text;
    std::vector<Json> items;         ///< Of a list or an object, in the order of the text.
    std::vector<std::string> names;  ///< Of an object, one for each item.
    std::string_view raw;

    bool is(Kind what) const { return kind == what; }
    /// The member of that name, the last one if there are several; null if there is none.
    const Json* find(std::string_view name) const;
};

/// The whole of `text`, at most kJsonDepthMax deep. What a double cannot hold becomes infinite or
/// zero, as Python reads it; a surrogate without its partner becomes the replacement character.
[[nodiscard]] Result<Json> parse_json(std::string_view text);

/// With escapes for everything outside ASCII, as Python writes it, so that any reader takes it.
void append_text(std::string& out, std::string_view text);
std::string json_text(std::string_view text);

/// The shortest digits that read back; "NaN", "Infinity" and "-Infinity" else. A whole number keeps
/// its ".0", by which Python tells a float from an int.
std::string print_float(double value);

/// The same value in one spelling: spaces after ',' and ':', numbers as print_float writes them.
/// Members keep their order.
std::string canonical(const Json& value);

}  // namespace parley::tuner
