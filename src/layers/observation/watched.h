// Layer 1, observation: which namespaces are watched.

#pragma once

#include "base/name.h"

#include <string>
#include <vector>

namespace parley::observation {

/// A list of prefixes; `=name` means exactly that namespace. Empty: all are watched.
class Watched {
public:
    Watched() = default;
    explicit Watched(std::vector<std::string> entries) : entries_(std::move(entries)) {}

    bool has(Name space) const {
        if (entries_.empty()) return true;
        const std::string_view text = space.view();
        for (const std::string& entry : entries_) {
            const bool exact = entry.starts_with('=');
            if (exact ? text == std::string_view(entry).substr(1) : text.starts_with(entry)) {
                return true;
            }
        }
        return false;
    }

private:
    std::vector<std::string> entries_;
};

}  // namespace parley::observation
