// Layer 1, observation: which namespaces are watched.

#pragma once

#include "model/watched.h"

#include <string>
#include <utility>
#include <vector>

namespace parley::observation {

/// A list of entries as model::watched reads it.
class Watched {
public:
    Watched() = default;
    explicit Watched(std::vector<std::string> entries) : entries_(std::move(entries)) {}

    bool has(Name space) const { return model::watched(entries_, space); }

private:
    std::vector<std::string> entries_;
};

}  // namespace parley::observation
