// Kube: what a provider says of a node's power and clock, which no object of the API shows.

#pragma once

#include "model/snapshot.h"

#include <cstdint>
#include <optional>

namespace parley::kube {

struct NodePower {
    bool can_power = false;  ///< A provider can switch it, and its present state is known.
    bool can_clock = false;  ///< Likewise for its clock.
    std::optional<model::Power> power = {};      ///< As last read; nothing: never read.
    std::optional<std::int64_t> clock_ppm = {};  ///< Likewise.
    friend bool operator==(const NodePower&, const NodePower&) = default;
};

}  // namespace parley::kube
