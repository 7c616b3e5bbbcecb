// Cluster seam: which step of which decision a request is, so that the cluster's own log can say
// it.

#pragma once

#include "model/ids.h"

#include <cstdint>

namespace parley::cluster {

struct Stamp {
    model::DecisionId decision;
    std::uint32_t step = 0;  ///< Its place in the plan, or among what undoes it.
    bool undo = false;       ///< It gives back what an earlier one changed.
    friend bool operator==(const Stamp&, const Stamp&) = default;
};

}  // namespace parley::cluster
