// Base: a text in, its parts between separators out.

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

/// Empty parts count: one more part than there are separators.
inline std::vector<std::string> parts_between(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

}  // namespace parley
