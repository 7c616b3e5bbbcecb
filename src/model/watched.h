// Model: which namespaces are watched.

#pragma once

#include "base/name.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace parley::model {

/// Whether a namespace is watched. `entries` are prefixes, or `=name` for exactly that namespace,
/// as in policy.namespaces. Empty: all are.
inline bool watched(const std::vector<std::string>& entries, Name space) {
    const std::string_view text = space.view();
    const auto means = [text](std::string_view entry) {
        return entry.starts_with('=') ? text == entry.substr(1) : text.starts_with(entry);
    };
    return entries.empty() || std::ranges::any_of(entries, means);
}

}  // namespace parley::model
