// Config: where each value in force came from.

#pragma once

#include "config/source.h"

#include <map>
#include <string>

namespace parley::config {

/// Where a value was set. A value without an Origin is a default.
struct Origin {
    std::string name;  ///< The name of the source: a file, a flag, a profile.
    Place place;       ///< The place within it; line 0 if it has no lines.

    /// `prod.yaml:14` or `--seed`.
    std::string text() const {
        const std::string line = place.line > 0 ? ":" + std::to_string(place.line) : "";
        return printable(name) + line;
    }
};

/// By path, such as `policy.guard.headroom` or `nodes[2].cores`.
using Origins = std::map<std::string, Origin, std::less<>>;

}  // namespace parley::config
