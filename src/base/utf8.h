// Base: a code point as UTF-8, and where one ends in a text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace parley {

/// `point` must be at most 0x10ffff and not half of a surrogate pair; callers check this.
inline void append_utf8(std::string& out, std::uint32_t point) {
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xc0 | (point >> 6));
        put(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
        put(0xe0 | (point >> 12));
        put(0x80 | ((point >> 6) & 0x3f));
        put(0x80 | (point & 0x3f));
    } else {
        put(0xf0 | (point >> 18));
        put(0x80 | ((point >> 12) & 0x3f));
        put(0x80 | ((point >> 6) & 0x3f));
        put(0x80 | (point & 0x3f));
    }
}

/// The length of the well-formed code point at the front of a text that is not empty; 0 if there is
/// none.
inline std::size_t utf8_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const auto follows = [&](std::size_t i, std::uint8_t low = 0x80, std::uint8_t high = 0xBF) {
        return i < text.size() && at(i) >= low && at(i) <= high;
    };
    const std::uint8_t lead = at(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        const std::uint8_t low = lead == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t high = lead == 0xED ? 0x9F : 0xBF;  // No surrogates.
        return follows(1, low, high) && follows(2) ? 3 : 0;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        const std::uint8_t low = lead == 0xF0 ? 0x90 : 0x80;
        const std::uint8_t high = lead == 0xF4 ? 0x8F : 0xBF;
        return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

}  // namespace parley
