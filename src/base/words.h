// Base: a text in, its parts between separators out; a word as a shell takes it.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Empty parts are kept: there is one more part than there are separators.
inline std::vector<std::string> parts_between(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

/// Quoted where a shell would otherwise not take it as one word.
inline std::string shell_word(std::string_view text) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=+,@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
        return std::string(text);
    }
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

}  // namespace parley
